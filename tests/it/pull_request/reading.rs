//! Permission comes first, the whole change second, and only then a model.

use insta::assert_snapshot;
use serde_json::json;
use wiremock::ResponseTemplate;

use super::hub::Hub;
use super::{DIFF, REVIEW, issue, three};
use crate::support::Outcome;

/// Runs a review that must not get as far as the model.
fn stopped(hub: &Hub) -> Outcome {
    let mut world = hub.world();
    world.answer_issues(&three());
    world.set("AURUMCODE_PROMPT_CAPTURE", world.path("capture"));
    let outcome = world.run(&[&REVIEW[..], &["--check"]].concat());
    assert!(!world.path("capture").exists(), "{outcome}");
    assert_eq!(hub.posted(), Vec::<serde_json::Value>::new());
    outcome
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_may_only_read_is_refused_before_anything_else() {
    let hub = Hub::new(DIFF).await;
    hub.read_only();
    assert_snapshot!(stopped(&hub), @r"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: refusing to publish to o/r: token lacks write permission on repository
    ");
    assert_snapshot!(hub.requests(), @r"GET /repos/o/r");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permission_that_cannot_be_asked_for() {
    let hub = Hub::new(DIFF).await;
    for answer in [
        ResponseTemplate::new(401).set_body_json(json!({"message": "Bad credentials"})),
        ResponseTemplate::new(500),
    ] {
        hub.script("GET /repos/o/r", answer);
    }
    let said = format!("{}{}", stopped(&hub), stopped(&hub));
    assert_snapshot!(said, @r#"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: checking write permission on o/r: HTTP 401: {"message":"Bad credentials"}
    exit 1
    -- stdout
    -- stderr
    aurumcode review: checking write permission on o/r: HTTP 500
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_diff_is_never_a_review() {
    let hub = Hub::new("<!DOCTYPE html><html><title>Sign in</title></html>").await;
    let mut said = stopped(&hub).to_string();
    hub.diff(r#"{"number": 7, "title": "a change"}"#);
    said += &stopped(&hub).to_string();
    hub.diff(DIFF.trim_end_matches("     pass\n"));
    said += &stopped(&hub).to_string();
    let gone = ResponseTemplate::new(404).set_body_json(json!({"message": "Not Found"}));
    hub.script("GET /repos/o/r/pulls/7", gone);
    said += &stopped(&hub).to_string();
    assert_snapshot!(said, @r#"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: fetching pull request diff: line 1 of the answer is no part of a diff: a web page titled Sign in
    exit 1
    -- stdout
    -- stderr
    aurumcode review: fetching pull request diff: line 1 of the answer is no part of a diff: {"number": 7, "title": "a change"}
    exit 1
    -- stdout
    -- stderr
    aurumcode review: fetching pull request diff: the diff ends in the middle of a file: diff --git a/app.py b/app.py index 1111111..2222222 100644 --- a/app.py +++ b/app.py @@ -1,3 +1,4 @@ import os +timeout = 1 def f():
    exit 1
    -- stdout
    -- stderr
    aurumcode review: fetching pull request diff: HTTP 404: {"message":"Not Found"}
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_diff_that_is_too_large_is_read_file_by_file() {
    let hub = Hub::new(DIFF).await;
    let page = |from: usize, to: usize| {
        let files = (from..to).map(|at| {
            json!({
                "filename": format!("f{at:03}.py"), "status": "modified", "additions": 1,
                "deletions": 1, "changes": 2, "sha": "x", "patch": "@@ -1 +1 @@\n-a\n+b",
            })
        });
        files.collect::<Vec<_>>()
    };
    hub.script("GET /repos/o/r/pulls/7", ResponseTemplate::new(406));
    hub.script(
        "GET /repos/o/r/pulls/7/files?per_page=100&page=1",
        ResponseTemplate::new(200).set_body_json(page(0, 100)),
    );
    let mut rest = page(100, 101);
    rest.push(json!({"filename": "pic.png", "status": "added", "additions": 0, "deletions": 0}));
    hub.script(
        "GET /repos/o/r/pulls/7/files?per_page=100&page=2",
        ResponseTemplate::new(200).set_body_json(rest),
    );
    let mut world = hub.world();
    world.answer_issues(&[issue("f100.py", 1, "info", "m")]);
    assert_snapshot!(world.run(&REVIEW), @r"
    exit 0
    -- stdout
    diff left out by the host, skipped: pic.png
    f100.py:1: [info] m (rule quality/magic-numbers: Magic Numbers) -- publicado na linha
    1 comentario(s) publicado(s) no pull request #7 (1 na linha, 0 geral).
    -- stderr
    aurumcode review: the diff of pull request #7 is too large for GitHub to send at once (HTTP 406); reading its files one by one
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn more_files_than_github_lists_are_no_whole_change() {
    let hub = Hub::new(DIFF).await;
    hub.head("c0ffee");
    hub.script("GET /repos/o/r/pulls/7", ResponseTemplate::new(406));
    let file = json!({"filename": "x", "status": "added", "additions": 0, "deletions": 0});
    for _ in 0..30 {
        hub.script(
            "GET /repos/o/r/pulls/7/files",
            ResponseTemplate::new(200).set_body_json(vec![file.clone(); 100]),
        );
    }
    assert_snapshot!(stopped(&hub), @r"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: the diff of pull request #7 is too large for GitHub to send at once (HTTP 406); reading its files one by one
    aurumcode review: fetching pull request diff: it changes 3001 files and GitHub lists only 3000 of them, so it cannot be reviewed whole; review it in a clone with --base
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_github_of_ones_own_is_found_without_its_path() {
    let hub = Hub::new(DIFF).await;
    hub.script(
        "GET /repos/o/r",
        ResponseTemplate::new(404).set_body_string("<html>"),
    );
    hub.script(
        "GET /api/v3/repos/o/r",
        ResponseTemplate::new(200).set_body_json(json!({"permissions": {"admin": true}})),
    );
    hub.script(
        "GET /api/v3/repos/o/r/pulls/7",
        ResponseTemplate::new(200).set_body_string(""),
    );
    let mut world = hub.world();
    world.answer_issues(&[]);
    assert_snapshot!(world.run(&REVIEW), @r"
    exit 0
    -- stdout
    No issues found.
    -- stderr
    ");
    assert_snapshot!(hub.requests(), @r"
    GET /repos/o/r
    GET /api/v3/repos/o/r
    GET /api/v3/repos/o/r/pulls/7
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_names_what_is_not_given() {
    let hub = Hub::new(DIFF).await;
    let mut world = hub.world();
    world.answer_issues(&three());
    let event = |value: serde_json::Value| {
        std::fs::write(world.path("event"), value.to_string()).unwrap();
    };
    event(json!({
        "pull_request": {"number": 7, "head": {"sha": "beef"}},
        "repository": {"full_name": "o/r"},
    }));
    let path = world.path("event");
    world.set("GITHUB_EVENT_PATH", &path);
    let outcome = world.run(&["review", "--publicar", "--na-linha"]);
    assert_snapshot!(outcome, @r"
    exit 0
    -- stdout
    app.py:2: [error] Name it. (rule quality/magic-numbers: Magic Numbers) -- publicado na linha
    app.py:3: [warning] Say what it does. (rule quality/magic-numbers: Magic Numbers) -- publicado como comentario geral (fora das linhas alteradas)
    other.py:5: [info] Look here too. (rule quality/magic-numbers: Magic Numbers) -- publicado como comentario geral (fora das linhas alteradas)
    3 comentario(s) publicado(s) no pull request #7 (1 na linha, 2 geral).
    -- stderr
    aurumcode review: taken from the event of GitHub Actions: --repo o/r, --pr 7, commit beef
    ");
    assert_eq!(hub.posted()[0]["commit_id"], "beef");

    // A job that a pull request did not start has another commit in its variables.
    std::fs::write(
        &path,
        r#"{"inputs": {}, "repository": {"full_name": "o/r"}}"#,
    )
    .unwrap();
    let refused = world.run(&["review", "--pr", "7", "--publicar", "--na-linha"]);
    assert_snapshot!(refused, @r"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: taken from the event of GitHub Actions: --repo o/r
    aurumcode review: app.py:2: [error] Name it. (rule quality/magic-numbers: Magic Numbers)
    aurumcode review: app.py:3: [warning] Say what it does. (rule quality/magic-numbers: Magic Numbers)
    aurumcode review: other.py:5: [info] Look here too. (rule quality/magic-numbers: Magic Numbers)
    aurumcode review: refusing to publish: an inline comment requires a commit SHA and none is available; set GITHUB_SHA
    ");
    hub.head("f00d");
    world.answer_issues(&[issue("app.py", 2, "info", "Another.")]);
    hub.posted();
    world.run(&["review", "--pr", "7", "--publicar", "--na-linha"]);
    assert_eq!(hub.posted()[0]["commit_id"], "f00d");
}
