//! Help and version: on stdout with exit code 0 where they are asked for.

use insta::assert_snapshot;

use crate::support::World;

fn shown(arguments: &[&str]) -> String {
    let outcome = World::new().run(arguments);
    assert_eq!(outcome.code, Some(0), "{outcome}");
    assert_eq!(outcome.stderr, "");
    outcome.stdout
}

#[test]
fn the_program_says_what_it_is_for() {
    let help = shown(&["--help"]);
    for asked in ["-h", "-help", "help"] {
        assert_eq!(shown(&[asked]), help);
    }
    assert_snapshot!(help, @r"
    Reviews the change between a ref and HEAD with a language model, and never pays twice for the same
    file.

    Usage: aurumcode [-C <dir>] <command> [<flags>]

    Commands:
      review           Review the change between a ref and HEAD, or a pull request
      rules            Print the rules that a finding may cite, with what each of them means
      providers        List the linked providers with their state here, their variables and flags
      providers check  Ask a provider one tiny question and say what answered, or why it did not
      providers new    Write a crate with a provider of your own that builds, conforms and runs
      cache            Look into the directory that keeps answers, and keep it small
      cache stats      Count the entries and their bytes, by model, with the oldest and the newest
      cache prune      Remove entries that are old, or the oldest until the rest is small enough
      cache clear      Remove every entry, and nothing that is none
      cache explain    Say what makes each file's key and whether there is an entry, without any content
      help             Explain a command
      version          Print the version

    Options:
      -C, --directory <dir>  Run as if started in this directory, as git's -C does; a second one counts
                             from the first. Example: -C ../project
      -V, --version          Print the version
      -h, --help             Print help

    aurumcode help <command> explains a command and its flags.

    Exit codes:
      0  the review ran; the gate of --fail-on is open, or none was asked for
      1  the review could not be done, or not completely
      2  the command was wrong, and nothing was tried
      3  the review ran and the gate is closed
      130, 143  it was ended by ctrl-C, or by SIGTERM

    Example:
      aurumcode review --base main --fail-on error
    ");

    let without_arguments = World::new().run::<&str>(&[]);
    assert_eq!(without_arguments.code, Some(2));
    assert_eq!(without_arguments.stdout, "");
    assert_eq!(without_arguments.stderr, help);
}

#[test]
fn the_version_has_several_spellings() {
    let version = concat!("aurumcode ", env!("CARGO_PKG_VERSION"), "\n");
    for asked in ["--version", "-version", "-V", "version"] {
        assert_eq!(shown(&[asked]), version);
    }
}

/// The flags of providers are explained like the others, because they are declared with their help.
#[test]
fn every_flag_of_review_is_explained_with_an_example() {
    let help = shown(&["help", "review"]);
    for asked in ["--help", "-h", "-help"] {
        assert_eq!(shown(&["review", asked]), help);
    }
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let flags: Vec<&str> = help
        .lines()
        .filter_map(|line| line.strip_prefix("      --"))
        .map(|flag| flag.split(['[', ' ']).next().unwrap())
        .collect();
    assert_eq!(
        flags,
        [
            "base",
            "exclude",
            "pr",
            "repo",
            "publicar",
            "na-linha",
            "check",
            "modelo",
            "seguranca",
            "fail-on",
            "no-cache",
            "refresh",
            "concurrent-calls",
            "limite",
            "quiet",
            "verbose",
        ]
    );
    for flag in flags {
        let example = [format!("Example: --{flag}"), format!("such as --{flag}")];
        assert!(
            example.iter().any(|example| words.contains(example)),
            "--{flag} has no example:\n{help}"
        );
    }
}

#[test]
fn the_rules_are_readable_by_people_and_by_programs() {
    let readable = shown(&["rules"]);
    let shown_rules: Vec<serde_json::Value> =
        serde_json::from_str(&shown(&["rules", "--json"])).unwrap();
    let mut expected = Vec::new();
    for rule in &shown_rules {
        let word = |name: &str| rule[name].as_str().unwrap();
        expected.push(format!(
            "{} [{}] {}\n    {}\n",
            word("id"),
            word("severity"),
            word("title"),
            word("description")
        ));
    }
    assert_eq!(readable, expected.join("\n"));
    let ids: Vec<&str> = shown_rules
        .iter()
        .map(|rule| rule["id"].as_str().unwrap())
        .collect();
    assert_snapshot!(ids.join("\n"), @r"
    performance/excessive-allocation
    performance/inefficient-algorithm
    performance/inefficient-loop
    performance/memory-leak
    performance/n-plus-one
    quality/dead-code
    quality/duplicate-code
    quality/high-complexity
    quality/long-function
    quality/magic-numbers
    quality/missing-error-handling
    quality/poor-naming
    quality/unused-variable
    security/command-injection
    security/hardcoded-secret
    security/insecure-random
    security/missing-auth
    security/path-traversal
    security/sql-injection
    security/weak-crypto
    security/xss
    ");
}
