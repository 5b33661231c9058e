//! What is said about whatever answers, or does not.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use insta::assert_snapshot;
use serde_json::json;

use crate::support::{Repository, World};

fn world() -> World {
    let world = World::new();
    Repository::with_change(
        &world,
        &[("a.txt", "one\n", "two\n"), ("b.txt", "", "new\n")],
    );
    world
}

fn finding() -> serde_json::Value {
    json!({"file": "a.txt", "line": 1, "severity": "info", "rule_id": "quality/dead-code", "message": "m"})
}

#[test]
fn nothing_is_configured() {
    let world = world();
    let outcome = world.run(&["review", "--base", "base"]);
    assert_snapshot!(outcome, @r#"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: no LLM provider configured: set AURUMCODE_LLM_FIXTURE=<path> to a JSON file shaped like {"issues":[{"file":"<path>","line":<n>,"severity":"error|warning|info","rule_id":"<id from the embedded rule catalog, e.g. security/hardcoded-secret>","message":"<text>"}]} for offline use -- a finding whose rule_id is missing or unknown is discarded, never shown, so rule_id is not optional -- if you have the AurumCode source checked out, fixtures/review/known-problem-response.json is a worked example -- or set LLM_API_KEY and LLM_BASE_URL for a live provider
    "#);
    let outcome = world.run(&["review", "--base", "base", "--model", "some model"]);
    assert_snapshot!(outcome, @r#"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: model "some model" is unavailable: no LLM provider is configured to serve it
    aurumcode review: to serve model "some model": set AURUMCODE_LLM_FIXTURE=<response-file> for an offline answer, or LLM_API_KEY and LLM_BASE_URL for a live endpoint (a local one, such as LLM_BASE_URL=http://localhost:11434/v1, needs no key), then re-run with --modelo some model
    "#);
    let outcome = world.run(&["review", "--base", "base", "--modelo", "m", "--seguranca"]);
    assert_eq!(outcome.code, Some(1), "{outcome}");
}

/// The security pass alone writes no cache and no quality block.
#[test]
fn the_security_pass_needs_no_provider() {
    let mut world = world();
    world.set("AURUMCODE_CACHE_DIR", "../cache");
    let outcome = world.run(&["review", "--base", "base", "-seguranca", "--limite", "1"]);
    assert_snapshot!(outcome, @r#"
    exit 0
    -- stdout

    Security findings (standards/security-review):
    No security findings.
    -- stderr
    aurumcode review: no LLM provider configured: quality review skipped, running --seguranca only (no LLM provider configured: set AURUMCODE_LLM_FIXTURE=<path> to a JSON file shaped like {"issues":[{"file":"<path>","line":<n>,"severity":"error|warning|info","rule_id":"<id from the embedded rule catalog, e.g. security/hardcoded-secret>","message":"<text>"}]} for offline use -- a finding whose rule_id is missing or unknown is discarded, never shown, so rule_id is not optional -- if you have the AurumCode source checked out, fixtures/review/known-problem-response.json is a worked example -- or set LLM_API_KEY and LLM_BASE_URL for a live provider)
    aurumcode review: security pass applied 7 of 8 security rules (security/command-injection, security/hardcoded-secret, security/insecure-random, security/path-traversal, security/sql-injection, security/weak-crypto, security/xss); 'aurumcode rules' prints the whole catalog
    "#);
    assert!(!world.path("cache").exists());
    assert_eq!(world.names("tmp"), [""; 0]);
}

#[test]
fn a_fixture_that_cannot_be_read() {
    let mut world = world();
    world.set("AURUMCODE_LLM_FIXTURE", "missing");
    let outcome = world.run(&["review", "--base", "base", "--seguranca"]);
    assert_snapshot!(outcome, @r"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: reading AURUMCODE_LLM_FIXTURE=missing: No such file or directory (os error 2)
    ");
    let outcome = world.run(&["review", "--base", "base", "--modelo", "m"]);
    assert_snapshot!(outcome, @r#"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: model "m" is unavailable: reading AURUMCODE_LLM_FIXTURE=missing: No such file or directory (os error 2)
    aurumcode review: to serve model "m": set AURUMCODE_LLM_FIXTURE=<response-file> for an offline answer, or LLM_API_KEY and LLM_BASE_URL for a live endpoint (a local one, such as LLM_BASE_URL=http://localhost:11434/v1, needs no key), then re-run with --modelo m
    "#);
}

#[test]
fn settings_that_contradict_themselves() {
    let mut world = world();
    world.answer_issues(&[]);
    world.set("AURUMCODE_CONTEXT_TOKENS", "a lot");
    let outcome = world.run(&["review", "--base", "base"]);
    assert_snapshot!(outcome, @r#"
    exit 2
    -- stdout
    -- stderr
    aurumcode review: AURUMCODE_CONTEXT_TOKENS must be a whole number from 1 to 4294967295 (got "a lot")
    "#);
}

#[test]
fn the_prompt_is_captured_when_and_only_when_the_model_is_called() {
    let mut world = world();
    world.answer_issues(&[finding()]);
    world.set("AURUMCODE_PROMPT_CAPTURE", "../capture");
    world.set("AURUMCODE_CACHE_DIR", "../cache");
    let capture = world.path("capture");

    let cold = world.run(&["review", "--base", "base"]);
    let prompt = fs::read_to_string(&capture).unwrap();
    let files: Vec<&str> = prompt
        .lines()
        .filter(|line| line.starts_with("### File: "))
        .collect();
    assert_eq!(files.len(), 2, "{prompt}");
    assert_eq!(
        fs::metadata(&capture).unwrap().permissions().mode() & 0o7777,
        0o600
    );

    fs::remove_file(&capture).unwrap();
    let warm = world.run(&["review", "--base", "base"]);
    assert_eq!(warm.stdout, cold.stdout);
    assert!(!capture.exists());

    let refreshed = world.run(&["review", "--base", "base", "--refresh"]);
    assert_eq!(refreshed, cold);
    assert_eq!(fs::read_to_string(&capture).unwrap(), prompt);

    let entries = world.names("cache");
    let uncached = world.run(&[
        "review",
        "--base",
        "base",
        "--no-cache",
        "--modelo",
        "other",
    ]);
    assert_eq!(uncached.stdout, cold.stdout);
    assert_eq!(world.names("cache"), entries);
}

#[test]
fn an_excluded_file_is_named_and_not_sent() {
    let mut world = world();
    world.answer_issues(&[finding()]);
    world.set("AURUMCODE_PROMPT_CAPTURE", "../capture");
    let outcome = world.run(&["review", "--base", "base", "--exclude", "b.*"]);
    assert_snapshot!(outcome, @r"
    exit 0
    -- stdout
    excluded, skipped: b.txt (--exclude b.*)
    a.txt:1: [info] m (rule quality/dead-code: Dead Code)
    -- stderr
    ");
    let prompt = fs::read_to_string(world.path("capture")).unwrap();
    assert!(!prompt.contains("b.txt"), "{prompt}");

    fs::remove_file(world.path("capture")).unwrap();
    let outcome = world.run(&[
        "review",
        "--base",
        "base",
        "--exclude",
        "*.txt",
        "--fail-on",
        "low",
    ]);
    assert_snapshot!(outcome, @r"
    exit 0
    -- stdout
    excluded, skipped: a.txt (--exclude *.txt)
    excluded, skipped: b.txt (--exclude *.txt)
    No issues found.
    -- stderr
    aurumcode review: nothing to review: 2 file(s) skipped
    ");
    assert!(!world.path("capture").exists());
}

#[test]
fn what_was_paid_for_is_said_when_the_rest_fails() {
    let mut world = World::new();
    let large = "a line of a place that does not fit\n".repeat(4000);
    Repository::with_change(
        &world,
        &[("a.txt", "one\n", "two\n"), ("large.txt", "one\n", &large)],
    );
    world.answer_issues(&[finding()]);
    world.set("AURUMCODE_CONTEXT_TOKENS", "16000");
    let outcome = world.run(&["review", "--base", "base", "--fail-on", "info"]);
    assert_snapshot!(outcome, @r"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: not reviewed: large.txt: one changed place of the file does not fit the model's window; use a model with a larger one, set AURUMCODE_CONTEXT_TOKENS when the window is larger than that, or leave the file out with --exclude
    aurumcode review: incomplete: 1 of 2 file(s) reviewed
    aurumcode review: a.txt:1: [info] m (rule quality/dead-code: Dead Code)
    aurumcode review: one changed place of the file does not fit the model's window; use a model with a larger one, set AURUMCODE_CONTEXT_TOKENS when the window is larger than that, or leave the file out with --exclude
    ");
    let quiet = world.run(&["review", "--base", "base", "--fail-on", "info", "--quiet"]);
    assert_eq!(quiet, outcome);
}

#[test]
fn a_change_without_files_is_still_sent() {
    let mut world = world();
    world.answer_issues(&[finding()]);
    world.set("AURUMCODE_PROMPT_CAPTURE", "../capture");
    let outcome = world.run(&["review", "--base", "HEAD"]);
    assert_snapshot!(outcome, @r"
    exit 0
    -- stdout
    a.txt:1: [info] m (rule quality/dead-code: Dead Code)
    -- stderr
    ");
    assert!(world.path("capture").exists());
}
