//! `aurumcode providers`, `providers check`, and switching by a word.

use std::collections::BTreeMap;
use std::fs;

use insta::assert_snapshot;
use serde_json::{Value, json};
use wiremock::matchers::{header, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::support::{Repository, World, project};

fn listed(world: &World) -> Value {
    let outcome = world.run(&["providers", "--json"]);
    assert_eq!(outcome.code, Some(0), "{outcome}");
    serde_json::from_str(&outcome.stdout).unwrap()
}

/// Returns of each source its state, its detail, and whether it answers.
fn states(world: &World) -> BTreeMap<String, (String, String, bool)> {
    let linked = listed(world);
    let entries = linked["sources"].as_array().unwrap().iter();
    entries
        .chain(linked["layers"].as_array().unwrap())
        .map(|entry| {
            let text = |name: &str| entry[name].as_str().unwrap().to_owned();
            let answers = entry["answers"].as_bool().unwrap();
            (text("name"), (text("state"), text("detail"), answers))
        })
        .collect()
}

#[test]
fn everything_that_is_linked_is_listed_with_its_state() {
    let world = World::new();
    let outcome = world.run(&["providers"]);
    let is_setting = |line: &&str| {
        let name = line.trim_start().split(':').next().unwrap();
        name.starts_with("--") || name.contains('_') && name == name.to_uppercase()
    };
    let brief: Vec<_> = outcome
        .stdout
        .lines()
        .filter(|line| !is_setting(line))
        .collect();
    assert_snapshot!(brief.join("\n"), @r"
    Sources, in the order in which they are asked:

      fixture (aurumcode-provider-fixture 0.1.0)
          answers with the text of a file, offline
          not configured: set AURUMCODE_LLM_FIXTURE=<path>

      openai-compatible (aurumcode-provider-openai-compatible 0.1.0)
          asks an endpoint of the Chat Completions kind, remote or on this machine
          not configured: set LLM_API_KEY and LLM_BASE_URL, or LLM_BASE_URL alone for a local host

      command (aurumcode-provider-command 0.1.0)
          runs a program that reads the prompt and prints the answer
          not configured: set AURUMCODE_COMMAND=<program with its arguments>

      anthropic (aurumcode-provider-anthropic 0.1.0), asked only by name
          asks a Claude model over Anthropic's own Messages API
          not configured: set ANTHROPIC_API_KEY

    Layers, the outermost first:

      retry (aurumcode-provider-retry 0.1.0)
          waits and asks again when the endpoint is busy or the line breaks
          ready: stands in every review

      limite (aurumcode-provider-limite 0.1.0)
          meters every call of a run and never lets it spend more than --limite
          not configured: give --limite <usd>

    Pick a source with --modelo <provider>:<model> or AURUMCODE_PROVIDER=<provider>. aurumcode providers check asks one.
    ");
    assert!(
        outcome
            .stdout
            .contains("\n      ANTHROPIC_API_KEY: the key of Anthropic's API\n"),
        "{outcome}"
    );
}

#[test]
fn a_state_says_what_answers_what_to_set_or_what_is_broken() {
    let mut world = World::new();
    world.set("AURUMCODE_LLM_FIXTURE", "missing");
    world.set("LLM_BASE_URL", "http://user:hush@localhost:1/v1?key=hush");
    world.set("ANTHROPIC_API_KEY", "hush");
    world.set("LLM_MODEL", "m");
    let states = states(&world);
    let state = |name: &str| states[name].clone();
    let of = |state: &str, detail: &str, answers| (state.to_owned(), detail.to_owned(), answers);
    assert_eq!(
        state("fixture"),
        of(
            "broken",
            "reading AURUMCODE_LLM_FIXTURE=missing: No such file or directory (os error 2)",
            true
        )
    );
    assert_eq!(
        state("openai-compatible"),
        of(
            "ready",
            "model \"m\" (openai-compatible endpoint http://localhost:1/v1)",
            false
        )
    );
    assert_eq!(
        state("anthropic"),
        of(
            "ready",
            "model \"m\" (anthropic endpoint https://api.anthropic.com)",
            false
        )
    );
    assert_eq!(
        state("command"),
        of(
            "not_configured",
            "set AURUMCODE_COMMAND=<program with its arguments>",
            false
        )
    );
    assert_eq!(
        state("limite"),
        of("not_configured", "give --limite <usd>", false)
    );
    assert_eq!(state("retry"), of("ready", "stands in every review", false));
    assert!(!world.run(&["providers"]).to_string().contains("hush"));
}

/// A key that lies around does not change who answers.
#[test]
fn a_key_of_anthropic_alone_configures_nothing() {
    let mut world = World::new();
    Repository::with_change(&world, &[("a.txt", "one\n", "two\n")]);
    world.set("ANTHROPIC_API_KEY", "hush");
    world.set("LLM_MODEL", "m");
    let outcome = world.run(&["review", "--base", "base"]);
    assert_eq!(outcome.code, Some(1));
    assert!(
        outcome
            .stderr
            .starts_with("aurumcode review: no LLM provider configured: "),
        "{outcome}"
    );
}

#[test]
fn a_name_that_nobody_has_lists_near_ones() {
    let mut world = World::new();
    Repository::with_change(&world, &[("a.txt", "one\n", "two\n")]);
    world.set("AURUMCODE_PROVIDER", "antropic");
    let outcome = world.run(&["review", "--base", "base"]);
    assert_snapshot!(outcome, @r#"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: AURUMCODE_PROVIDER names "antropic", and no such provider is linked: did you mean anthropic? `aurumcode providers` lists them
    "#);
    let outcome = world.run(&["providers", "check", "openai"]);
    assert_snapshot!(outcome, @r#"
    exit 1
    -- stdout
    -- stderr
    aurumcode providers check: the command line names "openai", and no such provider is linked: did you mean openai-compatible? `aurumcode providers` lists them
    "#);
    world.set("AURUMCODE_PROVIDER", "");
    let outcome = world.run(&["review", "--base", "base", "--modelo", "antropic:m"]);
    assert_eq!(
        outcome.stderr.lines().next().unwrap(),
        "aurumcode review: model \"antropic:m\" is unavailable: no LLM provider is configured to serve it; if \"antropic\" is to name a provider, did you mean anthropic?"
    );
}

#[test]
fn a_source_that_is_picked_says_what_it_needs() {
    let world = World::new();
    Repository::with_change(&world, &[("a.txt", "one\n", "two\n")]);
    let outcome = world.run(&["review", "--base", "base", "--modelo", "anthropic:m"]);
    assert_snapshot!(outcome, @r#"
    exit 1
    -- stdout
    -- stderr
    aurumcode review: model "m" is unavailable: the provider anthropic is not configured: set ANTHROPIC_API_KEY
    aurumcode review: to serve model "m": set AURUMCODE_LLM_FIXTURE=<response-file> for an offline answer, or LLM_API_KEY and LLM_BASE_URL for a live endpoint (a local one, such as LLM_BASE_URL=http://localhost:11434/v1, needs no key), then re-run with --modelo m
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_word_switches_the_provider_and_each_has_entries_of_its_own() {
    let server = MockServer::start().await;
    let answer = json!({
        "type": "message",
        "model": "m-20990101",
        "content": [{"type": "text", "text": "{\"issues\":[]}"}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 12, "output_tokens": 5},
    });
    let key = ["key", "of", "the", "test"].join("-");
    Mock::given(method("POST"))
        .and(path("/v1/messages"))
        .and(header("x-api-key", key.as_str()))
        .respond_with(ResponseTemplate::new(200).set_body_json(answer))
        .mount(&server)
        .await;
    let mut world = World::new();
    Repository::with_change(&world, &[("a.txt", "one\n", "two\n")]);
    world.answer_issues(&[]);
    world.set("AURUMCODE_CACHE_DIR", "../cache");
    world.set("ANTHROPIC_API_KEY", &key);
    world.set("ANTHROPIC_BASE_URL", server.uri());

    let review = |model: &str| {
        let outcome = world.run(&["review", "--base", "base", "--modelo", model]);
        assert_eq!(outcome.code, Some(0), "{outcome}");
        outcome.stderr.replace(&server.uri(), "<server>")
    };
    let by_anthropic =
        "aurumcode review: reviewing with model \"m\" (anthropic endpoint <server>)\n";
    let by_fixture = "aurumcode review: reviewing with model \"m\" (offline fixture provider)\n";
    let reused = "aurumcode review: reused 1 file(s) from cache (not resent to the model)\n";
    assert_eq!(review("anthropic:m"), by_anthropic);
    assert_eq!(review("m"), by_fixture);
    assert_eq!(review("fixture:m"), format!("{by_fixture}{reused}"));
    assert_eq!(review("anthropic:m"), format!("{by_anthropic}{reused}"));
    assert_eq!(server.received_requests().await.unwrap().len(), 1);
    assert_eq!(world.names("cache").len(), 2);

    let outcome = world.run(&["providers", "check", "anthropic", "--model", "m"]);
    let (said, _) = outcome.stdout.split_once(" answered in ").unwrap();
    assert_eq!(said, "anthropic: model \"m\" (as \"m-20990101\")");
    assert!(
        outcome.stdout.contains(" s, 12 token(s) in, 5 out ("),
        "{outcome}"
    );
}

/// A server of another kind is one that does not speak what the provider speaks.
#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_url_is_named_with_what_it_has_to_speak() {
    let server = MockServer::start().await;
    let mut world = World::new();
    let key = ["key", "of", "the", "test"].join("-");
    world.set("ANTHROPIC_API_KEY", &key);
    world.set("ANTHROPIC_BASE_URL", server.uri());
    world.set("LLM_API_KEY", &key);
    world.set("LLM_BASE_URL", format!("{}/v1", server.uri()));
    world.set("LLM_MODEL", "m");
    let said: String = ["anthropic", "openai-compatible"]
        .map(|name| world.run(&["providers", "check", name]).stderr)
        .concat();
    assert_snapshot!(said.replace(&server.uri(), "<server>"), @r"
    aurumcode providers check: nothing that speaks the Messages API answers at the endpoint <server> (HTTP 404): check ANTHROPIC_BASE_URL
    aurumcode providers check: nothing that speaks Chat Completions answers at the endpoint <server>/v1 (HTTP 404): check LLM_BASE_URL
    ");
}

#[test]
fn a_program_answers_and_nothing_of_it_is_kept_without_a_model() {
    let mut world = World::new();
    Repository::with_change(&world, &[("a.txt", "one\n", "two\n")]);
    world.set("AURUMCODE_CACHE_DIR", "../cache");
    world.set("AURUMCODE_COMMAND", "echo '{\"issues\":[]}'");
    let outcome = world.run(&["review", "--base", "base"]);
    assert_snapshot!(outcome, @r"
    exit 0
    -- stdout
    No issues found.
    -- stderr
    ");
    assert!(world.names("cache").is_empty());
    world.set("AURUMCODE_COMMAND_MODEL", "m");
    world.run(&["review", "--base", "base"]);
    let outcome = world.run(&["review", "--base", "base"]);
    assert_snapshot!(outcome, @r"
    exit 0
    -- stdout
    No issues found.
    -- stderr
    aurumcode review: reused 1 file(s) from cache (not resent to the model)
    ");
    let outcome = world.run(&["providers", "check"]);
    assert!(
        outcome
            .stdout
            .starts_with("command: model \"m\" answered in ")
            && outcome
                .stdout
                .ends_with(" s, no tokens reported (program echo)\n"),
        "{outcome}"
    );
}

/// A provider whose crate has no such test has held to nothing.
#[test]
fn every_linked_provider_runs_the_conformance_suite() {
    let linked = listed(&World::new());
    let mut checked = Vec::new();
    for (kind, check) in [("sources", "check_source("), ("layers", "check_layer(")] {
        for entry in linked[kind].as_array().unwrap() {
            let name = entry["name"].as_str().unwrap();
            let package = entry["package"].as_str().unwrap();
            let folder = package.strip_prefix("aurumcode-provider-").unwrap();
            let file = project().join(format!("providers/{folder}/tests/conformance.rs"));
            let test = fs::read_to_string(&file)
                .unwrap_or_else(|error| panic!("{name} has no {}: {error}", file.display()));
            for expected in [check, &format!("\"{name}\""), "#[test]"] {
                assert!(
                    test.contains(expected),
                    "{} lacks {expected}",
                    file.display()
                );
            }
            checked.push(folder.to_owned());
        }
    }
    // Nor may a crate register something that this program does not link.
    for entry in fs::read_dir(project().join("providers")).unwrap() {
        let folder = entry.unwrap().file_name().into_string().unwrap();
        let library = project().join(format!("providers/{folder}/src/lib.rs"));
        let library = fs::read_to_string(library).unwrap();
        let registers = library.contains("\ninventory::submit!");
        assert_eq!(registers, checked.contains(&folder), "{folder}");
    }
}
