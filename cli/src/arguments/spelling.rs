//! The many ways to write a flag, brought into one: `--name=value`.
//!
//! `-base x`, `--base x`, `-base=x` and `--base=x` are the same, and a value may begin with a
//! dash. clap knows only the forms with two dashes and takes such a value for a flag.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use clap::{Arg, Command};

/// Spells out every flag of `command`. What is none is left for clap to judge.
pub(super) fn spelled_out(command: &Command, arguments: Vec<OsString>) -> Vec<OsString> {
    let mut spelled = Vec::with_capacity(arguments.len());
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        if argument == "--" {
            spelled.push(argument);
            spelled.extend(arguments);
            break;
        }
        let Some((flag, inline)) = flag_in(command, &argument) else {
            spelled.push(argument);
            continue;
        };
        let value = inline.map(OsStr::to_owned).or_else(|| {
            let wants_one = flag.get_action().takes_values() && !flag.is_require_equals_set();
            wants_one.then(|| arguments.next()).flatten()
        });
        spelled.push(written(flag, value));
    }
    spelled
}

/// Finds the flag that an argument writes, and the value that it carries behind `=`.
pub(super) fn flag_in<'a>(
    command: &'a Command,
    argument: &'a OsStr,
) -> Option<(&'a Arg, Option<&'a OsStr>)> {
    let bytes = argument.as_bytes();
    let dashless = bytes
        .strip_prefix(b"--")
        .or_else(|| bytes.strip_prefix(b"-"))?;
    let mut parts = dashless.splitn(2, |byte| *byte == b'=');
    let name = std::str::from_utf8(parts.next()?).ok()?;
    let flag = command.get_arguments().find(|flag| is_named(flag, name))?;
    Some((flag, parts.next().map(OsStr::from_bytes)))
}

fn is_named(flag: &Arg, name: &str) -> bool {
    let short = flag.get_short().map(String::from);
    flag.get_long() == Some(name)
        || short.as_deref() == Some(name)
        || flag
            .get_all_aliases()
            .is_some_and(|aliases| aliases.contains(&name))
}

fn written(flag: &Arg, value: Option<OsString>) -> OsString {
    let mut text = OsString::from("--");
    text.push(flag.get_long().unwrap_or_default());
    if let Some(value) = value {
        let mut bytes = text.into_vec();
        bytes.push(b'=');
        bytes.extend_from_slice(value.as_bytes());
        text = OsString::from_vec(bytes);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::boolean;

    fn spelled(arguments: &[&str]) -> Vec<String> {
        let command = Command::new("x")
            .arg(Arg::new("modelo").long("modelo").visible_alias("model"))
            .arg(Arg::new("directory").long("directory").short('C'))
            .arg(boolean::flag("seguranca"));
        spelled_out(&command, arguments.iter().map(OsString::from).collect())
            .into_iter()
            .map(|argument| argument.into_string().unwrap())
            .collect()
    }

    #[test]
    fn every_spelling_is_the_same() {
        for written in [
            &["-modelo", "a"][..],
            &["--modelo", "a"],
            &["-modelo=a"],
            &["--modelo=a"],
            &["-model", "a"],
            &["--model=a"],
        ] {
            assert_eq!(spelled(written), ["--modelo=a"]);
        }
        assert_eq!(
            spelled(&["-C", "a", "-C=b"]),
            ["--directory=a", "--directory=b"]
        );
    }

    #[test]
    fn a_value_may_look_like_a_flag_and_a_boolean_takes_none() {
        assert_eq!(
            spelled(&["--modelo", "--seguranca"]),
            ["--modelo=--seguranca"]
        );
        assert_eq!(spelled(&["--modelo", "--"]), ["--modelo=--"]);
        assert_eq!(spelled(&["--modelo="]), ["--modelo="]);
        assert_eq!(spelled(&["--modelo"]), ["--modelo"]);
        assert_eq!(
            spelled(&["-seguranca", "false", "-seguranca=false"]),
            ["--seguranca", "false", "--seguranca=false"]
        );
    }

    #[test]
    fn what_is_no_flag_stays() {
        let arguments = ["-x", "--foreign", "y", "-", "--", "-modelo", "z"];
        assert_eq!(spelled(&arguments), arguments);
    }
}
