//! `aurumcode cache explain`: the parts of each file's key, and whether there is an entry.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt as _;

use aurumcode_core::cache::{DirectoryStore, EncodedField, Lookup, Store as _};
use aurumcode_core::change::{FileChange, RepoPath};
use aurumcode_core::prompt::PromptBuilder;
use aurumcode_core::provider::Registry;
use aurumcode_core::review::key_basis;
use aurumcode_core::rules::Catalog;
use aurumcode_core::text::quoted;
use clap::{Arg, ArgMatches, value_parser};

use super::super::{Command, Session};
use super::{directory, directory_flag};
use crate::arguments::review::{plugin_flags, plugin_values, text, valued};
use crate::command_error::CommandError;
use crate::exit::ExitStatus;
use crate::settings;

/// The command.
pub(in crate::commands) const COMMAND: Command = Command {
    name: "cache explain",
    about: "Say what makes each file's key and whether there is an entry, without any content",
    flags,
    run,
};

fn flags(registry: &Registry) -> clap::Command {
    clap::Command::new(COMMAND.name)
        .next_line_help(true)
        .override_usage("aurumcode cache explain --base <ref> [<flags>] [<path>]")
        .args([
            valued("base", "ref").help("The change from here to HEAD. Example: --base main"),
            valued("modelo", "name")
                .visible_alias("model")
                .help("The model, as in the review. Example: --modelo gpt-4o-mini"),
            directory_flag(),
            Arg::new("path")
                .value_name("path")
                .value_parser(value_parser!(OsString))
                .help("One file of the change, from the top of the tree; without it all of them"),
        ])
        .args(plugin_flags(registry))
        .after_help(
            "Run it where a file was served and where it was sent; the line that differs is the \
             answer. Give the flags of the review: they can be part of the key.",
        )
}

fn run(session: &Session<'_>, matches: &ArgMatches) -> Result<ExitStatus, CommandError> {
    let base = text(matches, "base").filter(|base| !base.is_empty());
    let base = base.ok_or_else(|| CommandError::Usage("--base is required".to_owned()))?;
    let model = text(matches, "modelo").map(settings::model).transpose();
    let model = model.map_err(CommandError::Usage)?;
    let flags = plugin_values(matches, session.registry);
    settings::check_plugin_flags(&flags, session.registry).map_err(CommandError::Usage)?;
    let store = directory(session, matches).and_then(|directory| {
        DirectoryStore::open_existing(&directory).map_err(CommandError::Cache)
    });
    let change = session.read_change(&base)?.change;
    let stack = session
        .select(model.as_ref(), &flags)
        .map_err(|error| CommandError::of_selection(error, model.as_ref(), session.registry))?;
    let basis = key_basis(&stack, &PromptBuilder::new(&Catalog::embedded()?));

    let wanted = matches
        .get_one::<OsString>("path")
        .map(|path| RepoPath::new(path.as_bytes()));
    let is_wanted = |file: &&FileChange| wanted.as_ref().is_none_or(|path| *path == file.path);
    let files: Vec<_> = change.files.iter().filter(is_wanted).collect();
    if let (Some(path), true) = (&wanted, files.is_empty()) {
        return Err(CommandError::NotInChange(quoted(&path.display())));
    }
    if !basis.identity.is_stated() {
        session
            .console
            .say("what answers cannot be told, so nothing is stored and nothing served");
    }
    let mut lines = Vec::new();
    for file in files {
        let (key, fields) = basis.explain(file);
        let state = match store.as_ref().map(|store| store.get(&key)) {
            Ok(Lookup::Hit(_)) => "hit".to_owned(),
            Ok(Lookup::Absent) => "miss: there is no entry".to_owned(),
            Ok(Lookup::Unusable(reason)) => format!("miss: the entry cannot be used: {reason}"),
            Err(_) => "miss: there is no cache directory".to_owned(),
        };
        lines.push(format!("{} {key} {state}", file.path.display()));
        lines.extend(fields.iter().map(line));
    }
    session
        .console
        .print(&lines)
        .map_err(CommandError::Output)?;
    Ok(ExitStatus::Done)
}

fn line(field: &EncodedField) -> String {
    let EncodedField {
        tag,
        length,
        digest,
    } = field;
    format!("  {tag}: {length} bytes, {digest}")
}
