//! `aurumcode rules`: what a finding may cite.

use std::io;

use aurumcode_core::finding::Severity;
use aurumcode_core::provider::Registry;
use aurumcode_core::rules::{Catalog, Rule};
use clap::ArgMatches;
use serde::Serialize;

use super::{Command, Session};
use crate::arguments::boolean;
use crate::command_error::CommandError;
use crate::exit::ExitStatus;

/// The command.
pub(super) const COMMAND: Command = Command {
    name: "rules",
    about: "Print the rules that a finding may cite, with what each of them means",
    flags,
    run,
};

fn flags(_registry: &Registry) -> clap::Command {
    clap::Command::new(COMMAND.name)
        .override_usage("aurumcode rules [--json]")
        .arg(boolean::flag("json").help("Print one JSON array. Example: --json"))
}

fn run(session: &Session<'_>, matches: &ArgMatches) -> Result<ExitStatus, CommandError> {
    let catalog = Catalog::embedded()?;
    let text = if boolean::is_on(matches, "json") {
        json(&catalog).map_err(io::Error::from)
    } else {
        Ok(readable(&catalog))
    };
    text.and_then(|text| session.console.print_own(&text))
        .map_err(CommandError::Output)?;
    Ok(ExitStatus::Done)
}

fn readable(catalog: &Catalog) -> String {
    let entries: Vec<String> = catalog
        .rules()
        .iter()
        .map(|rule| {
            let Rule {
                id,
                title,
                severity,
                description,
                ..
            } = rule;
            format!("{id} [{severity}] {title}\n    {description}\n")
        })
        .collect();
    entries.join("\n")
}

/// A rule as `--json` prints it.
#[derive(Serialize)]
struct Shown<'a> {
    id: &'a str,
    title: &'a str,
    severity: Severity,
    description: &'a str,
}

fn json(catalog: &Catalog) -> serde_json::Result<String> {
    let shown: Vec<_> = catalog
        .rules()
        .iter()
        .map(|rule| Shown {
            id: &rule.id,
            title: &rule.title,
            severity: rule.severity,
            description: &rule.description,
        })
        .collect();
    Ok(serde_json::to_string_pretty(&shown)? + "\n")
}
