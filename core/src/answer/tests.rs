//! The answers that models give, and what is to be read from each.

use proptest::prelude::*;

use super::Asked;
use super::json::{self, Json};
use super::search::next_bracket;
use super::{NotUnderstood, Record, RecordKind, read};
use crate::finding::Severity;
use crate::limits;
use crate::rules::Catalog;

/// Leaves every path as it is but for what every reader takes away.
fn asked(only: Option<&str>) -> Asked<'_> {
    Asked {
        only,
        canonical: &|path| {
            let path = path.trim().replace('\\', "/");
            path.strip_prefix("./").unwrap_or(&path).to_owned()
        },
    }
}

fn catalog() -> Catalog {
    Catalog::parse(
        r#"
        [[rule]]
        id = "quality/dead-code"
        title = "Dead Code"
        severity = "info"
        description = "Code that never runs."

        [[rule]]
        id = "security/xss"
        title = "Cross-Site Scripting (XSS)"
        severity = "error"
        description = "Input that reaches a page."
        "#,
    )
    .unwrap()
}

fn said(text: &str) -> Result<Vec<Record>, NotUnderstood> {
    read(text, &catalog(), asked(None))
}

fn record(path: &str, line: u32, kind: RecordKind) -> Record {
    Record {
        path: Some(path.to_owned()),
        line,
        kind,
    }
}

fn finding(severity: Severity, message: &str) -> RecordKind {
    RecordKind::Finding {
        severity,
        rule_id: "quality/dead-code".to_owned(),
        message: message.to_owned(),
        suggestion: None,
    }
}

fn issue(message: &str) -> String {
    serde_json::json!({
        "file": "ok.rs", "line": 2, "severity": "error", "message": message,
        "rule_id": "quality/dead-code",
    })
    .to_string()
}

fn review(issues: &[String]) -> String {
    format!(r#"{{"issues":[{}],"summary":"s"}}"#, issues.join(","))
}

fn one() -> String {
    review(&[issue("synthetic finding")])
}

fn one_record(message: &str) -> Vec<Record> {
    vec![record("ok.rs", 2, finding(Severity::Error, message))]
}

/// Reads an issue of which one field is written as given.
fn with_field(name: &str, value: &str) -> Vec<Record> {
    let mut fields = vec![
        ("file", r#""ok.rs""#),
        ("line", "2"),
        ("severity", r#""error""#),
        ("message", r#""m""#),
        ("rule_id", r#""quality/dead-code""#),
    ];
    fields.retain(|(known, _)| *known != name);
    let mut fields: Vec<String> = fields
        .into_iter()
        .map(|(name, value)| format!(r#""{name}":{value}"#))
        .collect();
    if !value.is_empty() {
        fields.push(format!(r#""{name}":{value}"#));
    }
    said(&format!(r#"{{"issues":[{{{}}}]}}"#, fields.join(","))).unwrap()
}

#[test]
fn text_around_the_json_is_not_part_of_it() {
    let one = one();
    for text in [
        one.clone(),
        format!("\u{feff}{one}"),
        format!("  \n{one}\n\n"),
        format!("```json\n{one}\n```"),
        format!("```\n{one}\n```\n"),
        format!("~~~\n{one}\n~~~\n"),
        format!("```json\n\u{feff}{one}\n```"),
        format!("Here it is: {one} I hope that helps!"),
        format!(
            "Fix:\n```ts\nconst f = () => ({{ a: {{ b: 1 }} }});\n```\nVerdict:\n```json\n{one}\n```\nEnd {{not json}}."
        ),
        format!("```ts\nres.json({{\"message\": text, \"tags\": [] }});\n```\n```json\n{one}\n```"),
        format!("```json\n{{\"name\": \"package\", \"files\": [\"a\", {{\"b\": 1}}]}}\n```\n{one}"),
        format!("As said in [1] and [ ] and [x]: {one} }} ] {{ [ {{"),
        format!("In the form {{\"issues\":[...]}}:\n{one}"),
        format!("In the form {{\"issues\":[{{\"file\",\"line\"}}],\"summary\"?}}:\n{one}"),
        format!(
            "{{\"issues\":[{{\"file\":\"<path>\",\"line\":<n>,\"rule_id\":\"<id>\"}}]}}\n{one}"
        ),
        format!(
            "{{\"issues\":[{{\"file\":\"<path>\",\"line\":1,\"rule_id\":\"<id, as listed>\"}}]}}\n{one}"
        ),
        format!("<think>{{\"issues\":[ Hm. What about {{\"issues\":[]}}?</think>\n{one}"),
        format!("\u{feff}\n<think>\n</think>{one}"),
        format!("Not that it is {{\"issues\":[\"x\" y</think>{one}"),
        serde_json::to_string(&one).unwrap(),
        format!("[{}]", issue("synthetic finding")),
        format!("```json\n[{}]\n```", issue("synthetic finding")),
        format!("The findings: [{}].", issue("synthetic finding")),
        one.replace(']', ",]").replace("\"s\"", "\"s\" , "),
        one.replace("\"issues\"", "\"Issues\""),
    ] {
        assert_eq!(said(&text), Ok(one_record("synthetic finding")), "{text}");
    }
}

#[test]
fn what_stands_in_a_message_stays_there() {
    for message in [
        "use ```rust\nfn a() {}\n``` here",
        "```json\n{\"issues\":[]}\n```",
        "a `backtick`, a </think> and a <think>x</think>",
        "{\"issues\":[]}",
        "tab\there, \u{1b}[31m, \u{0}",
        "quote \" and \\ and \\d and 🦀 and é",
    ] {
        let text = review(&[issue(message)]);
        assert_eq!(said(&text), Ok(one_record(message)), "{text}");
    }
}

#[test]
fn strings_are_read_as_models_write_them() {
    for (written, meant) in [
        ("two\nlines", "two\nlines"),
        ("a\ttab\r\n", "a\ttab\r\n"),
        (r"\d+\.\w", r"\d+\.\w"),
        (r"it\'s \`x\`", "it's `x`"),
        (r"\ud83e\udd80 \u00e9", "🦀 é"),
        (
            r"\ud83e and \udd80\ud83e\u0041",
            "\u{fffd} and \u{fffd}\u{fffd}A",
        ),
        (r"\u12 \u+123 \uzzzz", r"\u12 \u+123 \uzzzz"),
    ] {
        let text = one().replace("synthetic finding", written);
        assert_eq!(said(&text), Ok(one_record(meant)), "{text}");
    }
}

#[test]
fn a_clean_answer_is_clean() {
    for text in [
        r#"{"issues":[]}"#,
        r#"{"issues":[],"summary":5,"iso_scores":{"security":"high"}}"#,
        r#"{"issues":[],"line_comments":null}"#,
        r#"{"line_comments":[],"issues":null}"#,
        "[]",
        "```json\n[]\n```",
        "Looks good.\n```json\n{\"issues\": []}\n```\nfn main() {}",
        "<think>{\"issues\":[{\"file\":\"a\",\"rule_id\":\"x\"}]}</think>{\"issues\":[]}",
    ] {
        assert_eq!(said(text), Ok(vec![]), "{text}");
    }
}

#[test]
fn what_is_not_understood_is_never_clean() {
    use NotUnderstood::{Empty, InvalidJson, NoJsonFound, ValidationFailed};
    let cut = review(&[issue("first"), issue("second")]);
    let broken = r#"{"issues":[{"file":"a","message":"say "hi"","rule_id":"x","tags":[]}]}"#;
    for (text, kind) in [
        (String::new(), Empty),
        (" \n\t\u{feff}".to_owned(), Empty),
        ("Looks good to me.".to_owned(), NoJsonFound),
        ("I would answer [] or {}.".to_owned(), NoJsonFound),
        ("let x = [];".to_owned(), NoJsonFound),
        ("<think>{\"issues\":[]}".to_owned(), NoJsonFound),
        ("<think>x</think>".to_owned(), NoJsonFound),
        ("{}".to_owned(), ValidationFailed),
        ("```json\n{}\n```".to_owned(), ValidationFailed),
        ("null".to_owned(), ValidationFailed),
        ("5".to_owned(), ValidationFailed),
        ("[1, 2]".to_owned(), ValidationFailed),
        ("[[]]".to_owned(), ValidationFailed),
        ("\"Looks good.\"".to_owned(), NoJsonFound),
        ("{not json}".to_owned(), InvalidJson),
        ("{'issues': []}".to_owned(), InvalidJson),
        ("{issues: []}".to_owned(), InvalidJson),
        (r#"{"issues":null}"#.to_owned(), ValidationFailed),
        (r#"{"issues":{}}"#.to_owned(), ValidationFailed),
        (r#"{"issues":"none"}"#.to_owned(), ValidationFailed),
        (r#"{"issues":["x"]}"#.to_owned(), ValidationFailed),
        (r#"{"issues":[null]}"#.to_owned(), ValidationFailed),
        (r#"{"issues":[[]]}"#.to_owned(), ValidationFailed),
        (
            r#"{"issues":[],"line_comments":"none"}"#.to_owned(),
            ValidationFailed,
        ),
        (
            r#"{"issues":[],"line_comments":[1]}"#.to_owned(),
            ValidationFailed,
        ),
        (
            r#"{"issues":[{"message":"x"}]}"#.to_owned(),
            ValidationFailed,
        ),
        (r#"{"problems":[]}"#.to_owned(), ValidationFailed),
        (one().replace("issues", "problems"), ValidationFailed),
        (format!(r#"{{"review":{}}}"#, one()), ValidationFailed),
        (r#"{"review":{"issues":[]}}"#.to_owned(), ValidationFailed),
        (format!("[{}]", r#"{"issues":[]}"#), ValidationFailed),
        (format!("[{},5]", issue("x")), ValidationFailed),
        (
            r#"{"issues":[{"file":"<path>","rule_id":"<id>"}]}"#.to_owned(),
            ValidationFailed,
        ),
        (
            r#"{"issues":[{"file":"...","rule_id":"..."}]}"#.to_owned(),
            ValidationFailed,
        ),
        (r#"{"issues":[...]}"#.to_owned(), InvalidJson),
        (
            cut.get(..cut.find("second").unwrap() - 40)
                .unwrap()
                .to_owned(),
            InvalidJson,
        ),
        (r#"{"issues":[]"#.to_owned(), InvalidJson),
        ("```json\n{\"issues\":[]\n```".to_owned(), InvalidJson),
        (broken.to_owned(), InvalidJson),
        (
            r#"{"first":{"issues":[]},"second":[x]}"#.to_owned(),
            InvalidJson,
        ),
        (r#"{"issues":[] "summary":""}"#.to_owned(), InvalidJson),
        // Beside something that was meant as a review and cannot be read nothing else counts.
        (format!("{broken}\n{}", one()), InvalidJson),
        (
            r#"{"issues":[]} {"issues":[{"file":"a"#.to_owned(),
            InvalidJson,
        ),
        (
            r#"{"issues":[]} {"problems":[{"rule_id":"x"}]}"#.to_owned(),
            ValidationFailed,
        ),
        (
            format!(r#"{{"issues":[]}} {}"#, issue("alone")),
            ValidationFailed,
        ),
    ] {
        assert_eq!(said(&text), Err(kind), "{text}");
    }
}

#[test]
fn every_beginning_of_an_answer_is_not_understood() {
    let text = review(&[issue("a `b` {c} [d]"), issue("second")]);
    for end in 0..text.len() {
        let Some(cut) = text.get(..end) else { continue };
        assert!(said(cut).is_err(), "{cut}");
        assert!(said(&format!("```json\n{cut}\n```")).is_err(), "{cut}");
    }
}

#[test]
fn a_line_is_a_line_number_or_none() {
    for (written, line) in [
        ("2", 2),
        ("2.0", 2),
        (r#""2""#, 2),
        (r#"" 2 ""#, 2),
        ("4294967295", u32::MAX),
        ("0", 0),
        ("-3", 0),
        ("2.5", 0),
        ("4294967296", 0),
        ("1e300", 0),
        ("1e999", 0),
        ("NaN", 0),
        ("null", 0),
        ("true", 0),
        ("[2]", 0),
        (r#""2-5""#, 0),
        (r#""""#, 0),
        ("", 0),
    ] {
        let expected = vec![record("ok.rs", line, finding(Severity::Error, "m"))];
        assert_eq!(with_field("line", written), expected, "{written}");
    }
}

#[test]
fn a_severity_is_the_word_or_the_strictest() {
    for (written, severity) in [
        (r#""info""#, Severity::Info),
        (r#"" Warning ""#, Severity::Warning),
        (r#""ERROR""#, Severity::Error),
        (r#""catastrophic""#, Severity::Error),
        (r#""low""#, Severity::Error),
        ("3", Severity::Error),
        ("null", Severity::Error),
        ("", Severity::Error),
    ] {
        let expected = vec![record("ok.rs", 2, finding(severity, "m"))];
        assert_eq!(with_field("severity", written), expected, "{written}");
    }
}

#[test]
fn a_rule_is_one_of_the_catalog() {
    let without = RecordKind::NoRule {
        message: "m".to_owned(),
    };
    let unknown = |id: &str| RecordKind::UnknownRule {
        rule_id: id.to_owned(),
        message: "m".to_owned(),
    };
    for (written, kind) in [
        (r#""quality/dead-code""#, finding(Severity::Error, "m")),
        (r#"" Quality/Dead-Code\n""#, finding(Severity::Error, "m")),
        (r#""`quality/dead-code`""#, finding(Severity::Error, "m")),
        (r#"" Quality/Nothing ""#, unknown("Quality/Nothing")),
        ("7", unknown("7")),
        (r#""""#, without.clone()),
        (r#"" ``""#, without.clone()),
        ("null", without.clone()),
        ("{}", without.clone()),
        ("", without),
    ] {
        let expected = vec![record("ok.rs", 2, kind)];
        assert_eq!(with_field("rule_id", written), expected, "{written}");
    }
}

#[test]
fn a_message_that_is_missing_is_the_title_of_the_rule() {
    for written in ["", "null", r#""""#, r#"" \n""#, "[]"] {
        let expected = vec![record("ok.rs", 2, finding(Severity::Error, "Dead Code"))];
        assert_eq!(with_field("message", written), expected, "{written}");
    }
}

#[test]
fn a_suggestion_is_taken_as_written() {
    let mut expected = one_record("m");
    assert_eq!(with_field("suggestion", r#"["x"]"#), expected);
    assert_eq!(with_field("suggestion", "null"), expected);
    if let Some(Record {
        kind: RecordKind::Finding { suggestion, .. },
        ..
    }) = expected.first_mut()
    {
        *suggestion = Some("  let x = 1;\n".to_owned());
    }
    assert_eq!(with_field("suggestion", r#""  let x = 1;\n""#), expected);
}

#[test]
fn a_finding_without_a_file_is_about_the_one_that_was_asked_about() {
    let text = r#"{"issues":[{"line":2,"message":"x","severity":"error"},
        {"file":"","path":"b.rs","rule_id":"quality/dead-code","message":"y"}]}"#;
    assert_eq!(said(text), Err(NotUnderstood::ValidationFailed));
    assert_eq!(
        read(text, &catalog(), asked(Some("a.rs"))),
        Ok(vec![
            record(
                "a.rs",
                2,
                RecordKind::NoRule {
                    message: "x".to_owned()
                }
            ),
            record("b.rs", 0, finding(Severity::Error, "y")),
        ])
    );
}

#[test]
fn a_path_stays_as_the_model_wrote_it() {
    for path in [".\\src\\b.rs", "./a b.rs", "a/src/é.rs", " x "] {
        let written = serde_json::to_string(path).unwrap();
        let expected = vec![record(path, 2, finding(Severity::Error, "m"))];
        assert_eq!(with_field("file", &written), expected);
    }
}

#[test]
fn line_comments_follow_the_issues() {
    let text = r#"{
        "line_comments": [
            {"path":"b.rs","line":"7","body":"new","rule_id":"quality/dead-code"},
            {"file":"b.rs","line":8,"message":"no rule","severity":"INFO"},
            {"path":"c.rs","line":1,"body":"named","severity":"info","rule_id":"security/xss","suggestion":"s"},
            {"path":"./ok.rs","line":2,"body":"SYNTHETIC\n finding","rule_id":"quality/dead-code"},
            {"path":"b.rs","line":7,"body":"New"},
            {"line":3,"body":"where"},
            {"path":" ","body":null},
            {"path":"b.rs","line":4,"body":" "},
            {"path":"b.rs","line":4,"body":"z","rule_id":"none"}
        ],
        "issues": [{"file":"ok.rs","line":2,"severity":"error","message":"synthetic finding","rule_id":"quality/dead-code"}],
        "iso_scores": {"functional_suitability": "broken", "security": null, "x": [1,
    2]}}"#;
    let text_of = str::to_owned;
    assert_eq!(
        said(text),
        Ok(vec![
            record("ok.rs", 2, finding(Severity::Error, "synthetic finding")),
            record("b.rs", 7, finding(Severity::Warning, "new")),
            record(
                "b.rs",
                8,
                RecordKind::NoRule {
                    message: text_of("no rule")
                }
            ),
            record(
                "c.rs",
                1,
                RecordKind::Finding {
                    severity: Severity::Info,
                    rule_id: text_of("security/xss"),
                    message: text_of("named"),
                    suggestion: Some(text_of("s")),
                }
            ),
            record(
                "./ok.rs",
                2,
                RecordKind::CommentReported {
                    message: text_of("SYNTHETIC\n finding")
                }
            ),
            record(
                "b.rs",
                7,
                RecordKind::CommentReported {
                    message: text_of("New")
                }
            ),
            Record {
                path: None,
                line: 3,
                kind: RecordKind::CommentWithoutPath {
                    message: text_of("where")
                },
            },
            Record {
                path: None,
                line: 0,
                kind: RecordKind::CommentWithoutPath {
                    message: String::new()
                },
            },
            record("b.rs", 4, RecordKind::CommentEmpty),
            record(
                "b.rs",
                4,
                RecordKind::UnknownRule {
                    rule_id: text_of("none"),
                    message: text_of("z"),
                }
            ),
        ])
    );
}

#[test]
fn several_reviews_lose_nothing_and_double_nothing() {
    let (first, second, third) = (issue("first"), issue("second"), issue("third"));
    let draft = review(&[first.clone(), second.clone(), second.clone()]);
    let last = review(&[second, third]);
    let messages = |text: &str| -> Vec<String> {
        said(text)
            .unwrap()
            .into_iter()
            .map(|record| match record.kind {
                RecordKind::Finding { message, .. } => message,
                other => panic!("{other:?}"),
            })
            .collect()
    };
    assert_eq!(
        messages(&format!("{draft}\nOn a second thought:\n{last}\n{last}")),
        ["first", "second", "second", "third"]
    );
    assert_eq!(
        messages(&format!(
            "{}\n{{\"issues\":[]}}",
            review(std::slice::from_ref(&first))
        )),
        ["first"]
    );
    assert_eq!(
        messages(&format!(r#"{{"issues":[{first}],"issues":[]}}"#)),
        ["first"]
    );
}

#[test]
fn hostile_text_is_given_up_without_reading_it_twice() {
    // Each of these would take hours if an attempt began again at every bracket.
    let size = 300_000;
    let one = one();
    for (text, outcome) in [
        ("{".repeat(size), Err(NotUnderstood::InvalidJson)),
        ("[".repeat(size), Err(NotUnderstood::InvalidJson)),
        ("{\"a\":".repeat(size), Err(NotUnderstood::InvalidJson)),
        ("{\"a\" ".repeat(size), Err(NotUnderstood::InvalidJson)),
        ("[\"".repeat(size), Err(NotUnderstood::InvalidJson)),
        ("```json\n".repeat(size), Err(NotUnderstood::NoJsonFound)),
        ("</think>[".repeat(size), Err(NotUnderstood::NoJsonFound)),
        ("<think>".repeat(size), Err(NotUnderstood::NoJsonFound)),
        ("[1,".repeat(size), Err(NotUnderstood::InvalidJson)),
        (
            format!("{}{one}", "{ a ".repeat(size)),
            Ok(one_record("synthetic finding")),
        ),
        (
            format!("x{}{one}", "[{}] ".repeat(size / 5)),
            Ok(one_record("synthetic finding")),
        ),
        (
            format!("\"{}{}\"", " ".repeat(size), "[] ".repeat(size)),
            Err(NotUnderstood::InvalidJson),
        ),
        (
            format!("[{}0]", "0,".repeat(limits::ANSWER_VALUES)),
            Err(NotUnderstood::InvalidJson),
        ),
    ] {
        let start: String = text.chars().take(20).collect();
        assert!(said(&text) == outcome, "{start}");
    }
}

#[test]
fn each_byte_is_read_once() {
    // The search goes on behind whatever an attempt has read, so attempts never overlap.
    for text in [
        "{\"a\": [1, {\"b\" ".repeat(50),
        "[\"x\", {\"a\":{\"b\":} ".repeat(50),
    ] {
        let mut at = 0;
        let mut budget = limits::ANSWER_VALUES;
        while let Some((_, rest)) = next_bracket(&text, at) {
            let start = text.len() - rest.len();
            let reading = json::read(&text, start, &mut budget);
            assert!(start >= at && reading.end > start);
            at = reading.end;
        }
    }
}

#[test]
fn the_bounds_hold_just_under_and_just_over() {
    let padded = |bytes: usize| {
        let clean = r#"{"issues":[]}"#;
        format!("{}x{clean}", " ".repeat(bytes - clean.len() - 1))
    };
    assert_eq!(said(&padded(limits::ANSWER_BYTES)), Ok(vec![]));
    assert_eq!(
        said(&padded(limits::ANSWER_BYTES + 1)),
        Err(NotUnderstood::ValidationFailed)
    );

    let counted = |count: usize| format!("{{\"issues\":[{}]}}", "{\"file\":\"a\"},".repeat(count));
    assert_eq!(
        said(&counted(limits::ANSWER_RECORDS)).map(|records| records.len()),
        Ok(limits::ANSWER_RECORDS)
    );
    assert_eq!(
        said(&counted(limits::ANSWER_RECORDS + 1)),
        Err(NotUnderstood::ValidationFailed)
    );

    let nested = |depth: usize| {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        said(&format!("{{\"issues\":[],\"x\":{open}{close}}}"))
    };
    assert_eq!(nested(limits::ANSWER_DEPTH - 1), Ok(vec![]));
    assert_eq!(
        nested(limits::ANSWER_DEPTH),
        Err(NotUnderstood::InvalidJson)
    );
}

/// Text that is rich in what the reader looks for.
fn jsonish() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("{"),
        Just("}"),
        Just("["),
        Just("]"),
        Just("\""),
        Just("\\"),
        Just(":"),
        Just(","),
        Just("\"issues\":"),
        Just("\"line_comments\":"),
        Just("\"rule_id\":"),
        Just("\"message\":"),
        Just("\"quality/dead-code\""),
        Just("\"file\":\"a\""),
        Just("\\ud83e"),
        Just("<think>"),
        Just("</think>"),
        Just("```"),
        Just("null"),
        Just("-1"),
        Just("..."),
        Just("é🦀"),
        Just(" "),
        Just("\u{feff}"),
        Just("{\"issues\":[]}"),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// One finding as a model may write it, and the record that it is.
fn any_issue() -> impl Strategy<Value = (serde_json::Value, Record)> {
    (
        "[a-z]{1,8}(/[a-zé ]{1,8})?\\.rs",
        any::<u32>(),
        any::<String>().prop_filter("not blank", |text| !text.trim().is_empty()),
        prop_oneof![
            Just(("error", Severity::Error)),
            Just(("Warning", Severity::Warning)),
            Just(("info", Severity::Info)),
            Just(("blocker", Severity::Error)),
        ],
        proptest::option::of("[ -~]{0,12}x"),
    )
        .prop_map(|(path, line, message, (word, severity), suggestion)| {
            let value = serde_json::json!({
                "file": path, "line": line, "severity": word, "message": message,
                "rule_id": "quality/dead-code", "suggestion": suggestion,
            });
            let kind = RecordKind::Finding {
                severity,
                rule_id: "quality/dead-code".to_owned(),
                message,
                suggestion,
            };
            let record = Record {
                path: Some(path),
                line,
                kind,
            };
            (value, record)
        })
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in any::<String>(), odd in jsonish()) {
        let _ = said(&text);
        let _ = read(&odd, &catalog(), asked(Some("a.rs")));
    }

    #[test]
    fn no_more_is_read_than_was_said(text in jsonish()) {
        if let Ok(records) = read(&text, &catalog(), asked(Some("a.rs"))) {
            let objects = text.matches('{').count();
            prop_assert!(records.len() <= objects);
            if records.is_empty() {
                prop_assert!(text.contains("\"issues\":") || text.contains("\"line_comments\":") || text.contains("[]"));
            }
        }
    }

    #[test]
    fn what_stands_around_a_review_changes_nothing(
        issues in proptest::collection::vec(any_issue(), 0..5),
        prose in "[a-zA-Z .,:;!'`\n]{0,40}",
        thought in "[^<]{0,40}",
        style in 0..8,
        pretty in any::<bool>(),
    ) {
        let (values, records): (Vec<_>, Vec<_>) = issues.into_iter().unzip();
        let value = serde_json::json!({ "issues": values, "summary": prose });
        let json = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        let text = match style {
            0 => json,
            1 => format!("```json\n{json}\n```"),
            2 => format!("{prose}\n```\n{json}\n```\n{prose}"),
            3 => format!("{prose}{json}{prose}"),
            4 => format!("\u{feff}{json}"),
            5 => format!("<think>{thought}</think>{prose}{json}"),
            6 => format!("{prose} fn f() {{ g([0; 4]) }} {json} fn f() {{}}"),
            _ => serde_json::to_string(&json).unwrap(),
        };
        prop_assert_eq!(said(&text), Ok(records), "{}", text);
    }

    #[test]
    fn strict_json_is_read_as_every_reader_reads_it(text in any::<String>(), number in any::<i32>()) {
        let written = serde_json::json!([{ "rule_id": text, "n": [number, null, true, {"x": "y"}] }]).to_string();
        let mut budget = limits::ANSWER_VALUES;
        let reading = json::read(&written, 0, &mut budget);
        let expected = Json::List(vec![Json::Object(vec![
            ("n".to_owned(), Json::List(vec![
                Json::Number(f64::from(number)),
                Json::Null,
                Json::Bool,
                Json::Object(vec![("x".to_owned(), Json::Text("y".to_owned()))]),
            ])),
            ("rule_id".to_owned(), Json::Text(text)),
        ])]);
        prop_assert_eq!(reading.value, Ok(expected));
        prop_assert_eq!(reading.end, written.len());
        prop_assert!(reading.claims_review);
    }
}

#[test]
fn empty_lists_beside_findings_under_another_name_are_not_clean() {
    let found = r#"[{"file":"a.rs","line":1,"severity":"error","message":"m"}]"#;
    for text in [
        format!(r#"{{"issues":[],"problems":{found}}}"#),
        format!(r#"{{"findings":{found},"issues":null,"line_comments":[]}}"#),
    ] {
        assert_eq!(said(&text), Err(NotUnderstood::ValidationFailed), "{text}");
    }
}
