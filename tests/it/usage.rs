//! What is wrong with the arguments is said in the published words and order, with exit code 2.

use insta::assert_snapshot;

use crate::support::World;

/// Runs in a directory that is no repository, without a provider: a usage error comes before both.
fn refused<A: AsRef<std::ffi::OsStr>>(arguments: &[A]) -> String {
    let outcome = World::new().run(arguments);
    assert_eq!(outcome.code, Some(2), "{outcome}");
    assert_eq!(outcome.stdout, "");
    outcome.stderr
}

/// Everything is wrong at first; then one after the other is put right.
#[test]
fn the_first_failure_decides_whatever_the_order_of_the_flags() {
    let flags = [
        ("--base", "", "b"),
        ("--fail-on", "fatal", "high"),
        ("--modelo", " ", "m"),
        ("--limite", "0", "1"),
        ("--exclude", "[", "x"),
        ("--concurrent-calls", "0", "1"),
    ];
    let mut said = String::new();
    for right in 0..flags.len() {
        let arguments = flags.iter().enumerate().rev().map(|(position, flag)| {
            let (name, bad, good) = flag;
            format!("{name}={}", if position < right { good } else { bad })
        });
        let arguments: Vec<String> = ["review".to_owned()].into_iter().chain(arguments).collect();
        said += &refused(&arguments);
    }
    assert_snapshot!(said, @r#"
    aurumcode review: --base is required
    aurumcode review: --fail-on: unknown level "fatal" (accepted: high|error, medium|warning, low|info)
    aurumcode review: --modelo: model name must not be empty
    aurumcode review: --limite: must be greater than zero (got "0")
    aurumcode review: --exclude: "[" is no pattern: unclosed character class; missing ']'
    aurumcode review: --concurrent-calls: must be a whole number from 1 to 64 (got "0")
    "#);
}

#[test]
fn each_value_is_judged_in_its_own_words() {
    let mut said = String::new();
    for flags in [
        &["--fail-on", ""][..],
        &["--fail-on", "hi\"gh\u{1b}"],
        &["--modelo", ""],
        &["--limite", ""],
        &["--limite", "a lot"],
        &["--limite", "nan"],
        &["--limite", "-1"],
        &["--exclude", ""],
        &["--exclude", "{a"],
        &["--concurrent-calls", "many"],
        &["--no-cache", "--refresh"],
        &["--quiet", "--verbose"],
    ] {
        said += &refused(&[&["review", "--base", "b"], flags].concat());
    }
    assert_snapshot!(said, @r#"
    aurumcode review: --fail-on: unknown level "" (accepted: high|error, medium|warning, low|info)
    aurumcode review: --fail-on: unknown level "hi\"gh\x1b" (accepted: high|error, medium|warning, low|info)
    aurumcode review: --modelo: model name must not be empty
    aurumcode review: --limite: value must not be empty
    aurumcode review: --limite: must be a number of US dollars (got "a lot")
    aurumcode review: --limite: must be a number of US dollars (got "nan")
    aurumcode review: --limite: must be greater than zero (got "-1")
    aurumcode review: --exclude: pattern must not be empty
    aurumcode review: --exclude: "{a" is no pattern: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)
    aurumcode review: --concurrent-calls: must be a whole number from 1 to 64 (got "many")
    aurumcode review: --refresh keeps the new answers and --no-cache keeps nothing; give one of them
    aurumcode review: --quiet and --verbose say the opposite; give one of them
    "#);
}

#[test]
fn what_is_no_flag_is_refused_with_the_usage() {
    let mut said = String::new();
    for arguments in [
        &["review", "--bogus"][..],
        &["review", "--bas", "x"],
        &["review", "--base"],
        &["review", "--base", "b", "main"],
        &["review", "--seguranca=maybe"],
        &["rules", "--base", "b"],
    ] {
        said += &refused(arguments);
        said += "--\n";
    }
    assert_snapshot!(said, @r"
    aurumcode review: unexpected argument '--bogus' found

    Usage: aurumcode review --base <ref> [<flags>]
           aurumcode review --pr <n> --repo <owner>/<name> --publicar (--na-linha | --check) [<flags>]

    For more information, try '--help'.
    --
    aurumcode review: unexpected argument '--bas' found

      tip: a similar argument exists: '--base'

    Usage: aurumcode review --base <ref> [<flags>]
           aurumcode review --pr <n> --repo <owner>/<name> --publicar (--na-linha | --check) [<flags>]

    For more information, try '--help'.
    --
    aurumcode review: a value is required for '--base <ref>' but none was supplied

    For more information, try '--help'.
    --
    aurumcode review: unexpected argument 'main' found

    Usage: aurumcode review --base <ref> [<flags>]
           aurumcode review --pr <n> --repo <owner>/<name> --publicar (--na-linha | --check) [<flags>]

    For more information, try '--help'.
    --
    aurumcode review: invalid value 'maybe' for '--seguranca[=<true|false>]'
      [possible values: true, false]

    For more information, try '--help'.
    --
    aurumcode rules: unexpected argument '--base' found

    Usage: aurumcode rules [--json]

    For more information, try '--help'.
    --
    ");
}

#[test]
fn an_unknown_command_is_quoted() {
    let mut said = String::new();
    for word in ["reviw", "--bogus", "a\"b\u{1b}[31m\n"] {
        said += &refused(&[word]);
        said += &refused(&["help", word]);
    }
    said += &refused(&[""]);
    assert_snapshot!(said, @r#"
    aurumcode: unknown command "reviw"
    aurumcode: unknown command "reviw"
    aurumcode: unknown command "--bogus"
    aurumcode: unknown command "--bogus"
    aurumcode: unknown command "a\"b\x1b[31m\n"
    aurumcode: unknown command "a\"b\x1b[31m\n"
    aurumcode: unknown command ""
    "#);
}
