//! The same answer looks the same, whatever the cache holds of it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use super::{REVIEW, reused};
use crate::support::{Outcome, Repository, World};

/// A path as a model may write it: of a file of the change, of another, or none.
fn path() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        json!("a.txt"),
        json!("./a.txt"),
        json!("b/a.txt"),
        json!("b\\a.txt"),
        json!(" a.txt"),
        json!("A.txt"),
        json!("src/b.rs"),
        json!(".\\src\\b.rs"),
        json!("a/src/b.rs"),
        json!("src/../src/b.rs"),
        json!("large.txt"),
        json!("d e.txt"),
        json!("ghost.txt"),
        json!("./ghost.txt"),
        json!("../up.txt"),
        json!("a\nb.txt"),
        json!(7),
        json!(" "),
        Value::Null,
    ])
}

fn said() -> impl Strategy<Value = (bool, Value)> {
    let line = prop::sample::select(vec![
        json!(0),
        json!(1),
        json!(2),
        json!("2"),
        json!(-1),
        json!(99_999),
        json!(1.5),
        Value::Null,
    ]);
    let severity = prop::sample::select(vec![
        json!("error"),
        json!("warning"),
        json!("info"),
        json!("CRITICAL"),
        Value::Null,
    ]);
    let rule = prop::sample::select(vec![
        json!("quality/dead-code"),
        json!("quality/dead-code"),
        json!("`Security/XSS`"),
        json!("made/up"),
        json!("x\ny"),
        json!(""),
        Value::Null,
    ]);
    let message = prop::sample::select(vec![
        json!("m"),
        json!("M "),
        json!("two\nlines"),
        json!("`code`"),
        json!(""),
        json!("other"),
    ]);
    let suggestion = prop::sample::select(vec![Value::Null, json!("instead")]);
    // Nearly all issues name a file; an answer in which one does not is no answer.
    (any::<bool>(), path(), line, severity, rule, message, suggestion, 0..12)
        .prop_map(|(is_issue, path, line, severity, rule_id, message, suggestion, rarely)| {
            let nowhere = path.is_null() || path == " ";
            let path = if is_issue && nowhere && rarely > 0 { json!("ghost.txt") } else { path };
            let text = if is_issue { "message" } else { "body" };
            (is_issue, json!({
                "file": path, "line": line, "severity": severity, "rule_id": rule_id, text: message,
                "suggestion": suggestion,
            }))
        })
}

fn answer() -> impl Strategy<Value = String> {
    let twice = any::<bool>();
    (prop::collection::vec(said(), 0..8), twice).prop_map(|(mut said, twice)| {
        if twice {
            said.extend(said.first().cloned());
        }
        let (issues, comments): (Vec<_>, Vec<_>) =
            said.into_iter().partition(|(is_issue, _)| *is_issue);
        let values =
            |said: Vec<(bool, Value)>| said.into_iter().map(|(_, value)| value).collect::<Vec<_>>();
        json!({"issues": values(issues), "line_comments": values(comments)}).to_string()
    })
}

/// What a run shows, but for what it says about its own way.
fn shown(outcome: &Outcome) -> Outcome {
    let mut shown = outcome.clone();
    shown.stderr = outcome
        .stderr
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("aurumcode review: reused "))
        .collect();
    shown
}

#[test]
fn an_answer_is_shown_the_same_cold_and_however_warm() {
    let mut world = World::new();
    let large = "a line of a file that has a call of its own\n".repeat(450);
    Repository::with_change(
        &world,
        &[
            ("a.txt", "one\n", "two\n"),
            ("d e.txt", "", "new\n"),
            ("large.txt", "", &large),
            ("src/b.rs", "one\ntwo\n", "one\nthree\n"),
            ("zlarge.txt", "", &large),
        ],
    );
    world.set("AURUMCODE_CACHE_DIR", "../cache");
    let cache = world.path("cache");
    let forget = |subset: &BTreeSet<usize>| {
        let entries = fs::read_dir(&cache).into_iter().flatten();
        let mut entries: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in subset.iter().filter_map(|index| entries.get(*index)) {
            fs::remove_file(path).unwrap();
        }
    };
    let world = RefCell::new(world);
    let understood = Cell::new(0);
    let subsets = prop::collection::vec(prop::collection::btree_set(0_usize..5, 1..5), 3);
    let config = Config {
        cases: 24,
        failure_persistence: None,
        max_shrink_iters: 100,
        ..Config::default()
    };
    TestRunner::new(config)
        .run(
            &(answer(), any::<bool>(), subsets),
            |(answer, several_calls, subsets)| {
                let _ = fs::remove_dir_all(&cache);
                let mut world = world.borrow_mut();
                world.answer(&answer);
                world.set(
                    "AURUMCODE_CONTEXT_TOKENS",
                    if several_calls { "16000" } else { "" },
                );
                let arguments = [&REVIEW[..], &["--fail-on", "warning"]].concat();
                let cold = world.run(&arguments);
                let warm = world.run(&arguments);
                prop_assert_eq!(shown(&warm), shown(&cold), "warm");
                if cold.code != Some(1) {
                    understood.set(understood.get() + 1);
                    prop_assert!(warm.stderr.contains(reused(5).as_str()));
                }
                for subset in subsets {
                    forget(&subset);
                    prop_assert_eq!(shown(&world.run(&arguments)), shown(&cold), "{:?}", subset);
                }
                prop_assert_eq!(shown(&world.run(&arguments)), shown(&cold), "warm again");
                Ok(())
            },
        )
        .unwrap();
    assert!(understood.get() > 8, "{understood:?}");
}
