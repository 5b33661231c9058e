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
    assert_snapshot!(world.run(&REVIEW), @r"
    exit 0
    -- stdout
    app.py:2: [error] Name it. (rule quality/magic-numbers: Magic Numbers) -- publicado na linha
    app.py:3: [warning] Say what it does. (rule quality/magic-numbers: Magic Numbers) -- publicado como comentario geral (fora das linhas alteradas)
    other.py:5: [info] Look here too. (rule quality/magic-numbers: Magic Numbers) -- publicado como comentario geral (fora das linhas alteradas)
    3 comentario(s) publicado(s) no pull request #7 (1 na linha, 2 geral).
    -- stderr
    ");
    assert_snapshot!(hub.requests(), @r"
    GET /repos/o/r
    GET /repos/o/r/pulls/7
    GET /repos/o/r/pulls/7
    GET /repos/o/r/pulls/7/comments?per_page=100&page=1
    GET /repos/o/r/issues/7/comments?per_page=100&page=1
    POST /repos/o/r/pulls/7/comments
    POST /repos/o/r/issues/7/comments
    POST /repos/o/r/issues/7/comments
    GET /repos/o/r/pulls/7/comments?per_page=100&page=1
    GET /repos/o/r/issues/7/comments?per_page=100&page=1
    ");
    assert_snapshot!(shown(&hub.posted()), @r#"
    {
      "body": "[error] Name it. (rule quality/magic-numbers: Magic Numbers)\n\n<!-- aurumcode:finding:v1:<digest> -->",
      "commit_id": "c0ffee",
      "line": 2,
      "path": "app.py"
    }
    {
      "body": "app.py:3: [warning] Say what it does. (rule quality/magic-numbers: Magic Numbers)\n\n<!-- aurumcode:finding:v1:<digest> -->"
    }
    {
      "body": "other.py:5: [info] Look here too. (rule quality/magic-numbers: Magic Numbers)\n\n<!-- aurumcode:finding:v1:<digest> -->"
    }
    "#);

    // The line moved, and its number is another one.
    hub.diff(
        &DIFF
            .replace("+timeout", "+import sys\n+timeout")
            .replace("+1,4", "+1,5"),
    );
    world.answer_issues(&[issue("app.py", 3, "error", "Name it."), three()[2].clone()]);
    assert_snapshot!(world.run(&REVIEW), @r"
    exit 0
    -- stdout
    app.py:3: [error] Name it. (rule quality/magic-numbers: Magic Numbers) -- ja estava no pull request
    other.py:5: [info] Look here too. (rule quality/magic-numbers: Magic Numbers) -- ja estava no pull request
    0 comentario(s) publicado(s) no pull request #7 (0 na linha, 0 geral).
    -- stderr
    aurumcode review: 2 finding(s) were on pull request #7 already and are not repeated
    ");
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
    assert_snapshot!(world.run(&flags), @r#"
    exit 3
    -- stdout
    app.py:2: [error] Name it. (rule quality/magic-numbers: Magic Numbers) -- publicado na linha
    1 comentario(s) publicado(s) no pull request #7 (1 na linha, 0 geral).
    check "aurumcode/review" publicado no commit c0ffee: failure (1 achado(s) grave(s) no pull request #7)
    -- stderr
    "#);
    assert_snapshot!(shown(&hub.posted()), @r#"
    {
      "body": "[error] Name it. (rule quality/magic-numbers: Magic Numbers)\n\n<!-- aurumcode:finding:v1:<digest> -->",
      "commit_id": "c0ffee",
      "line": 2,
      "path": "app.py"
    }
    {
      "context": "aurumcode/review",
      "description": "1 achado(s) grave(s) no pull request #7",
      "state": "failure"
    }
    "#);
    world.answer_issues(&[]);
    assert_snapshot!(world.run(&flags), @r#"
    exit 0
    -- stdout
    No issues found.
    check "aurumcode/review" publicado no commit c0ffee: success (nenhum achado grave no pull request #7)
    -- stderr
    "#);
    assert_snapshot!(shown(&hub.posted()), @r#"
    {
      "context": "aurumcode/review",
      "description": "nenhum achado grave no pull request #7",
      "state": "success"
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_status_that_is_not_there_is_a_failure() {
    let hub = Hub::new(DIFF).await;
    let mut world = hub.world();
    world.answer_issues(&[]);
    let forbidden = ResponseTemplate::new(403).set_body_json(json!({"message": "no"}));
    hub.script("POST /repos/o/r/statuses/c0ffee", forbidden);
    assert_snapshot!(world.run(&with(&["--check"])), @r#"
    exit 1
    -- stdout
    No issues found.
    -- stderr
    aurumcode review: publishing check status: HTTP 403: {"message":"no"}
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_security_pass_and_the_gate_take_part() {
    let hub = Hub::new(&DIFF.replace("timeout = 1", "os.system('ls ' + name)")).await;
    let mut world = hub.world();
    world.answer_issues(&three()[1..]);
    let flags = with(&["--seguranca", "--fail-on", "high"]);
    assert_snapshot!(world.run(&flags), @r"
    exit 3
    -- stdout
    app.py:2: [error] Potential command injection vulnerability [standards/security-review SCR-001] (rule security/command-injection: Command Injection) -- publicado na linha
    app.py:3: [warning] Say what it does. (rule quality/magic-numbers: Magic Numbers) -- publicado como comentario geral (fora das linhas alteradas)
    other.py:5: [info] Look here too. (rule quality/magic-numbers: Magic Numbers) -- publicado como comentario geral (fora das linhas alteradas)
    3 comentario(s) publicado(s) no pull request #7 (1 na linha, 2 geral).
    -- stderr
    aurumcode review: security pass applied 7 of 8 security rules (security/command-injection, security/hardcoded-secret, security/insecure-random, security/path-traversal, security/sql-injection, security/weak-crypto, security/xss); 'aurumcode rules' prints the whole catalog
    aurumcode review: 1 finding(s) at severity error or above (--fail-on error)
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_posted_while_the_commit_is_not_known() {
    let hub = Hub::new(DIFF).await;
    let mut world = hub.world();
    world.set("GITHUB_SHA", "");
    world.answer_issues(&three());
    assert_snapshot!(world.run(&REVIEW), @r"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: app.py:2: [error] Name it. (rule quality/magic-numbers: Magic Numbers)
    aurumcode review: app.py:3: [warning] Say what it does. (rule quality/magic-numbers: Magic Numbers)
    aurumcode review: other.py:5: [info] Look here too. (rule quality/magic-numbers: Magic Numbers)
    aurumcode review: refusing to publish: an inline comment requires a commit SHA and none is available; set GITHUB_SHA
    ");
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
    assert_snapshot!(world.run(&REVIEW), @r#"
    exit 0
    -- stdout
    app.py:2: [info] First. (rule quality/magic-numbers: Magic Numbers) -- publicado como comentario geral (fora das linhas alteradas)
    app.py:2: [info] Second. (rule quality/magic-numbers: Magic Numbers) -- publicado na linha
    2 comentario(s) publicado(s) no pull request #7 (1 na linha, 1 geral).
    -- stderr
    aurumcode review: GitHub does not take a comment on the line app.py:2 (HTTP 422: {"message":"Validation Failed"}); it becomes a general comment
    "#);
    assert_snapshot!(shown(&hub.posted()), @r#"
    {
      "body": "[info] First. (rule quality/magic-numbers: Magic Numbers)\n\n<!-- aurumcode:finding:v1:<digest> -->",
      "commit_id": "c0ffee",
      "line": 2,
      "path": "app.py"
    }
    {
      "body": "app.py:2: [info] First. (rule quality/magic-numbers: Magic Numbers)\n\n<!-- aurumcode:finding:v1:<digest> -->"
    }
    {
      "body": "[info] Second. (rule quality/magic-numbers: Magic Numbers)\n\n<!-- aurumcode:finding:v1:<digest> -->",
      "commit_id": "c0ffee",
      "line": 2,
      "path": "app.py"
    }
    "#);
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
    assert_snapshot!(world.run(&with(&["--fail-on", "info"])), @r#"
    exit 1
    -- stdout
    app.py:2: [error] Name it. (rule quality/magic-numbers: Magic Numbers)
    app.py:3: [warning] Say what it does. (rule quality/magic-numbers: Magic Numbers)
    other.py:5: [info] Look here too. (rule quality/magic-numbers: Magic Numbers) -- publicado como comentario geral (fora das linhas alteradas)
    1 comentario(s) publicado(s) no pull request #7 (0 na linha, 1 geral).
    -- stderr
    aurumcode review: publishing inline comment on app.py:2: HTTP 403: {"message":"no"}
    aurumcode review: publishing general comment for app.py:3: HTTP 403: {"message":"no"}
    aurumcode review: 2 comentario(s) falharam ao publicar:
      app.py:2 (na linha): HTTP 403: {"message":"no"}
      app.py:3 (geral): HTTP 403: {"message":"no"}
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_comment_is_sent_again_only_when_it_is_not_there() {
    let hub = Hub::new(DIFF).await;
    let mut world = hub.world();
    world.answer_issues(&[three()[0].clone(), three()[2].clone()]);
    hub.script_done(INLINE, ResponseTemplate::new(502));
    hub.script(GENERAL, ResponseTemplate::new(502));
    assert_snapshot!(world.run(&REVIEW), @r"
    exit 0
    -- stdout
    app.py:2: [error] Name it. (rule quality/magic-numbers: Magic Numbers) -- publicado na linha
    other.py:5: [info] Look here too. (rule quality/magic-numbers: Magic Numbers) -- publicado como comentario geral (fora das linhas alteradas)
    2 comentario(s) publicado(s) no pull request #7 (1 na linha, 1 geral).
    -- stderr
    ");
    assert_snapshot!(hub.requests(), @r"
    GET /repos/o/r
    GET /repos/o/r/pulls/7
    GET /repos/o/r/pulls/7
    GET /repos/o/r/pulls/7/comments?per_page=100&page=1
    GET /repos/o/r/issues/7/comments?per_page=100&page=1
    POST /repos/o/r/pulls/7/comments
    GET /repos/o/r/pulls/7/comments?per_page=100&page=1
    POST /repos/o/r/issues/7/comments
    GET /repos/o/r/issues/7/comments?per_page=100&page=1
    POST /repos/o/r/issues/7/comments
    GET /repos/o/r/pulls/7/comments?per_page=100&page=1
    GET /repos/o/r/issues/7/comments?per_page=100&page=1
    ");
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
    assert_snapshot!(world.run(&REVIEW), @r"
    exit 1
    -- stdout
    app.py:2: [error] Name it. (rule quality/magic-numbers: Magic Numbers)
    0 comentario(s) publicado(s) no pull request #7 (0 na linha, 0 geral).
    -- stderr
    aurumcode review: the comments of pull request #7 cannot be read (HTTP 404); what an earlier run published may be published again
    aurumcode review: the comments of pull request #7 cannot be read (HTTP 404); what an earlier run published may be published again
    aurumcode review: publishing inline comment on app.py:2: HTTP 500
    aurumcode review: 1 comentario(s) falharam ao publicar:
      app.py:2 (na linha): HTTP 500
    ");
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
    assert_snapshot!(world.run(&REVIEW), @r"
    exit 0
    -- stdout
    app.py:2: [error] Name it. (rule quality/magic-numbers: Magic Numbers) -- publicado na linha
    1 comentario(s) publicado(s) no pull request #7 (1 na linha, 0 geral).
    -- stderr
    aurumcode review: GitHub limits the requests of this token; waiting 0 s
    ");
    world.answer_issues(&[issue("app.py", 2, "info", "Another.")]);
    hub.script(INLINE, limited("3600"));
    assert_snapshot!(world.run(&REVIEW), @r"
    exit 1
    -- stdout
    app.py:2: [info] Another. (rule quality/magic-numbers: Magic Numbers)
    0 comentario(s) publicado(s) no pull request #7 (0 na linha, 0 geral).
    -- stderr
    aurumcode review: publishing inline comment on app.py:2: GitHub limits the requests of this token and asks to wait 3600 s, longer than a run waits in all (900 s); run again later
    aurumcode review: 1 comentario(s) falharam ao publicar:
      app.py:2 (na linha): GitHub limits the requests of this token and asks to wait 3600 s, longer than a run waits in all (900 s); run again later
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_moved_is_said() {
    let hub = Hub::new(DIFF).await;
    hub.head("dead");
    let mut world = hub.world();
    world.answer_issues(&three()[..1]);
    assert_snapshot!(world.run(&REVIEW), @r"
    exit 0
    -- stdout
    app.py:2: [error] Name it. (rule quality/magic-numbers: Magic Numbers) -- publicado na linha
    1 comentario(s) publicado(s) no pull request #7 (1 na linha, 0 geral).
    -- stderr
    aurumcode review: the head of pull request #7 is now dead; what is published belongs to c0ffee
    ");
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
    assert_snapshot!(world.run(&REVIEW), @r"
    exit 0
    -- stdout
    app.py:2: [info] @team fixes #1 <img src=x> ![x](http://h/x) <!-- ::error::x (rule quality/magic-numbers: Magic Numbers) -- publicado na linha
    1 comentario(s) publicado(s) no pull request #7 (1 na linha, 0 geral).
    -- stderr
    ");
    let posted = hub.posted();
    let body = posted[0]["body"].as_str().unwrap();
    let (text, _) = body.rsplit_once("\n\n<!-- aurumcode:finding:v1:").unwrap();
    assert_snapshot!(text.replace('\u{200b}', "|"), @r"
    [info] @|team fixes #|1 <|img src=x> !|[x]|(http://h/x) <|!-- ::error::x (rule quality/magic-numbers: Magic Numbers)

    ```suggestion
    timeout = 2
    ```
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_incomplete_review_publishes_nothing() {
    let hub = Hub::new(DIFF).await;
    let mut world = hub.world();
    world.answer("no idea");
    assert_snapshot!(world.run(&with(&["--check"])), @r"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: could not understand the model's response (no_json_found)
    ");
    assert_eq!(hub.posted(), Vec::<Value>::new());
}
