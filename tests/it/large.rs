//! Changes that take several calls: every changed line arrives or is named.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use insta::assert_snapshot;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use wiremock::ResponseTemplate;

use crate::support::{Endpoint, Outcome, Repository, World, completion, cut, finding};

/// Far more than anything here takes.
const LIMIT: Duration = Duration::from_secs(30);

const REVIEW: [&str; 3] = ["review", "--base", "base"];

/// Returns lines that stand nowhere else.
fn marked(file: usize, lines: usize) -> String {
    let mut text = String::new();
    for line in 0..lines {
        writeln!(text, "marker-{file}-{line}-end").unwrap();
    }
    text
}

/// Counts each marker in the added lines of everything that was sent and answered with a review.
fn arrived<'a>(materials: impl IntoIterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for line in materials.into_iter().flat_map(str::lines) {
        if let Some((_, marker)) = line
            .split_once('+')
            .filter(|(_, text)| text.starts_with("marker-"))
        {
            *counts.entry(marker).or_default() += 1;
        }
    }
    counts
}

/// Makes files that have a call of their own each.
fn world_of_calls(files: usize) -> World {
    let mut world = World::new();
    let large = "a line of a file that has a call of its own\n".repeat(450);
    let paths: Vec<String> = (1..=files).map(|number| format!("{number}.txt")).collect();
    let files: Vec<_> = paths
        .iter()
        .map(|path| (path.as_str(), "", large.as_str()))
        .collect();
    Repository::with_change(&world, &files);
    world.set("AURUMCODE_CONTEXT_TOKENS", "16000");
    let cache = world.path("cache");
    world.set("AURUMCODE_CACHE_DIR", cache);
    world
}

fn findings(files: impl IntoIterator<Item = usize>) -> String {
    files
        .into_iter()
        .map(|number| finding(&format!("{number}.txt")))
        .collect()
}

#[test]
fn every_line_of_three_hundred_files_arrives_in_one_call() {
    let endpoint = Endpoint::reviewing();
    let mut world = World::new();
    endpoint.serve(&mut world);
    let repository = Repository::new(&world);
    let path = |file: usize| format!("{}/{file:03}.txt", file % 7);
    let old: String = (0..200).fold(String::new(), |text, line| text + &format!("old {line}\n"));
    for file in 0..300 {
        repository.write(&path(file), &old);
    }
    repository.commit("base");
    repository.git(&["tag", "base"]);
    for file in 0..300 {
        repository.write(&path(file), marked(file, 200));
    }
    repository.commit("change");

    let outcome = world.run(&REVIEW);
    let mut paths: Vec<String> = (0..300).map(path).collect();
    paths.sort();
    let stdout: String = paths.iter().map(|path| finding(path)).collect();
    assert_eq!(outcome, Outcome::expected(0, &stdout, ""));
    let calls = endpoint.calls();
    assert_eq!(calls.len(), 1);
    let counts = arrived(calls.iter().map(|call| call.material()));
    assert_eq!(counts.len(), 300 * 200);
    assert!(counts.values().all(|count| *count == 1));
}

/// The endpoint has a window of 8000 tokens and says so only when it is passed. One file alone is
/// larger than that.
#[test]
fn a_window_that_is_not_told_beforehand_loses_nothing() {
    let fits = |bytes: u64| bytes / 4 <= 8000;
    let endpoint = Endpoint::new(move |call| {
        if fits(call.prompt_bytes()) {
            return completion(&call.review(), None);
        }
        let tokens = call.prompt_bytes() / 4;
        ResponseTemplate::new(400).set_body_json(json!({"error": {
            "message": format!("This model's maximum context length is 8000 tokens. However, your messages resulted in {tokens} tokens. Please reduce the length of the messages."),
            "type": "invalid_request_error", "param": "messages", "code": "context_length_exceeded",
        }}))
    });
    let mut world = World::new();
    endpoint.serve(&mut world);
    let cache = world.path("cache");
    world.set("AURUMCODE_CACHE_DIR", cache);
    let between = "what has not changed\n".repeat(25);
    let mut old = String::new();
    let mut new = String::new();
    for place in 0..40 {
        old.push_str(&between);
        new.push_str(&between);
        old.push_str("old\n");
        new.push_str(&marked(1000 + place, 10));
    }
    let small: Vec<String> = (0..30).map(|file| marked(file, 100)).collect();
    let paths: Vec<String> = (0..30).map(|file| format!("{file}.txt")).collect();
    let mut files: Vec<_> = paths
        .iter()
        .zip(&small)
        .map(|(path, new)| (path.as_str(), "old\n", new.as_str()))
        .collect();
    files.push(("large.txt", &old, &new));
    Repository::with_change(&world, &files);

    let outcome = world.run(&REVIEW);
    let mut names: Vec<&str> = files.iter().map(|(path, _, _)| *path).collect();
    names.sort_unstable();
    let stdout: String = names.into_iter().map(finding).collect();
    assert_eq!(outcome, Outcome::expected(0, &stdout, ""));
    let calls = endpoint.calls();
    let answered = calls.iter().filter(|call| fits(call.prompt_bytes()));
    let of_large = answered
        .clone()
        .filter(|call| call.files().contains(&"large.txt".to_owned()));
    assert!(of_large.count() > 1);
    let counts = arrived(answered.map(|call| call.material()));
    assert_eq!(counts.len(), 30 * 100 + 40 * 10);
    assert!(counts.values().all(|count| *count == 1), "{counts:?}");
    // What was learnt by refusals is not paid for again and again.
    let refused = calls
        .iter()
        .filter(|call| !fits(call.prompt_bytes()))
        .count();
    assert!(refused <= 2, "{refused}");
    endpoint.sent();
    assert_eq!(world.run(&REVIEW).stdout, stdout);
    assert!(endpoint.sent().is_empty());
}

#[test]
fn an_endpoint_that_fails_every_third_call() {
    let healed = Arc::new(AtomicBool::new(false));
    let endpoint = {
        let healed = Arc::clone(&healed);
        Endpoint::new(move |call| {
            if call.number.is_multiple_of(3) && !healed.load(Ordering::Relaxed) {
                return ResponseTemplate::new(500)
                    .set_body_json(json!({"error": {"message": "oh no"}}));
            }
            completion(&call.review(), None)
        })
    };
    let mut world = world_of_calls(7);
    endpoint.serve(&mut world);
    world.set("AURUMCODE_RETRY_ATTEMPTS", "1");
    let arguments = [
        &REVIEW[..],
        &["--fail-on", "low", "--concurrent-calls", "1"],
    ]
    .concat();
    let outcome = world.run(&arguments).with(&endpoint.url(), "<endpoint>");
    assert_snapshot!(outcome, @r"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: not reviewed: 3.txt: the endpoint <endpoint> is overloaded or failing (HTTP 500); the server says: oh no
    aurumcode review: not reviewed: 6.txt: the endpoint <endpoint> is overloaded or failing (HTTP 500); the server says: oh no
    aurumcode review: incomplete: 5 of 7 file(s) reviewed
    aurumcode review: 1.txt:1: [warning] Something about 1.txt. (rule quality/dead-code: Dead Code)
    aurumcode review: 2.txt:1: [warning] Something about 2.txt. (rule quality/dead-code: Dead Code)
    aurumcode review: 4.txt:1: [warning] Something about 4.txt. (rule quality/dead-code: Dead Code)
    aurumcode review: 5.txt:1: [warning] Something about 5.txt. (rule quality/dead-code: Dead Code)
    aurumcode review: 7.txt:1: [warning] Something about 7.txt. (rule quality/dead-code: Dead Code)
    aurumcode review: the endpoint <endpoint> is overloaded or failing (HTTP 500); the server says: oh no
    ");
    assert_eq!(
        endpoint.sent(),
        ["1", "2", "3", "4", "5", "6", "7"].map(|name| [format!("{name}.txt")])
    );

    healed.store(true, Ordering::Relaxed);
    let rest = world.run(&arguments);
    let stderr = "aurumcode review: reused 5 file(s) from cache (not resent to the model)\n\
                  aurumcode review: 7 finding(s) at severity info or above (--fail-on info)\n";
    assert_eq!(rest, Outcome::expected(3, &findings(1..=7), stderr));
    assert_eq!(endpoint.sent(), [["3.txt"], ["6.txt"]]);
}

#[test]
fn a_cut_answer_is_asked_for_in_halves() {
    let endpoint = Endpoint::new(|call| {
        let files = call.files();
        if files.len() > 1 || files == ["c.txt"] {
            cut()
        } else {
            completion(&call.review(), None)
        }
    });
    let mut world = World::new();
    endpoint.serve(&mut world);
    let files = ["a.txt", "b.txt", "c.txt", "d.txt"].map(|path| (path, "", "new\n"));
    Repository::with_change(&world, &files);
    let outcome = world.run(&[&REVIEW[..], &["--concurrent-calls", "1"]].concat());
    assert_snapshot!(outcome, @r"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: not reviewed: c.txt: could not understand the model's response (truncated): the answer was cut at 5 tokens
    aurumcode review: incomplete: 3 of 4 file(s) reviewed
    aurumcode review: a.txt:1: [warning] Something about a.txt. (rule quality/dead-code: Dead Code)
    aurumcode review: b.txt:1: [warning] Something about b.txt. (rule quality/dead-code: Dead Code)
    aurumcode review: d.txt:1: [warning] Something about d.txt. (rule quality/dead-code: Dead Code)
    aurumcode review: could not understand the model's response (truncated): the answer was cut at 5 tokens
    ");
    let sent = endpoint.sent();
    let sent: Vec<String> = sent
        .into_iter()
        .map(|files| files.concat().replace(".txt", ""))
        .collect();
    assert_eq!(sent, ["abcd", "ab", "cd", "a", "b", "c", "d"]);
}

#[test]
fn what_is_excluded_is_named_and_not_paid_for() {
    let endpoint = Endpoint::reviewing();
    let mut world = World::new();
    endpoint.serve(&mut world);
    let files =
        ["a.txt", "vendor/b.txt", "vendor/deep/c.txt", "d.lock"].map(|path| (path, "", "new\n"));
    Repository::with_change(&world, &files);
    let outcome = world.run(
        &[
            &REVIEW[..],
            &["--exclude", "vendor/", "--exclude", "*.lock"],
        ]
        .concat(),
    );
    assert_snapshot!(outcome, @r"
    exit 0
    -- stdout
    excluded, skipped: d.lock (--exclude *.lock)
    excluded, skipped: vendor/b.txt (--exclude vendor/)
    excluded, skipped: vendor/deep/c.txt (--exclude vendor/)
    a.txt:1: [warning] Something about a.txt. (rule quality/dead-code: Dead Code)
    -- stderr
    ");
    assert_eq!(endpoint.sent(), [["a.txt"]]);
}

/// Whatever ends the run keeps what was paid for, and nothing else.
#[test]
fn a_run_that_is_told_to_end_keeps_what_it_has_paid_for() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let (waits, waiting) = mpsc::channel();
        let endpoint = Endpoint::new(move |call| {
            let answer = completion(&call.review(), None);
            if call.number == 2 {
                waits.send(()).unwrap();
                return answer.set_delay(2 * LIMIT);
            }
            answer
        });
        let mut world = world_of_calls(3);
        endpoint.serve(&mut world);
        let arguments = [&REVIEW[..], &["--concurrent-calls", "1"]].concat();
        let mut child = world.aurumcode(&arguments).spawn().unwrap();
        waiting.recv_timeout(LIMIT).unwrap();
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code));
        assert_eq!(world.names("cache").len(), 1);
        assert_eq!(world.names("tmp"), [""; 0]);
        endpoint.sent();
        let stderr = "aurumcode review: reused 1 file(s) from cache (not resent to the model)\n";
        assert_eq!(
            world.run(&arguments),
            Outcome::expected(0, &findings(1..=3), stderr)
        );
        assert_eq!(endpoint.sent(), [["2.txt"], ["3.txt"]]);
    }
}

#[test]
fn the_same_bytes_whatever_finishes_first() {
    let round = Arc::new(AtomicU64::new(0));
    let endpoint = {
        let round = Arc::clone(&round);
        Endpoint::new(move |call| {
            let file: u64 = call.files()[0].trim_end_matches(".txt").parse().unwrap();
            // In the first round the last file is answered first, in the others they are mixed.
            let millis = match round.load(Ordering::Relaxed) {
                0 => 400 - 60 * file,
                round => (file * 7919 + round * 104_729) % 97,
            };
            let answer = json!({"issues": [
                {"file": "elsewhere.txt", "line": 1, "severity": "info", "rule_id": "quality/dead-code", "message": format!("Seen from {file}.")},
                {"file": call.files()[0], "line": 2, "severity": "info", "rule_id": format!("made/up-{file}"), "message": "m"},
                {"file": call.files()[0], "line": 2, "severity": "info", "rule_id": "quality/dead-code", "message": "m"},
            ]});
            completion(&answer.to_string(), Some((6000, 10 * file)))
                .set_delay(Duration::from_millis(millis))
        })
    };
    let mut world = world_of_calls(6);
    endpoint.serve(&mut world);
    world.set("AURUMCODE_LLM_INPUT_USD_PER_1K", "0.01");
    world.set("AURUMCODE_LLM_OUTPUT_USD_PER_1K", "0.03");
    let mut outcomes = Vec::new();
    for number in 0..4 {
        round.store(number, Ordering::Relaxed);
        let calls = if number == 3 { "1" } else { "6" };
        let arguments = ["--no-cache", "--limite", "9", "--concurrent-calls", calls];
        outcomes.push(world.run(&[&REVIEW[..], &arguments].concat()));
    }
    assert_snapshot!(outcomes[0], @r"
    exit 0
    -- stdout
    1.txt:2: [info] m (rule quality/dead-code: Dead Code)
    2.txt:2: [info] m (rule quality/dead-code: Dead Code)
    3.txt:2: [info] m (rule quality/dead-code: Dead Code)
    4.txt:2: [info] m (rule quality/dead-code: Dead Code)
    5.txt:2: [info] m (rule quality/dead-code: Dead Code)
    6.txt:2: [info] m (rule quality/dead-code: Dead Code)
    elsewhere.txt:1: [info] Seen from 1. (rule quality/dead-code: Dead Code)
    elsewhere.txt:1: [info] Seen from 2. (rule quality/dead-code: Dead Code)
    elsewhere.txt:1: [info] Seen from 3. (rule quality/dead-code: Dead Code)
    elsewhere.txt:1: [info] Seen from 4. (rule quality/dead-code: Dead Code)
    elsewhere.txt:1: [info] Seen from 5. (rule quality/dead-code: Dead Code)
    elsewhere.txt:1: [info] Seen from 6. (rule quality/dead-code: Dead Code)
    -- stderr
    aurumcode review: estimated cost $0.8438, diff-only pre-flight (--limite $9.0000)
    aurumcode review: 6 finding(s) discarded: 6 citing an unknown rule_id (made/up-1, made/up-2, made/up-3, made/up-4, made/up-5, made/up-6)
    aurumcode review: actual cost $0.3663 (--limite $9.0000)
    ");
    for outcome in &outcomes[1..] {
        assert_eq!(outcome, &outcomes[0]);
    }
}

#[test]
fn how_a_run_explains_itself_or_says_nothing() {
    let endpoint = Endpoint::new(|call| {
        if call.body.get("response_format").is_some() {
            return ResponseTemplate::new(400).set_body_json(json!({"error": {
                "message": "Unsupported parameter: 'response_format'.", "type": "invalid_request_error",
                "param": "response_format", "code": "unsupported_parameter",
            }}));
        }
        if call.number == 3 {
            return ResponseTemplate::new(429)
                .set_body_json(json!({"error": {"message": "slow down"}}));
        }
        completion(&call.review(), Some((6000, 100)))
    });
    let mut world = world_of_calls(3);
    endpoint.serve(&mut world);
    world.set("AURUMCODE_RETRY_MAX_WAIT", "0.01");
    let one_by_one = ["--concurrent-calls", "1"];
    let verbose = [&REVIEW[..], &one_by_one, &["--verbose"]].concat();
    let run = || {
        world
            .run(&verbose)
            .with(&endpoint.url(), "<endpoint>")
            .masked()
    };
    assert_snapshot!(run(), @r"
    exit 0
    -- stdout
    1.txt:1: [warning] Something about 1.txt. (rule quality/dead-code: Dead Code)
    2.txt:1: [warning] Something about 2.txt. (rule quality/dead-code: Dead Code)
    3.txt:1: [warning] Something about 3.txt. (rule quality/dead-code: Dead Code)
    -- stderr
    aurumcode review: cache: <scratch>/cache
    aurumcode review: cache miss: 1.txt (<digest>)
    aurumcode review: cache miss: 2.txt (<digest>)
    aurumcode review: cache miss: 3.txt (<digest>)
    aurumcode review: call 1 of 3: 1 file(s), <n> bytes
    aurumcode review: the endpoint <endpoint> refuses a parameter, asking once more without it: the endpoint <endpoint> rejects the request (HTTP 400); the server says: Unsupported parameter: 'response_format'.
    aurumcode review: call 1 of 3 answered after <time> s, 6000 tokens in, 100 tokens out
    aurumcode review: call 2 of 3: 1 file(s), <n> bytes
    aurumcode review: call 2 of 3: the endpoint <endpoint> has had too many requests (HTTP 429); the server says: slow down; asking again in 0.1 s (attempt 2 of 4)
    aurumcode review: call 2 of 3 answered after <time> s, 6000 tokens in, 100 tokens out
    aurumcode review: call 3 of 3: 1 file(s), <n> bytes
    aurumcode review: call 3 of 3 answered after <time> s, 6000 tokens in, 100 tokens out
    ");
    assert_snapshot!(run(), @r"
    exit 0
    -- stdout
    1.txt:1: [warning] Something about 1.txt. (rule quality/dead-code: Dead Code)
    2.txt:1: [warning] Something about 2.txt. (rule quality/dead-code: Dead Code)
    3.txt:1: [warning] Something about 3.txt. (rule quality/dead-code: Dead Code)
    -- stderr
    aurumcode review: cache: <scratch>/cache
    aurumcode review: cache hit: 1.txt (<digest>)
    aurumcode review: cache hit: 2.txt (<digest>)
    aurumcode review: cache hit: 3.txt (<digest>)
    aurumcode review: reused 3 file(s) from cache (not resent to the model)
    ");
    let quiet = world.run(&[&REVIEW[..], &["--quiet", "--refresh"]].concat());
    assert_eq!(quiet, Outcome::expected(0, &findings(1..=3), ""));
}
