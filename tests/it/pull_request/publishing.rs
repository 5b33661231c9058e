//! Each finding is published where it belongs, once, and none is lost.

use insta::assert_snapshot;
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

use super::hub::Hub;
use super::{DIFF, REVIEW, issue, three};

const INLINE: &str = "POST /repos/o/r/pulls/7/comments";
const GENERAL: &str = "POST /repos/o/r/issues/7/comments";

fn with<'a>(flags: &[&'a str]) -> Vec<&'a str> {
    [&REVIEW[..], flags].concat()
}

/// Returns the bodies as text, the digests of the marks left out.
fn shown(posted: &[Value]) -> String {
    let mut text = String::new();
    for body in posted {
        text += &serde_json::to_string_pretty(body).unwrap();
        text.push('\n');
    }
    let mut shown = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("finding:v1:") {
        shown = shown + before + "finding:v1:<digest>";
        rest = &after[64..];
    }
    shown + rest
}

#[tokio::test(flavor = "multi_thread")]
async fn each_finding_goes_where_it_belongs_and_once() {
    let hub = Hub::new(DIFF).await;
    let mut world = hub.world();
    world.answer_issues(&three());
    assert_snapshot!(world.run(&REVIEW), @"");
    assert_snapshot!(hub.requests(), @"");
    assert_snapshot!(shown(&hub.posted()), @"");

    // The line moved, and its number is another one.
    hub.diff(
        &DIFF
            .replace("+timeout", "+import sys\n+timeout")
            .replace("+1,4", "+1,5"),
    );
    world.answer_issues(&[issue("app.py", 3, "error", "Name it."), three()[2].clone()]);
    assert_snapshot!(world.run(&REVIEW), @"");
    assert_eq!(hub.posted(), Vec::<Value>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_words_about_two_lines_are_two_comments() {
    let hub = Hub::new(
        &DIFF
            .replace("+timeout = 1", "+a\n+a")
            .replace("+1,4", "+1,5"),
    )
    .await;
    let mut world = hub.world();
    world.answer_issues(&[
        issue("app.py", 2, "info", "Twice."),
        issue("app.py", 3, "info", "Twice."),
    ]);
    world.run(&REVIEW);
    assert_eq!(hub.posted().len(), 2);
    world.run(&REVIEW);
    assert_eq!(hub.posted().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_closes_the_gate_until_the_error_is_gone() {
    let hub = Hub::new(DIFF).await;
    let mut world = hub.world();
    world.answer_issues(&three()[..1]);
    let flags = [
        "review",
        "--pr",
        "7",
        "--repo",
        "o/r",
        "--publicar",
        "--check",
    ];
    assert_snapshot!(world.run(&flags), @"");
    assert_snapshot!(shown(&hub.posted()), @"");
    world.answer_issues(&[]);
    assert_snapshot!(world.run(&flags), @"");
    assert_snapshot!(shown(&hub.posted()), @"");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_status_that_is_not_there_is_a_failure() {
    let hub = Hub::new(DIFF).await;
    let mut world = hub.world();
    world.answer_issues(&[]);
    let forbidden = ResponseTemplate::new(403).set_body_json(json!({"message": "no"}));
    hub.script("POST /repos/o/r/statuses/c0ffee", forbidden);
    assert_snapshot!(world.run(&with(&["--check"])), @"");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_security_pass_and_the_gate_take_part() {
    let hub = Hub::new(&DIFF.replace("timeout = 1", "os.system('ls ' + name)")).await;
    let mut world = hub.world();
    world.answer_issues(&three()[1..]);
    let flags = with(&["--seguranca", "--fail-on", "high"]);
    assert_snapshot!(world.run(&flags), @"");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_posted_while_the_commit_is_not_known() {
    let hub = Hub::new(DIFF).await;
    let mut world = hub.world();
    world.set("GITHUB_SHA", "");
    world.answer_issues(&three());
    assert_snapshot!(world.run(&REVIEW), @"");
    assert_eq!(hub.posted(), Vec::<Value>::new());
    world.answer_issues(&[]);
    assert_eq!(world.run(&with(&["--check"])).code, Some(1));
    assert_eq!(world.run(&REVIEW).code, Some(0));
    // No inline comment, so no commit is needed.
    world.answer_issues(&three()[2..]);
    assert_eq!(world.run(&REVIEW).code, Some(0));
    assert_eq!(hub.posted().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_github_does_not_take_becomes_a_general_comment() {
    let hub = Hub::new(DIFF).await;
    let mut world = hub.world();
    world.answer_issues(&[
        issue("app.py", 2, "info", "First."),
        issue("app.py", 2, "info", "Second."),
    ]);
    let refusal = json!({"message": "Validation Failed"});
    hub.script(INLINE, ResponseTemplate::new(422).set_body_json(refusal));
    assert_snapshot!(world.run(&REVIEW), @"");
    assert_snapshot!(shown(&hub.posted()), @"");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_is_said_and_the_rest_goes_on() {
    let hub = Hub::new(DIFF).await;
    let mut world = hub.world();
    world.answer_issues(&three());
    let forbidden = || ResponseTemplate::new(403).set_body_json(json!({"message": "no"}));
    hub.script(INLINE, forbidden());
    hub.script(GENERAL, forbidden());
    // Exit 1 wins over the gate.
    assert_snapshot!(world.run(&with(&["--fail-on", "info"])), @"");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_comment_is_sent_again_only_when_it_is_not_there() {
    let hub = Hub::new(DIFF).await;
    let mut world = hub.world();
    world.answer_issues(&[three()[0].clone(), three()[2].clone()]);
    hub.script_done(INLINE, ResponseTemplate::new(502));
    hub.script(GENERAL, ResponseTemplate::new(502));
    assert_snapshot!(world.run(&REVIEW), @"");
    assert_snapshot!(hub.requests(), @"");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_list_nothing_is_sent_twice() {
    let hub = Hub::new(DIFF).await;
    let mut world = hub.world();
    world.answer_issues(&three()[..1]);
    for _ in 0..3 {
        hub.script(
            "GET /repos/o/r/pulls/7/comments",
            ResponseTemplate::new(404),
        );
        hub.script(
            "GET /repos/o/r/issues/7/comments",
            ResponseTemplate::new(404),
        );
    }
    hub.script(INLINE, ResponseTemplate::new(500));
    assert_snapshot!(world.run(&REVIEW), @"");
    assert_eq!(hub.posted().len(), 1);
    assert_eq!(world.run(&REVIEW).code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_is_waited_for_within_bounds() {
    let hub = Hub::new(DIFF).await;
    let mut world = hub.world();
    world.answer_issues(&three()[..1]);
    let limited = |wait: &str| {
        ResponseTemplate::new(403)
            .insert_header("retry-after", wait)
            .set_body_json(json!({"message": "You have exceeded a secondary rate limit."}))
    };
    hub.script(INLINE, limited("0"));
    assert_snapshot!(world.run(&REVIEW), @"");
    world.answer_issues(&[issue("app.py", 2, "info", "Another.")]);
    hub.script(INLINE, limited("3600"));
    assert_snapshot!(world.run(&REVIEW), @"");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_moved_is_said() {
    let hub = Hub::new(DIFF).await;
    hub.head("dead");
    let mut world = hub.world();
    world.answer_issues(&three()[..1]);
    assert_snapshot!(world.run(&REVIEW), @"");
    assert_eq!(hub.posted()[0]["commit_id"], "c0ffee");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_models_words_have_no_effect() {
    let hub = Hub::new(DIFF).await;
    let mut world = hub.world();
    let mut finding = issue(
        "app.py",
        2,
        "info",
        "@team fixes #1 <img src=x> ![x](http://h/x) <!-- ::error::x",
    );
    finding["suggestion"] = json!("timeout = 2");
    world.answer_issues(&[finding]);
    assert_snapshot!(world.run(&REVIEW), @"");
    let posted = hub.posted();
    let body = posted[0]["body"].as_str().unwrap();
    let (text, _) = body.rsplit_once("\n\n<!-- aurumcode:finding:v1:").unwrap();
    assert_snapshot!(text.replace('\u{200b}', "|"), @"");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_incomplete_review_publishes_nothing() {
    let hub = Hub::new(DIFF).await;
    let mut world = hub.world();
    world.answer("no idea");
    assert_snapshot!(world.run(&with(&["--check"])), @"");
    assert_eq!(hub.posted(), Vec::<Value>::new());
}
