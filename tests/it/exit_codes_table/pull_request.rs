//! The endings of a review with `--pr`, against a GitHub of the test's own.

use std::process::Output;

use serde_json::json;
use wiremock::ResponseTemplate;

use super::row::{assert_ending, assert_row};
use crate::pull_request::DIFF;
use crate::pull_request::hub::Hub;
use crate::support::World;

const INLINE: &str = "POST /repos/o/r/pulls/7/comments";
const DIFF_REQUEST: &str = "GET /repos/o/r/pulls/7";

/// A GitHub, and a world whose reviews find something of these severities on the added line.
async fn scene(severities: &[&str]) -> (Hub, World) {
    let hub = Hub::new(DIFF).await;
    let mut world = hub.world();
    let issues = severities.iter().map(|severity| {
        json!({
            "file": "app.py", "line": 2, "severity": severity,
            "rule_id": "quality/magic-numbers", "message": "Name it.",
        })
    });
    world.answer_issues(&issues.collect::<Vec<_>>());
    (hub, world)
}

fn run(world: &World, flags: &[&str]) -> Output {
    let arguments = [&["review"], flags].concat();
    world.aurumcode(&arguments).output().unwrap()
}

fn review(world: &World, flags: &[&str]) -> Output {
    let usual = ["--pr", "7", "--repo", "o/r", "--publicar", "--na-linha"];
    run(world, &[&usual, flags].concat())
}

fn refused(status: u16) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_json(json!({"message": "no"}))
}

#[tokio::test(flavor = "multi_thread")]
async fn findings_published() {
    let (_hub, world) = scene(&["error"]).await;
    assert_row("findings_published", &review(&world, &[]));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_to_publish() {
    let (_hub, world) = scene(&[]).await;
    assert_row("nothing_to_publish", &review(&world, &["--fail-on", "low"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn published_already() {
    let (_hub, world) = scene(&["error"]).await;
    review(&world, &[]);
    assert_row("published_already", &review(&world, &[]));
}

#[tokio::test(flavor = "multi_thread")]
async fn line_not_taken() {
    let (hub, world) = scene(&["error"]).await;
    hub.script(INLINE, refused(422));
    assert_row("line_not_taken", &review(&world, &[]));
}

#[tokio::test(flavor = "multi_thread")]
async fn comment_not_listed() {
    let (hub, world) = scene(&["error"]).await;
    hub.script(INLINE, ResponseTemplate::new(201));
    assert_row("comment_not_listed", &review(&world, &[]));
}

#[tokio::test(flavor = "multi_thread")]
async fn check_passes() {
    let (_hub, world) = scene(&["warning"]).await;
    assert_row("check_passes", &review(&world, &["--check"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn check_fails() {
    let (_hub, world) = scene(&["error"]).await;
    assert_row("check_fails", &review(&world, &["--check"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn gate_of_a_pull_request() {
    let (_hub, world) = scene(&["error"]).await;
    for level in ["high", "medium", "low"] {
        let output = review(&world, &["--fail-on", level]);
        assert_row("gate_of_a_pull_request", &output);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn read_only_token() {
    let (hub, world) = scene(&["error"]).await;
    hub.read_only();
    assert_row("read_only_token", &review(&world, &["--check"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_token() {
    let (hub, world) = scene(&["error"]).await;
    hub.script("GET /repos/o/r", refused(401));
    assert_row("unknown_token", &review(&world, &[]));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_pull_request() {
    let (hub, world) = scene(&["error"]).await;
    hub.script(DIFF_REQUEST, refused(404));
    assert_row("no_pull_request", &review(&world, &[]));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_diff() {
    let (hub, world) = scene(&["error"]).await;
    for answer in ["<html>", r#"{"number":7}"#] {
        hub.diff(answer);
        assert_row("no_diff", &review(&world, &["--check"]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unlisted_files() {
    let (hub, world) = scene(&["error"]).await;
    hub.head("c0ffee");
    hub.script(DIFF_REQUEST, refused(406));
    let file = json!({"filename": "x", "status": "added"});
    let page = ResponseTemplate::new(200).set_body_json(vec![file; 100]);
    for _ in 0..30 {
        hub.script("GET /repos/o/r/pulls/7/files", page.clone());
    }
    assert_row("unlisted_files", &review(&world, &[]));
}

#[tokio::test(flavor = "multi_thread")]
async fn pull_request_not_reviewed() {
    let (hub, mut world) = scene(&[]).await;
    world.answer("no idea");
    let output = review(&world, &["--check"]);
    assert_row("pull_request_not_reviewed", &output);
    assert_eq!(hub.posted(), Vec::<serde_json::Value>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_commit() {
    for (severities, flags) in [(&["info"][..], &[][..]), (&[], &["--check"])] {
        let (hub, mut world) = scene(severities).await;
        world.set("GITHUB_SHA", "");
        assert_row("no_commit", &review(&world, flags));
        assert_eq!(hub.posted(), Vec::<serde_json::Value>::new());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn comment_not_published() {
    for flags in [&[][..], &["--fail-on", "low"], &["--check"]] {
        let (hub, world) = scene(&["error"]).await;
        hub.script(INLINE, refused(403));
        assert_ending("comment_not_published", &review(&world, flags));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn limited_for_long() {
    let (hub, world) = scene(&["error"]).await;
    hub.script(INLINE, refused(429).insert_header("retry-after", "3600"));
    assert_ending("limited_for_long", &review(&world, &[]));
}

#[tokio::test(flavor = "multi_thread")]
async fn status_not_published() {
    let (hub, world) = scene(&["error"]).await;
    hub.script("POST /repos/o/r/statuses/c0ffee", refused(403));
    assert_ending("status_not_published", &review(&world, &["--check"]));
}

#[test]
fn no_repository_name() {
    let output = run(&World::new(), &["--pr", "7", "--publicar", "--na-linha"]);
    assert_row("no_repository_name", &output);
}

#[test]
fn no_inline() {
    let output = run(&World::new(), &["--pr", "7", "--repo", "o/r", "--publicar"]);
    assert_row("no_inline", &output);
}

#[test]
fn no_publish() {
    for flag in ["--na-linha", "--check"] {
        let output = run(&World::new(), &["--pr", "7", "--repo", "o/r", flag]);
        assert_row("no_publish", &output);
    }
}

#[test]
fn impossible_number() {
    for number in ["0", "+7", "x", ""] {
        let number = format!("--pr={number}");
        let flags = [&number, "--repo", "o/r", "--publicar", "--na-linha"];
        assert_row("impossible_number", &run(&World::new(), &flags));
    }
}

#[test]
fn impossible_repository_name() {
    let flags = ["--pr", "7", "--repo", "o", "--publicar", "--na-linha"];
    let output = run(&World::new(), &flags);
    assert_row("impossible_repository_name", &output);
}

#[test]
fn no_number() {
    for flag in ["--publicar", "--na-linha", "--check"] {
        let output = run(&World::new(), &["--base", "x", flag]);
        assert_row("no_number", &output);
    }
}

#[test]
fn impossible_api_address() {
    let mut world = World::new();
    world.set("AURUMCODE_GITHUB_API_URL", "github.example.com");
    assert_row("impossible_api_address", &review(&world, &[]));
}

#[test]
fn impossible_pause() {
    let mut world = World::new();
    world.set("AURUMCODE_GITHUB_PAUSE", "-1");
    assert_row("impossible_pause", &review(&world, &[]));
}
