//! What a run with `--limite` states, spends and refuses.

use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use insta::assert_snapshot;
use serde_json::json;
use wiremock::ResponseTemplate;

use crate::support::{Endpoint, Outcome, Repository, World, completion, finding, project};

const INPUT: &str = "AURUMCODE_LLM_INPUT_USD_PER_1K";
const OUTPUT: &str = "AURUMCODE_LLM_OUTPUT_USD_PER_1K";

/// Hundred-thousandths of a dollar for a token, as they are assumed.
const INPUT_PRICE: u64 = 1;
const OUTPUT_PRICE: u64 = 3;

/// A world with one changed file.
fn world() -> World {
    let mut world = World::new();
    Repository::with_change(&world, &[("a.txt", "one\n", "two\n")]);
    priced(&mut world);
    world
}

/// States the prices that are assumed otherwise.
fn priced(world: &mut World) {
    world.set(INPUT, "0.01");
    world.set(OUTPUT, "0.03");
}

fn review(world: &World, limit: &str, more: &[&str]) -> Outcome {
    world.run(&[&["review", "--base", "base", "--limite", limit], more].concat())
}

/// Returns the tokens of so many bytes where nobody has counted any.
fn tokens_in(bytes: u64) -> u64 {
    bytes / 4
}

/// Prints hundred-thousandths of a dollar with four digits after the point, a half to the even
/// neighbour.
fn printed(cost: u64) -> String {
    let (down, rest) = (cost / 10, cost % 10);
    let rounded = down + u64::from(rest > 5 || (rest == 5 && down % 2 == 1));
    format!("${}.{:04}", rounded / 10_000, rounded % 10_000)
}

/// Prints every digit of them, and at least four after the point.
fn exact(cost: u64) -> String {
    if cost.is_multiple_of(10) {
        printed(cost)
    } else {
        format!("${}.{:05}", cost / 100_000, cost % 100_000)
    }
}

/// Returns stderr lines with their prefix.
fn said(lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines {
        writeln!(text, "aurumcode review: {line}").unwrap();
    }
    text
}

#[test]
fn a_ceiling_is_a_number_above_zero() {
    let mut world = world();
    world.answer_issues(&[]);
    for (value, message) in [
        ("", "--limite: value must not be empty"),
        (" ", "--limite: value must not be empty"),
        (
            "abc",
            "--limite: must be a number of US dollars (got \"abc\")",
        ),
        (
            "nan",
            "--limite: must be a number of US dollars (got \"nan\")",
        ),
        (
            "inf",
            "--limite: must be a number of US dollars (got \"inf\")",
        ),
        (
            "1e400",
            "--limite: must be a number of US dollars (got \"1e400\")",
        ),
        (
            "$1",
            "--limite: must be a number of US dollars (got \"$1\")",
        ),
        (
            "1,5",
            "--limite: must be a number of US dollars (got \"1,5\")",
        ),
        (
            "0x10",
            "--limite: must be a number of US dollars (got \"0x10\")",
        ),
        (
            "1\n2",
            "--limite: must be a number of US dollars (got \"1\\n2\")",
        ),
        ("0", "--limite: must be greater than zero (got \"0\")"),
        ("-1", "--limite: must be greater than zero (got \"-1\")"),
        (
            " -0.0 ",
            "--limite: must be greater than zero (got \" -0.0 \")",
        ),
    ] {
        let outcome = review(&world, value, &[]);
        assert_eq!(outcome, Outcome::expected(2, "", &said(&[message])));
    }
    for (value, printed) in [
        (" 0.5 ", "$0.5000"),
        ("5e-1", "$0.5000"),
        ("+.5", "$0.5000"),
        ("1000000000000", "$1000000000000.0000"),
    ] {
        let outcome = review(&world, value, &[]);
        assert_eq!(outcome.code, Some(0), "{outcome}");
        let estimate = format!("diff-only pre-flight (--limite {printed})\n");
        assert!(outcome.stderr.contains(&estimate), "{outcome}");
    }
    let outcome = review(&world, "1e-3", &[]);
    assert_eq!(outcome.code, Some(1), "{outcome}");
    assert!(
        outcome
            .stderr
            .contains("would exceed --limite $0.0010; nothing was spent ("),
        "{outcome}"
    );
    // The last one counts, and the English name is as good.
    let outcome = review(&world, "abc", &["-limit=1"]);
    assert_eq!(outcome.code, Some(0), "{outcome}");
}

#[test]
fn prices_are_checked() {
    let one_sided = |set: &str, missing: &str| {
        format!(
            "{set} is set but {missing} is not; set both or neither, because a missing side prices those tokens at $0"
        )
    };
    let no_price = |name: &str, value: &str| {
        format!("{name} must be a positive number of US dollars per 1000 tokens (got \"{value}\")")
    };
    let mut world = world();
    world.answer_issues(&[]);
    for (input, output, message) in [
        ("1", "", one_sided(INPUT, OUTPUT)),
        ("", "1", one_sided(OUTPUT, INPUT)),
        ("0", "1", no_price(INPUT, "0")),
        ("1", "0", no_price(OUTPUT, "0")),
        ("-1", "1", no_price(INPUT, "-1")),
        ("1", "-1", no_price(OUTPUT, "-1")),
        ("abc", "1", no_price(INPUT, "abc")),
        ("1", "abc", no_price(OUTPUT, "abc")),
    ] {
        world.set(INPUT, input);
        world.set(OUTPUT, output);
        let outcome = review(&world, "1", &[]);
        assert_eq!(outcome, Outcome::expected(2, "", &said(&[&message])));
        let unmetered = world.run(&["review", "--base", "base"]);
        assert_eq!(unmetered, Outcome::expected(0, "No issues found.\n", ""));
    }
}

/// Every check that can fail fails here; each one is then mended in turn.
#[test]
fn the_first_failure_decides() {
    let mut world = world();
    world.set(INPUT, "abc");
    world.set("AURUMCODE_LLM_FIXTURE", "missing");
    let first_line = |world: &World, arguments: &[&str]| {
        let outcome = world.run(arguments);
        let first = outcome.stderr.lines().next().unwrap_or_default();
        let first: String = first
            .trim_start_matches("aurumcode review: ")
            .chars()
            .take(50)
            .collect();
        (outcome.code.unwrap(), first)
    };
    let line = |code: i32, text: &str| (code, text.chars().take(50).collect::<String>());
    let mut arguments = vec!["review", "--fail-on", "", "--modelo", " ", "--limite", "x"];
    assert_eq!(
        first_line(&world, &arguments),
        line(2, "--base is required")
    );
    arguments.extend(["--base", "missing"]);
    assert_eq!(
        first_line(&world, &arguments),
        line(
            2,
            "--fail-on: unknown level \"\" (accepted: high|error, medium|warning, low|info)"
        )
    );
    arguments.extend(["--fail-on", "high"]);
    assert_eq!(
        first_line(&world, &arguments),
        line(2, "--modelo: model name must not be empty")
    );
    arguments.extend(["--modelo", "m"]);
    assert_eq!(
        first_line(&world, &arguments),
        line(2, "--limite: must be a number of US dollars (got \"x\")")
    );
    arguments.extend(["--limite", "1"]);
    assert_eq!(
        first_line(&world, &arguments),
        line(1, "ref \"missing\" not found in this repository: expected")
    );
    arguments.extend(["--base", "base"]);
    assert_eq!(
        first_line(&world, &arguments),
        line(
            1,
            "model \"m\" is unavailable: reading AURUMCODE_LLM_FIXTURE=missing"
        )
    );
    world.answer_issues(&[]);
    assert_eq!(
        first_line(&world, &arguments),
        line(
            2,
            "AURUMCODE_LLM_INPUT_USD_PER_1K must be a positive number"
        )
    );
    world.set(INPUT, "1");
    assert_eq!(
        first_line(&world, &arguments),
        line(1, "reviewing with model \"m\" (offline fixture provider)")
    );
}

/// The figures of the demonstration, computed here from the bytes that are sent.
#[test]
fn the_demonstration_in_figures() {
    let mut world = World::new();
    let demo = project().join("fixtures/repos/git-demo/repo.git");
    Repository::existing(&world).git(&["clone", "--quiet", demo.to_str().unwrap(), "."]);
    let answer =
        fs::read_to_string(project().join("fixtures/review/known-problem-response.json")).unwrap();
    world.answer(&answer);
    world.set("AURUMCODE_PROMPT_CAPTURE", "../capture");
    let review = |limit: &str| world.run(&["review", "--base", "HEAD~1", "--limite", limit]);

    // The paths and the marked lines of both files have 479 bytes: 119 tokens, and 3000 of answer.
    let estimate = "estimated cost $0.0912, diff-only pre-flight";
    let assumed = "prices are assumed for model \"fixture\": $0.0100 per 1000 tokens in, $0.0300 per 1000 tokens out; set AURUMCODE_LLM_INPUT_USD_PER_1K and AURUMCODE_LLM_OUTPUT_USD_PER_1K to what it costs";
    let within = review("0.50");
    let prompt_bytes = fs::metadata(world.path("capture")).unwrap().len();
    let input_cost = tokens_in(prompt_bytes) * INPUT_PRICE;
    let cost = printed(input_cost + tokens_in(answer.len() as u64) * OUTPUT_PRICE);
    let stdout = "config/demo-tokens.txt:4: [error] An API token is committed in plain text; read it from the environment and revoke it. (rule security/hardcoded-secret: Hardcoded Secrets)\n";
    let stderr = said(&[
        &format!("{estimate} (--limite $0.5000)"),
        assumed,
        &format!("actual cost {cost} (--limite $0.5000)"),
        "no usage was reported for 1 of 1 call(s): their cost is estimated, with 4 bytes of prompt and answer for a token",
    ]);
    assert_eq!(within, Outcome::expected(0, stdout, &stderr));

    fs::remove_file(world.path("capture")).unwrap();
    let most = exact(input_cost + 3000 * OUTPUT_PRICE);
    let stderr = said(&[
        &format!("{estimate} (--limite $0.0001)"),
        assumed,
        &format!(
            "refusing to call the model: the request's cost would exceed --limite $0.0001; nothing was spent (a prompt of {prompt_bytes} bytes at $0.0100 per 1000 tokens and an answer of up to 3000 tokens at $0.0300 per 1000 could cost {most})"
        ),
    ]);
    assert_eq!(review("0.0001"), Outcome::expected(1, "", &stderr));
    assert!(!world.path("capture").exists());
}

#[test]
fn the_cost_is_what_the_endpoint_counts() {
    let endpoint = Endpoint::new(|call| {
        completion(
            "{\"issues\":[]}",
            (call.number != 2).then_some(match call.number {
                1 => (1000, 100),
                _ => (100_000, 5000),
            }),
        )
    });
    let mut world = world();
    endpoint.serve(&mut world);
    // `a.txt` and three marked lines of 5 bytes each have 16 bytes: 4 tokens.
    let estimate = "estimated cost $0.0900, diff-only pre-flight (--limite $0.5000)";
    let check = |lines: &[&str]| {
        let stderr = said(&[&[estimate], lines].concat());
        assert_eq!(
            review(&world, "0.5", &[]),
            Outcome::expected(0, "No issues found.\n", &stderr)
        );
    };
    // 1000 * 0.00001 + 100 * 0.00003
    check(&["actual cost $0.0130 (--limite $0.5000)"]);
    let bytes = endpoint.calls()[0].prompt_bytes();
    let cost = printed(tokens_in(bytes) * INPUT_PRICE + 3 * OUTPUT_PRICE);
    check(&[
        &format!("actual cost {cost} (--limite $0.5000)"),
        "no usage was reported for 1 of 1 call(s): their cost is estimated, with 4 bytes of prompt and answer for a token",
    ]);
    // 100000 * 0.00001 + 5000 * 0.00003
    check(&[
        "actual cost $1.1500 (--limite $0.5000)",
        "the actual cost passed --limite by $0.6500: more tokens were counted than a call was expected to need",
    ]);
    let caps: Vec<_> = endpoint
        .calls()
        .iter()
        .map(|call| call.body["max_tokens"].clone())
        .collect();
    assert_eq!(caps, [json!(3000), json!(3000), json!(3000)]);
}

/// Four files that have a call of their own each.
fn world_of_four_calls() -> World {
    let mut world = World::new();
    let large = "a line of a file that has a call of its own\n".repeat(450);
    let files = ["a.txt", "b.txt", "c.txt", "d.txt"].map(|path| (path, "", large.as_str()));
    Repository::with_change(&world, &files);
    priced(&mut world);
    world.set("AURUMCODE_CONTEXT_TOKENS", "16000");
    let cache = world.path("cache");
    world.set("AURUMCODE_CACHE_DIR", cache);
    world
}

/// What a run over the four files estimates: their bytes by 4, and four answers.
fn estimate_of_four_calls(limit: &str) -> String {
    let bytes =
        4 * (450 * ("a line of a file that has a call of its own".len() + 2) + "a.txt\n".len());
    let tokens = tokens_in(bytes as u64);
    let cost = printed(tokens * INPUT_PRICE + 4 * 3000 * OUTPUT_PRICE);
    format!("estimated cost {cost}, diff-only pre-flight (--limite {limit})")
}

#[test]
fn a_run_stops_before_the_call_that_would_pass_the_ceiling_and_the_next_goes_on() {
    let endpoint = Endpoint::new(|call| completion(&call.review(), Some((6000, 100))));
    let mut world = world_of_four_calls();
    endpoint.serve(&mut world);
    // A call reserves about 0.067 + 0.09 and costs 0.06 + 0.003, so the third one does not fit.
    let stopped = review(&world, "0.25", &[]);
    let (first, second) = (finding("a.txt"), finding("b.txt"));
    let stop = "stopped before call 3 of 4: $0.1260 of --limite $0.2500 spent";
    let lines = [
        &estimate_of_four_calls("$0.2500"),
        "actual cost $0.1260 (--limite $0.2500)",
        &format!("not reviewed: c.txt: {stop}"),
        "not reviewed: d.txt: stopped before call 4 of 4: $0.1260 of --limite $0.2500 spent",
        "incomplete: 2 of 4 file(s) reviewed",
        first.trim_end(),
        second.trim_end(),
        stop,
    ];
    assert_eq!(stopped, Outcome::expected(1, "", &said(&lines)));
    assert_eq!(endpoint.sent(), [["a.txt"], ["b.txt"]]);
    assert_eq!(world.names("cache").len(), 2);

    let finished = review(&world, "0.5", &[]);
    let stdout: String = ["a.txt", "b.txt", "c.txt", "d.txt"].map(finding).concat();
    let lines = [
        &estimate_of_four_calls("$0.5000"),
        "reused 2 file(s) from cache (not resent to the model)",
        "actual cost $0.1260 (--limite $0.5000)",
    ];
    assert_eq!(finished, Outcome::expected(0, &stdout, &said(&lines)));
    let mut sent = endpoint.sent();
    sent.sort();
    assert_eq!(sent, [["c.txt"], ["d.txt"]]);

    let warm = review(&world, "0.0001", &[]);
    let lines = [
        &estimate_of_four_calls("$0.0001"),
        "reused 4 file(s) from cache (not resent to the model)",
        "actual cost $0.0000 (--limite $0.0001)",
    ];
    assert_eq!(warm, Outcome::expected(0, &stdout, &said(&lines)));
    assert!(endpoint.sent().is_empty());
}

/// Two calls fit at the same time, and all four one after the other: the others wait instead of
/// being refused.
#[test]
fn a_call_that_does_not_fit_waits_for_the_open_ones() {
    let delay = Duration::from_millis(200);
    let endpoint =
        Endpoint::new(move |call| completion(&call.review(), Some((6000, 100))).set_delay(delay));
    let mut world = world_of_four_calls();
    endpoint.serve(&mut world);
    let outcome = review(&world, "0.36", &["--concurrent-calls", "4"]);
    let stdout: String = ["a.txt", "b.txt", "c.txt", "d.txt"].map(finding).concat();
    let lines = [
        &estimate_of_four_calls("$0.3600"),
        "actual cost $0.2520 (--limite $0.3600)",
    ];
    assert_eq!(outcome, Outcome::expected(0, &stdout, &said(&lines)));
    let at: Vec<_> = endpoint.calls().iter().map(|call| call.at).collect();
    assert_eq!(at.len(), 4);
    assert!(
        at[2] - at[0] >= delay,
        "the third waits for the first or the second"
    );
}

#[test]
fn every_attempt_of_a_call_is_metered() {
    let busy = || {
        ResponseTemplate::new(429).set_body_json(
            json!({"error": {"message": "slow down", "code": "rate_limit_exceeded"}}),
        )
    };
    let broken =
        || ResponseTemplate::new(500).set_body_json(json!({"error": {"message": "oh no"}}));
    let endpoint = Endpoint::new(move |call| match call.number {
        1 => busy(),
        3 | 5 | 6 => broken(),
        _ => completion("{\"issues\":[]}", Some((1000, 100))),
    });
    let mut world = world();
    endpoint.serve(&mut world);
    world.set("AURUMCODE_RETRY_MAX_WAIT", "0.01");
    let run = |limit: &str| review(&world, limit, &[]).with(&endpoint.url(), "<endpoint>");
    // What is refused costs nothing.
    assert_snapshot!(run("1"), @r"
    exit 0
    -- stdout
    No issues found.
    -- stderr
    aurumcode review: estimated cost $0.0900, diff-only pre-flight (--limite $1.0000)
    aurumcode review: the endpoint <endpoint> has had too many requests (HTTP 429); the server says: slow down; asking again in 0.1 s (attempt 2 of 4)
    aurumcode review: actual cost $0.0130 (--limite $1.0000)
    ");
    // Of what broke nobody knows, so all that was reserved counts.
    let broken = run("1");
    let prompt = endpoint.calls()[2].prompt_bytes();
    let reserved = tokens_in(prompt) * INPUT_PRICE + 3000 * OUTPUT_PRICE;
    // What the answered call counted: 1000 tokens in and 100 out.
    let both = printed(reserved + 1000 * INPUT_PRICE + 100 * OUTPUT_PRICE);
    let reserved = printed(reserved);
    let broken = broken.with(&both, "<both>").with(&reserved, "<reserved>");
    assert_snapshot!(broken, @r"
    exit 0
    -- stdout
    No issues found.
    -- stderr
    aurumcode review: estimated cost $0.0900, diff-only pre-flight (--limite $1.0000)
    aurumcode review: the endpoint <endpoint> is overloaded or failing (HTTP 500); the server says: oh no; asking again in 0.1 s (attempt 2 of 4)
    aurumcode review: actual cost <both> (--limite $1.0000)
    aurumcode review: 1 of 2 call(s) ended without a word about their cost: the <reserved> that they could have cost count as spent
    ");
    // And it stands in the way of the next attempt.
    let stopped = run("0.2").with(&reserved, "<reserved>");
    assert_snapshot!(stopped, @r"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: estimated cost $0.0900, diff-only pre-flight (--limite $0.2000)
    aurumcode review: the endpoint <endpoint> is overloaded or failing (HTTP 500); the server says: oh no; asking again in 0.1 s (attempt 2 of 4)
    aurumcode review: actual cost <reserved> (--limite $0.2000)
    aurumcode review: 1 of 1 call(s) ended without a word about their cost: the <reserved> that they could have cost count as spent
    aurumcode review: stopped before call 1 of 1: <reserved> of --limite $0.2000 spent
    ");
    assert_eq!(endpoint.calls().len(), 5);
}
