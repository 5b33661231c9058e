//! The workflow in `docs/pull-requests.md` is one that can be copied: it reads as YAML, holds no
//! more rights than it needs, and what it runs are commands that exist.

use std::collections::BTreeMap;

use crate::support::World;

const PAGE: &str = include_str!("../../../docs/pull-requests.md");

fn workflow() -> &'static str {
    let (_, rest) = PAGE.split_once("\n```yaml\n").unwrap();
    let (workflow, _) = rest.split_once("\n```\n").unwrap();
    workflow
}

/// Every value of a workflow by its path, such as `jobs.review.steps.0.run`.
///
/// This reads the part of YAML that the workflow is written in: mappings and lists by indentation
/// with one value a line. Anything else fails.
fn values(yaml: &str) -> BTreeMap<String, String> {
    let mut values = BTreeMap::new();
    // The mappings and lists around the line: their indentation, and the path of what is open.
    let mut around: Vec<(usize, String)> = Vec::new();
    let mut may_be_deeper = true;
    for line in yaml.lines() {
        let line = line.split(" # ").next().unwrap().trim_end();
        let text = line.trim_start_matches(' ');
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        assert!(!text.contains('\t'), "a tab: {line}");
        let mut indent = line.len() - text.len();
        let deepest = around.last().map_or(0, |(indent, _)| *indent);
        assert!(
            indent <= deepest || may_be_deeper,
            "deeper under a value: {line}"
        );
        let mut open: Vec<(usize, String)> = around.clone();
        open.retain(|(outer, _)| *outer < indent);
        let same = around.iter().find(|(at, _)| *at == indent);
        assert!(
            same.is_some() || indent > deepest || around.is_empty(),
            "an indentation of its own: {line}"
        );
        let mut text = text;
        if let Some(rest) = text.strip_prefix("- ") {
            let number = same.map_or(0, |(_, part)| part.parse::<usize>().unwrap() + 1);
            open.push((indent, number.to_string()));
            indent += 2;
            text = rest;
        }
        let (key, value) = match text.split_once(": ") {
            Some(pair) => pair,
            None => (text.strip_suffix(':').expect(line), ""),
        };
        let is_key = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
        assert!(!key.is_empty() && key.bytes().all(is_key), "no key: {line}");
        open.push((indent, key.to_owned()));
        may_be_deeper = value.is_empty();
        let parts: Vec<&str> = open.iter().map(|(_, part)| part.as_str()).collect();
        let path = parts.join(".");
        assert!(is_plain(value), "not a plain value: {line}");
        let earlier = values.insert(path, value.trim().to_owned());
        assert_eq!(earlier, None, "twice: {line}");
        around = open;
    }
    values
}

/// Returns whether YAML reads the value as the text that stands there, or as a list of words.
fn is_plain(value: &str) -> bool {
    let list = value
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let text = list.unwrap_or(value);
    let expressions = text.replace("${{", "").replace("}}", "");
    !expressions.contains(['{', '}', '[', ']', '&', '*', '|', '>', '%', '@', '`'])
        && !expressions.contains(": ")
        && !expressions
            .trim_start()
            .starts_with(['"', '\'', '!', '?', '#'])
}

#[test]
fn it_asks_for_the_rights_of_a_run_and_for_no_others() {
    let values = values(workflow());
    let rights: Vec<(&str, &str)> = values
        .iter()
        .filter_map(|(path, value)| Some((path.strip_prefix("permissions.")?, value.as_str())))
        .collect();
    assert_eq!(
        rights,
        [
            ("contents", "write"),
            ("pull-requests", "write"),
            ("statuses", "write")
        ]
    );
    assert_eq!(
        values["on.pull_request.types"],
        "[opened, synchronize, reopened]"
    );
    assert!(values.contains_key("jobs.review.if"));
    assert_eq!(
        values["jobs.review.steps.1.env.GITHUB_TOKEN"],
        "${{ github.token }}"
    );
    // Words that strangers write stand in no command.
    for (path, value) in &values {
        let is_command = path.rsplit('.').next() == Some("run");
        assert!(!is_command || !value.contains("${{"), "{path}");
    }
}

#[test]
fn its_flags_and_variables_are_those_of_the_command() {
    let values = values(workflow());
    let command = values["jobs.review.steps.1.run"].as_str();
    let mut words = command.split(' ');
    assert_eq!(
        (words.next(), words.next()),
        (Some("aurumcode"), Some("review"))
    );
    let help = World::new().run(&["review", "--help"]).stdout;
    let helped: Vec<&str> = help
        .split(|character: char| !character.is_ascii_alphanumeric() && !"-_".contains(character))
        .collect();
    for flag in words.filter(|word| word.starts_with('-')) {
        assert!(helped.contains(&flag), "{flag}");
    }
    let variables = values
        .keys()
        .filter_map(|path| path.strip_prefix("jobs.review.steps.1.env."));
    let known = World::new().run(&["--help"]).stdout + &help;
    for variable in variables {
        assert!(known.contains(variable), "{variable}");
    }
}

/// The command of the workflow is one that the parser takes: it gets as far as GitHub.
#[test]
fn its_command_is_no_usage_error() {
    let values = values(workflow());
    let command: Vec<&str> = values["jobs.review.steps.1.run"]
        .split(' ')
        .skip(1)
        .collect();
    let mut world = World::new();
    world.set("AURUMCODE_GITHUB_API_URL", "http://127.0.0.1:1");
    world.set("AURUMCODE_GITHUB_PAUSE", "0");
    let event =
        r#"{"pull_request":{"number":7,"head":{"sha":"a"}},"repository":{"full_name":"o/r"}}"#;
    std::fs::write(world.path("event"), event).unwrap();
    world.set("GITHUB_EVENT_PATH", world.path("event"));
    let outcome = world.run(&command);
    assert!(
        outcome
            .stderr
            .contains("checking write permission on o/r: "),
        "{outcome}"
    );
}
