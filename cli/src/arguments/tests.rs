use super::*;
use crate::arguments::review::ReviewArguments;

fn asked(arguments: &[&str]) -> Result<Asked, CommandError> {
    let registry = Registry::from_entries([], []).unwrap();
    let words = Words::split(arguments.iter().map(OsString::from));
    read(words, &registry)
}

fn review(arguments: &[&str]) -> (ReviewArguments, Vec<PathBuf>) {
    let registry = Registry::from_entries([], []).unwrap();
    match asked(arguments) {
        Ok(Asked::Command {
            command,
            matches,
            directories,
        }) => {
            assert_eq!(command.name, "review");
            (ReviewArguments::of(&matches, &registry), directories)
        }
        Ok(Asked::Text(text)) => panic!("{text}"),
        Err(error) => panic!("{error:?}"),
    }
}

#[test]
fn the_last_of_a_flag_counts_and_patterns_add_up() {
    let (arguments, _) = review(&[
        "review",
        "-base",
        "a",
        "--base=b",
        "--exclude",
        "x",
        "--exclude=y",
        "--quiet",
        "--quiet=false",
        "--fail-on",
        "",
    ]);
    assert_eq!(arguments.base.as_deref(), Some("b"));
    assert_eq!(arguments.fail_on.as_deref(), Some(""));
    assert_eq!(arguments.exclude, ["x", "y"]);
    assert!(!arguments.quiet);
}

#[test]
fn a_directory_can_stand_before_and_behind_the_command() {
    let (_, directories) = review(&["-C", "a", "-directory=b", "review", "-C", "c"]);
    assert_eq!(directories, ["a", "b", "c"].map(PathBuf::from));
}

#[test]
fn both_names_of_a_flag_are_one_flag() {
    let (arguments, _) = review(&["review", "--modelo", "a", "--model", "b"]);
    assert_eq!(arguments.model.as_deref(), Some("b"));
}

#[test]
fn every_command_has_a_help_that_names_its_flags() {
    for command in &commands::ALL {
        for arguments in [
            &["help", command.name][..],
            &[command.name, "--help"],
            &[command.name, "-h"],
            &[command.name, "-help"],
        ] {
            match asked(arguments) {
                Ok(Asked::Text(text)) => assert!(text.contains("--directory"), "{text}"),
                _ => panic!("{arguments:?} is no help"),
            }
        }
    }
}

#[test]
fn clap_accepts_every_command_as_it_is_built() {
    let registry = Registry::linked().unwrap();
    for command in &commands::ALL {
        help::built(command, &registry).debug_assert();
    }
}
