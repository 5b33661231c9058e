//! What is written where, in which order, and what happens when nobody takes it.

use std::fs::File;
use std::process::Stdio;

use insta::assert_snapshot;
use serde_json::json;

use crate::support::{Outcome, Repository, World};

/// A finding, two that are dropped, and line comments of every kind.
const ANSWER: &str = r#"{
    "issues": [
        {"file": "b.txt", "line": 2, "severity": "warning", "rule_id": "quality/poor-naming", "message": "Says nothing."},
        {"file": "a.txt", "line": 1, "severity": "error", "rule_id": "quality/dead-code", "message": "Never runs."},
        {"file": "a.txt", "line": 1, "severity": "info", "message": "Cites nothing."},
        {"file": "a.txt", "line": 1, "severity": "info", "rule_id": "made/up", "message": "Cites something else."}
    ],
    "line_comments": [
        {"path": "b.txt", "line": 2, "body": "says  nothing.", "rule_id": "quality/poor-naming"},
        {"line": 2, "body": "About no file.", "rule_id": "quality/poor-naming"},
        {"path": "b.txt", "line": 2, "body": " "}
    ]
}"#;

fn world_with_two_files() -> World {
    let mut world = World::new();
    Repository::with_change(
        &world,
        &[
            ("a.txt", "one\n", "two\n"),
            ("b.txt", "one\n", "one\ntwo\n"),
            ("image.bin", "\0", "\0\0"),
        ],
    );
    world.answer(ANSWER);
    world.set("AURUMCODE_CACHE_DIR", "../cache");
    world
}

const EVERYTHING: [&str; 9] = [
    "review",
    "--base",
    "base",
    "--modelo",
    "some model",
    "--limite=1",
    "--seguranca",
    "--fail-on",
    "MEDIUM",
];

#[test]
fn the_order_of_lines_cold_and_warm() {
    let mut world = world_with_two_files();
    world.set("AURUMCODE_LLM_INPUT_USD_PER_1K", "1e-9");
    world.set("AURUMCODE_LLM_OUTPUT_USD_PER_1K", "0.1");
    let cold = world.run(&EVERYTHING);
    assert_snapshot!(cold, @r#"
    exit 3
    -- stdout
    binary file, skipped: image.bin
    a.txt:1: [error] Never runs. (rule quality/dead-code: Dead Code)
    b.txt:2: [warning] Says nothing. (rule quality/poor-naming: Poor Naming Convention)

    Security findings (standards/security-review):
    No security findings.
    -- stderr
    aurumcode review: reviewing with model "some model" (offline fixture provider)
    aurumcode review: estimated cost $0.3000, diff-only pre-flight (--limite $1.0000)
    aurumcode review: 2 finding(s) discarded: 1 with no rule_id, 1 citing an unknown rule_id (made/up)
    aurumcode review: 3 line comment(s) not converted: 1 already reported as an issue, 1 with no path, 1 with an empty body
    aurumcode review: actual cost $0.0181 (--limite $1.0000)
    aurumcode review: no usage was reported for 1 of 1 call(s): their cost is estimated, with 4 bytes of prompt and answer for a token
    aurumcode review: security pass applied 7 of 8 security rules (security/command-injection, security/hardcoded-secret, security/insecure-random, security/path-traversal, security/sql-injection, security/weak-crypto, security/xss); 'aurumcode rules' prints the whole catalog
    aurumcode review: 2 finding(s) at severity warning or above (--fail-on warning)
    "#);
    let warm = world.run(&EVERYTHING);
    assert_eq!(warm.stdout, cold.stdout);
    assert_snapshot!(warm.stderr, @r#"
    aurumcode review: reviewing with model "some model" (offline fixture provider)
    aurumcode review: estimated cost $0.3000, diff-only pre-flight (--limite $1.0000)
    aurumcode review: 2 finding(s) discarded: 1 with no rule_id, 1 citing an unknown rule_id (made/up)
    aurumcode review: 3 line comment(s) not converted: 1 already reported as an issue, 1 with no path, 1 with an empty body
    aurumcode review: reused 2 file(s) from cache (not resent to the model)
    aurumcode review: actual cost $0.0000 (--limite $1.0000)
    aurumcode review: security pass applied 7 of 8 security rules (security/command-injection, security/hardcoded-secret, security/insecure-random, security/path-traversal, security/sql-injection, security/weak-crypto, security/xss); 'aurumcode rules' prints the whole catalog
    aurumcode review: 2 finding(s) at severity warning or above (--fail-on warning)
    "#);
}

#[test]
fn a_quiet_run_says_nothing_and_ends_the_same() {
    let world = world_with_two_files();
    let loud = world.run(&EVERYTHING);
    let quiet = world.run(&[&EVERYTHING[..], &["--quiet"]].concat());
    assert_eq!(quiet.stderr, "");
    assert_eq!((quiet.code, quiet.stdout), (loud.code, loud.stdout));
}

#[test]
fn only_verbose_runs_explain_themselves() {
    let mut world = world_with_two_files();
    world.set("AURUMCODE_CACHE_DIR", "/dev/null");
    assert!(
        !world
            .run(&["review", "--base", "base"])
            .stderr
            .contains("no cache")
    );
    let verbose = world.run(&["review", "--base", "base", "--verbose"]);
    assert!(
        verbose
            .stderr
            .contains("aurumcode review: no cache in this run: "),
        "{verbose}"
    );
}

#[test]
fn a_stderr_that_nobody_reads_changes_nothing() {
    let world = world_with_two_files();
    let heard = world.run(&EVERYTHING);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let unheard = world
        .aurumcode(&EVERYTHING)
        .stdout(Stdio::piped())
        .stderr(writer)
        .spawn()
        .unwrap()
        .wait_with_output()
        .unwrap();
    assert_eq!(unheard.status.code(), heard.code);
    assert_eq!(String::from_utf8(unheard.stdout).unwrap(), heard.stdout);
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_a_failure() {
    let world = World::new();
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["rules"],
        &["rules", "--json"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = world.aurumcode(arguments).stdout(full).output().unwrap();
        let outcome = Outcome::new(&output, &world.work());
        assert_eq!(outcome.code, Some(1), "{outcome}");
        assert!(
            outcome
                .stderr
                .ends_with(": cannot write to stdout: No space left on device (os error 28)\n"),
            "{outcome}"
        );
    }
}

/// Neither a message nor a path can start a line of its own, steer a terminal, or be taken for a
/// command of a CI system.
#[test]
fn text_of_others_stays_on_its_line() {
    let mut world = World::new();
    let path = "a\u{1b}[2J\nb.txt";
    Repository::with_change(
        &world,
        &[
            (path, "one\n", "two\n"),
            ("image\r\u{202e}.bin", "\0", "\0\0"),
        ],
    );
    let message =
        "first\n::error::second\u{1b}]0;x\u{7} \u{9b}31m \u{202e}third\r\naurumcode review: fourth";
    world.answer_issues(&[
        json!({"file": path, "line": 1, "severity": "error", "rule_id": "quality/dead-code", "message": message}),
        json!({"file": path, "line": 1, "severity": "error", "rule_id": "x\n\u{1b}y", "message": message}),
    ]);
    let outcome = world.run(&["review", "--base", "base", "--modelo", "m\n\u{1b}"]);
    assert_snapshot!(outcome, @r#"
    exit 0
    -- stdout
    binary file, skipped: image\r\u202e.bin
    a\x1b[2J\nb.txt:1: [error] first ::error::second\u{1b}]0;x\u{7} \u{9b}31m \u{202e}third aurumcode review: fourth (rule quality/dead-code: Dead Code)
    -- stderr
    aurumcode review: reviewing with model "m\n\x1b" (offline fixture provider)
    aurumcode review: 1 finding(s) discarded: 1 citing an unknown rule_id (x \u{1b}y)
    "#);
}

#[test]
fn a_secret_of_the_run_is_masked_wherever_it_would_be_said() {
    let mut world = World::new();
    let canary = ["canary", "of", "this", "run"].join("-");
    Repository::with_change(&world, &[("a.txt", "one\n", "two\n")]);
    world.set("AURUM_SECRET_CANARY", &canary);
    world.answer_issues(&[json!({
        "file": "a.txt", "line": 1, "severity": "error", "rule_id": "quality/dead-code",
        "message": format!("It is {canary}."),
    })]);
    let outcome = world.run(&["review", "--base", "base", "--modelo", &canary]);
    assert_snapshot!(outcome, @r#"
    exit 0
    -- stdout
    a.txt:1: [error] It is [REDACTED]. (rule quality/dead-code: Dead Code)
    -- stderr
    aurumcode review: reviewing with model "[REDACTED]" (offline fixture provider)
    "#);
    let outcome = world.run(&["review", "--base", &canary]);
    assert_snapshot!(outcome, @r#"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: ref "[REDACTED]" not found in this repository: expected a branch name, HEAD, a 40-character commit SHA, or a "<ref>~N" parent expression
    "#);
}
