//! The flags of `review`, as they are given. What they mean together is [`crate::settings`]' to
//! judge.

use std::collections::BTreeMap;
use std::ffi::OsString;

use aurumcode_core::limits;
use aurumcode_core::provider::Registry;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::{boolean, exit_codes, variables};

const WHAT: &str = "What is reviewed";
const PUBLISHED: &str = "A pull request, and what is published on it";
const WHO: &str = "Who reviews";
const VERDICT: &str = "The verdict";
const PAID: &str = "What is paid for";
const TALK: &str = "What is said";

/// The flags as they are given; a missing one is `None`.
#[derive(Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "these are the flags as they are given; `Settings` holds what they mean"
)]
pub(crate) struct ReviewArguments {
    pub(crate) base: Option<String>,
    pub(crate) fail_on: Option<String>,
    pub(crate) model: Option<String>,
    /// The flags of plugins, by name.
    pub(crate) plugin_flags: BTreeMap<String, String>,
    pub(crate) security: bool,
    pub(crate) exclude: Vec<String>,
    pub(crate) no_cache: bool,
    pub(crate) refresh: bool,
    pub(crate) concurrent_calls: Option<String>,
    pub(crate) quiet: bool,
    pub(crate) verbose: bool,
    pub(crate) pull_request: PullRequestArguments,
}

/// The flags about a pull request.
#[derive(Debug, Default)]
pub(crate) struct PullRequestArguments {
    pub(crate) number: Option<String>,
    pub(crate) repository: Option<String>,
    pub(crate) publish: bool,
    pub(crate) inline: bool,
    pub(crate) check: bool,
}

impl ReviewArguments {
    /// Takes the values out of clap's hands.
    pub(crate) fn of(matches: &ArgMatches, registry: &Registry) -> Self {
        Self {
            base: text(matches, "base"),
            fail_on: text(matches, "fail-on"),
            model: text(matches, "modelo"),
            plugin_flags: plugin_values(matches, registry),
            security: boolean::is_on(matches, "seguranca"),
            exclude: matches
                .get_many::<OsString>("exclude")
                .unwrap_or_default()
                .map(|pattern| pattern.to_string_lossy().into_owned())
                .collect(),
            no_cache: boolean::is_on(matches, "no-cache"),
            refresh: boolean::is_on(matches, "refresh"),
            concurrent_calls: text(matches, "concurrent-calls"),
            quiet: boolean::is_on(matches, "quiet"),
            verbose: boolean::is_on(matches, "verbose"),
            pull_request: PullRequestArguments {
                number: text(matches, "pr"),
                repository: text(matches, "repo"),
                publish: boolean::is_on(matches, "publicar"),
                inline: boolean::is_on(matches, "na-linha"),
                check: boolean::is_on(matches, "check"),
            },
        }
    }
}

pub(crate) fn text(matches: &ArgMatches, name: &str) -> Option<String> {
    matches
        .get_one::<OsString>(name)
        .map(|value| value.to_string_lossy().into_owned())
}

/// Returns the command with its own flags and those of the plugins.
pub(crate) fn command(registry: &Registry) -> Command {
    own_flags()
        .args(plugin_flags(registry))
        .override_usage(
            "aurumcode review --base <ref> [<flags>]\n       \
             aurumcode review --pr <n> --repo <owner>/<name> --publicar (--na-linha | --check) \
             [<flags>]",
        )
        .after_help(format!(
            "Findings go to stdout, everything else to stderr.\n\n{}\n\n{}\n\n\
             Examples:\n  \
             aurumcode review --base main\n  \
             aurumcode review --base origin/main --fail-on error --exclude vendor/\n  \
             LLM_BASE_URL=http://localhost:11434/v1 aurumcode review --base HEAD~1 --modelo llama3",
            exit_codes(),
            variables(registry),
        ))
}

/// Returns the flags that plugins add.
pub(crate) fn plugin_flags(registry: &Registry) -> impl Iterator<Item = Arg> {
    registry.flags().map(|flag| {
        valued(flag.name, flag.value_name)
            .visible_aliases(flag.aliases.iter().copied())
            .help(flag.help)
            .help_heading(PAID)
    })
}

/// Takes the values of the flags that plugins add, by name.
pub(crate) fn plugin_values(matches: &ArgMatches, registry: &Registry) -> BTreeMap<String, String> {
    registry
        .flags()
        .filter_map(|flag| Some((flag.name.to_owned(), text(matches, flag.name)?)))
        .collect()
}

/// Returns the flags that the program has by itself.
pub(crate) fn own_flags() -> Command {
    let publishing = pull_request_flags().map(|flag| flag.help_heading(PUBLISHED));
    Command::new("review").next_line_help(true).args([
        valued("base", "ref").help_heading(WHAT).help(
            "Review the change from here to HEAD: a branch, a tag, a commit, or an expression \
             such as HEAD~3. What others committed to that branch meanwhile is not part of it, \
             and neither are uncommitted edits. Example: --base origin/main",
        ),
        valued("exclude", "glob")
            .action(ArgAction::Append)
            .help_heading(WHAT)
            .help(
                "Do not review the files that this pattern names, as in .gitignore; each is named \
                 in a notice. Can be given several times. \
                 Example: --exclude vendor/ --exclude '*.lock'",
            ),
    ]).args(publishing).args([
        valued("modelo", "name")
            .visible_alias("model")
            .help_heading(WHO)
            .help("The model that reviews; beats LLM_MODEL. Example: --modelo gpt-4o-mini"),
        boolean::flag("seguranca")
            .visible_alias("security")
            .help_heading(WHO)
            .help(
                "Also look for security mistakes in the added lines without any model; without a \
                 provider this is all that is done. Example: --seguranca",
            ),
        valued("fail-on", "level").help_heading(VERDICT).help(
            "Exit with 3 when a finding is at this severity or above: high or error, medium or \
             warning, low or info, in any letter case. Example: --fail-on high",
        ),
        boolean::flag("no-cache")
            .help_heading(PAID)
            .help("Send every file, and keep nothing. Example: --no-cache"),
        boolean::flag("refresh")
            .help_heading(PAID)
            .help("Send every file, and keep the new answers for the next run. Example: --refresh"),
        valued("concurrent-calls", "n")
            .help_heading(PAID)
            .help(format!(
                "How many calls are open at the same time, from 1 to {}; {} unless it is given. \
             Example: --concurrent-calls 1",
                limits::CONCURRENT_CALLS_AT_MOST,
                limits::CONCURRENT_CALLS,
            )),
        boolean::flag("quiet")
            .help_heading(TALK)
            .help("Say nothing on stderr but why a review failed. Example: --quiet"),
        boolean::flag("verbose")
            .help_heading(TALK)
            .help("Explain the run on stderr. Example: --verbose"),
    ])
}

/// Returns the flags about a pull request.
fn pull_request_flags() -> [Arg; 5] {
    [
        valued("pr", "n").help(
            "Review this pull request on GitHub in place of a change in a repository here; \
             --base is then ignored. In GitHub Actions it is known. Example: --pr 12",
        ),
        valued("repo", "owner/name").help(
            "The repository of the pull request. In GitHub Actions it is known. \
             Example: --repo octo-org/octo-repo",
        ),
        boolean::flag("publicar").visible_alias("publish").help(
            "Publish each finding on the pull request, once, with the rights of GITHUB_TOKEN. \
             Example: --publicar",
        ),
        boolean::flag("na-linha").visible_alias("inline").help(
            "Publish a finding about an added line on that line, any other as a general comment. \
             Example: --na-linha",
        ),
        boolean::flag("check").help(
            "Also put the status aurumcode/review on the commit: a failure, and exit code 3, when \
             a finding is an error. Example: --check",
        ),
    ]
}

pub(crate) fn valued(name: &'static str, value: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name(value)
        .value_parser(value_parser!(OsString))
}
