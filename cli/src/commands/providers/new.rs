//! `aurumcode providers new`: a crate that builds, conforms and brings a program of its own.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use aurumcode_core::provider::Registry;
use aurumcode_core::text::quoted;
use clap::{Arg, ArgMatches, value_parser};

use super::super::{Command, Session};
use super::crate_files::{Kind, Names, Origin, files};
use crate::arguments::boolean;
use crate::arguments::review::{text, valued};
use crate::command_error::CommandError;
use crate::exit::ExitStatus;

/// The command.
pub(in crate::commands) const COMMAND: Command = Command {
    name: "providers new",
    about: "Write a crate with a provider of your own that builds, conforms and runs",
    flags,
    run,
};

/// The longest name, so that every file name that is made of it is one.
const NAME_CHARACTERS: usize = 40;

/// The name of a lock file.
const LOCK: &str = "Cargo.lock";

/// The longest lock file that is copied: far more than any checkout's.
const LOCK_BYTES: u64 = 16 * 1024 * 1024;

fn flags(_registry: &Registry) -> clap::Command {
    clap::Command::new(COMMAND.name)
        .override_usage(
            "aurumcode providers new <name> [--layer] [--dir <dir>] [--core <path or git url>]",
        )
        .arg(
            Arg::new("name")
                .value_name("name")
                .value_parser(value_parser!(OsString))
                .help("The name by which users pick the provider: small letters, digits, dashes"),
        )
        .arg(
            boolean::flag("layer")
                .help("Write a layer, which stands around whatever answers, and no source"),
        )
        .arg(valued("dir", "dir").help(
            "Where to write; without it a new directory of the provider's name. \
             Example: --dir ../mine",
        ))
        .arg(valued("core", "path or git url").help(
            "Where aurumcode's own crates come from: a checkout or a git URL; without it the \
             checkout around the working directory. Example: --core ../aurumcode",
        ))
}

fn run(session: &Session<'_>, matches: &ArgMatches) -> Result<ExitStatus, CommandError> {
    let name = text(matches, "name").unwrap_or_default();
    let names = names(&name, session.registry).map_err(CommandError::Usage)?;
    let kind = if boolean::is_on(matches, "layer") {
        Kind::Layer
    } else {
        Kind::Source
    };
    let origin = origin(text(matches, "core").as_deref()).map_err(CommandError::Usage)?;
    let directory = text(matches, "dir").filter(|directory| !directory.is_empty());
    let directory = PathBuf::from(directory.unwrap_or_else(|| name.clone()));
    let mut files = files(kind, &names, &origin);
    let lock = locked(&origin).map_err(CommandError::Usage)?;
    files.extend(lock.map(|lock| (LOCK, lock)));
    let files: Vec<_> = files
        .into_iter()
        .map(|(path, content)| (directory.join(path), content))
        .collect();
    if let Some(obstacle) = files.iter().find_map(|(path, _)| obstacle(path)) {
        return Err(CommandError::Usage(format!(
            "{obstacle}, and nothing was written: give another --dir"
        )));
    }
    let mut lines = Vec::new();
    for (path, content) in &files {
        write(path, content).map_err(|cause| {
            let cause = io::Error::new(cause.kind(), format!("{}: {cause}", path.display()));
            CommandError::System("cannot write the crate", cause)
        })?;
        lines.push(format!("wrote {}", path.display()));
    }
    lines.push(format!(
        "next, in {}: cargo test && cargo run -- providers",
        directory.display()
    ));
    session
        .console
        .print(&lines)
        .map_err(CommandError::Output)?;
    Ok(ExitStatus::Done)
}

fn names(name: &str, registry: &Registry) -> Result<Names, String> {
    if name.is_empty() {
        return Err("a name is required".to_owned());
    }
    let is_word = |word: &str| {
        let mut characters = word.chars();
        !word.is_empty() && characters.all(|letter| matches!(letter, 'a'..='z' | '0'..='9'))
    };
    let begins = name.starts_with(|first: char| first.is_ascii_lowercase());
    if !begins || !name.split('-').all(is_word) || name.len() > NAME_CHARACTERS {
        return Err(format!(
            "the name {} has to begin with a small letter and go on with at most {} small letters, digits and single dashes",
            quoted(name),
            NAME_CHARACTERS - 1,
        ));
    }
    let sources = registry.sources().iter().map(|entry| entry.name);
    let layers = registry.layers().iter().map(|entry| entry.name);
    if sources.chain(layers).any(|taken| taken == name) {
        return Err(format!(
            "a provider named {} is linked already: take another name",
            quoted(name)
        ));
    }
    let names = Names::new(name);
    if names.are_taken() {
        return Err(format!(
            "aurumcode has a crate of the name {} that is no provider: take another name",
            quoted(name)
        ));
    }
    Ok(names)
}

fn origin(core: Option<&str>) -> Result<Origin, String> {
    let Some(core) = core.filter(|core| !core.is_empty()) else {
        let here = std::env::current_dir().unwrap_or_default();
        return here.ancestors().find_map(Origin::checkout).ok_or_else(|| {
            "--core is required outside a checkout of aurumcode: give the path of one, or a git URL"
                .to_owned()
        });
    };
    if let Some(git) = Origin::git(core) {
        return Ok(git);
    }
    let path = fs::canonicalize(core)
        .map_err(|cause| format!("--core: {} cannot be read: {cause}", quoted(core)))?;
    Origin::checkout(&path)
        .ok_or_else(|| format!("--core: {} is no checkout of aurumcode", quoted(core)))
}

/// Returns the lock file of a checkout: versions that its crates are known to work with, and that
/// are on this machine already. A checkout may have none.
fn locked(origin: &Origin) -> Result<Option<String>, String> {
    let Origin::Checkout(checkout) = origin else {
        return Ok(None);
    };
    let path = checkout.join(LOCK);
    match read_plain(&path) {
        Ok(lock) => Ok(Some(lock)),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(format!(
            "{} cannot be read ({cause}): mend it, or give another checkout with --core",
            path.display()
        )),
    }
}

/// Reads a text that has to be a plain file: opening a pipe would wait for its other end.
fn read_plain(path: &Path) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no plain file"));
    }
    let mut text = String::new();
    let mut file = File::open(path)?.take(LOCK_BYTES + 1);
    file.read_to_string(&mut text)?;
    if text.len() as u64 > LOCK_BYTES {
        return Err(io::Error::other(format!(
            "it is longer than {LOCK_BYTES} bytes"
        )));
    }
    Ok(text)
}

/// Says what stands where a new file, or a directory on the way to it, has to be.
fn obstacle(path: &Path) -> Option<String> {
    let mut places = path.ancestors();
    let nearest = places.find(|place| place.symlink_metadata().is_ok())?;
    let what = if nearest == path {
        "is there already"
    } else if nearest.is_dir() {
        return None;
    } else {
        "is no directory"
    };
    Some(format!("{} {what}", nearest.display()))
}

/// Writes a new file; one that is there already belongs to somebody.
fn write(path: &Path, content: &str) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(content.as_bytes())
}
