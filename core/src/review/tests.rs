//! The way of a review with a scripted model: what is sent, what is said, what is kept.

use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::answer::NotUnderstood;
use crate::change::{ChangeKind, Hunk, LineKind, Notice, RepoPath, SkipReason};
use crate::fakes::{MemoryStore, Recording, Scripted, StillWorld, block_on, completion, files_of};
use crate::provider::{Completion, Effect, ErrorKind, Finish, Identity, Limits, Provider};

/// A file with this many hunks of one changed line.
fn file(path: &str, hunks: u32, word: &str) -> FileChange {
    let hunk = |index: u32| {
        let start = index * 100 + 1;
        let mut hunk = Hunk::new(start, start);
        hunk.push(LineKind::Removed, b"old", true);
        hunk.push(LineKind::Added, format!("{word} {index}").as_bytes(), true);
        hunk
    };
    FileChange {
        path: RepoPath::from(path),
        old_path: None,
        kind: ChangeKind::Modified,
        hunks: (0..hunks).map(hunk).collect(),
        line_count: Some(hunks * 100),
    }
}

fn change(files: &[FileChange]) -> Change {
    Change::new(files.to_vec(), Vec::new())
}

fn three() -> Change {
    change(&[
        file("a.txt", 1, "x"),
        file("b.txt", 1, "x"),
        file("c.txt", 1, "x"),
    ])
}

fn issue(file: &str, line: i64, message: &str) -> Value {
    json!({"file": file, "line": line, "severity": "error", "rule_id": "quality/dead-code", "message": message})
}

fn answer(issues: &[Value]) -> String {
    json!({ "issues": issues }).to_string()
}

fn run_with(change: &Change, source: &Arc<Scripted>, cache: CacheUse<'_>) -> Review {
    let stack = Stack::new("scripted", Arc::clone(source) as Arc<dyn Provider>);
    run_stack(change, &stack, cache)
}

fn run_stack(change: &Change, stack: &Stack, cache: CacheUse<'_>) -> Review {
    let catalog = Catalog::embedded().unwrap();
    let redactor = Redactor::default();
    let setup = Setup {
        stack,
        catalog: &catalog,
        redactor: &redactor,
        cache,
        options: Options {
            concurrent_calls: 4,
        },
        watch: None,
    };
    block_on(review(change, &setup, &StillWorld::default()))
}

fn always(text: String) -> Arc<Scripted> {
    Arc::new(Scripted::new(move |_| Ok(completion(&text))))
}

fn lines(review: &Review) -> Vec<String> {
    let line = |finding: &crate::finding::Finding| {
        format!("{}:{} {}", finding.file, finding.line, finding.message)
    };
    review.findings.iter().map(line).collect()
}

/// What a user sees, apart from what was reused.
fn seen(review: Review) -> Review {
    Review {
        reused: 0,
        ..review
    }
}

#[test]
fn one_call_when_everything_fits() {
    let source = always(answer(&[
        issue("c.txt", 1, "third"),
        issue("a.txt", 1, "first"),
    ]));
    let review = run_with(&three(), &source, CacheUse::Off);
    assert_eq!(lines(&review), ["a.txt:1 first", "c.txt:1 third"]);
    assert_eq!(source.asked_files(), [["a.txt", "b.txt", "c.txt"]]);
    assert!(review.is_complete());
}

#[test]
fn a_change_without_files_is_sent_and_one_that_is_named_is_not() {
    let source = always(answer(&[]));
    assert!(run_with(&change(&[]), &source, CacheUse::Off).is_complete());
    assert_eq!(source.asked_files(), [Vec::<String>::new()]);
    let notice = Notice {
        path: RepoPath::from("b.bin"),
        reason: SkipReason::Binary,
    };
    let named = Change::new(Vec::new(), vec![notice]);
    assert!(run_with(&named, &source, CacheUse::Off).is_complete());
    assert_eq!(source.asked().len(), 1);
}

#[test]
fn lines_that_cannot_be_are_the_file_as_a_whole() {
    let said = [
        issue("a.txt", 0, "zero"),
        issue("a.txt", -3, "negative"),
        issue("a.txt", 101, "past the end"),
        issue("a.txt", 100, "the last"),
        issue("ghost", 999, "elsewhere"),
    ];
    let review = run_with(&three(), &always(answer(&said)), CacheUse::Off);
    assert_eq!(
        lines(&review),
        [
            "a.txt:0 zero",
            "a.txt:0 negative",
            "a.txt:0 past the end",
            "a.txt:100 the last",
            "ghost:999 elsewhere"
        ]
    );
}

#[test]
fn only_misses_are_sent() {
    let store = MemoryStore::default();
    let source = always(answer(&[issue("a.txt", 1, "first")]));
    let cold = run_with(&three(), &source, CacheUse::On(&store));
    let warm = run_with(&three(), &source, CacheUse::On(&store));
    assert_eq!((source.asked().len(), warm.reused), (1, 3));
    assert_eq!(seen(cold), seen(warm));
    let edited = change(&[
        file("a.txt", 1, "x"),
        file("b.txt", 1, "y"),
        file("c.txt", 1, "x"),
    ]);
    let partly = run_with(&edited, &source, CacheUse::On(&store));
    assert_eq!(source.asked_files()[1..], [["b.txt"]]);
    assert_eq!(
        (partly.reused, lines(&partly)),
        (2, vec!["a.txt:1 first".to_owned()])
    );
}

#[test]
fn refreshing_serves_nothing_and_stores() {
    let store = MemoryStore::default();
    let source = always(answer(&[]));
    run_with(&three(), &source, CacheUse::Refresh(&store));
    run_with(&three(), &source, CacheUse::Refresh(&store));
    assert_eq!((source.asked().len(), store.keys().len()), (2, 3));
}

#[test]
fn an_answer_of_nobody_is_never_stored_or_served() {
    let store = MemoryStore::default();
    let mut source = Scripted::new(|_| Ok(completion("[]")));
    source.identity = Identity::unstated();
    let source = Arc::new(source);
    run_with(&three(), &source, CacheUse::On(&store));
    run_with(&three(), &source, CacheUse::On(&store));
    assert_eq!((source.asked().len(), store.keys().len()), (2, 0));
}

#[test]
fn stale_words_about_an_edited_file_are_not_served() {
    let store = MemoryStore::default();
    // The call about a.txt alone says something about two files that are not in the change.
    let one = always(answer(&[
        issue("b.txt", 1, "stale"),
        issue("ghost", 1, "outside"),
    ]));
    let only_a = change(&[file("a.txt", 1, "x")]);
    run_with(&only_a, &one, CacheUse::On(&store));
    let silent = always(answer(&[]));
    let both = change(&[file("a.txt", 1, "x"), file("b.txt", 1, "y")]);
    let review = run_with(&both, &silent, CacheUse::On(&store));
    assert_eq!(lines(&review), ["ghost:1 outside"]);
    // When the file that was outside joins the change, what was said before it did is stale too.
    let joined = change(&[file("a.txt", 1, "x"), file("ghost", 1, "z")]);
    let review = run_with(&joined, &silent, CacheUse::On(&store));
    assert_eq!(lines(&review), ["b.txt:1 stale"]);
}

#[test]
fn a_model_that_answers_otherwise_shares_nothing() {
    let store = MemoryStore::default();
    let first = always(answer(&[issue("a.txt", 1, "one")]));
    run_with(&three(), &first, CacheUse::On(&store));
    let mut other = Scripted::new(|_| Ok(completion("[]")));
    other.model = "other";
    let other = Arc::new(other);
    assert_eq!(run_with(&three(), &other, CacheUse::On(&store)).reused, 0);
    assert_eq!(store.keys().len(), 6);
}

/// A window that takes one of these files and not two.
fn small_window() -> Limits {
    let fixed = PromptBuilder::new(&Catalog::embedded().unwrap()).fixed_bytes();
    Limits {
        context_tokens: Some((fixed + 150) / 3 + 10),
        output_tokens: Some(10),
    }
}

#[test]
fn what_does_not_fit_one_call_goes_into_several_in_order() {
    let mut source = Scripted::new(|request| {
        let files = files_of(request);
        Ok(completion(&answer(&[issue(
            &files[0],
            1,
            &format!("call {}", request.call.number),
        )])))
    });
    source.limits = small_window();
    // Later calls end first.
    source.turns = |number| 10 - number;
    let source = Arc::new(source);
    let review = run_with(&three(), &source, CacheUse::Off);
    assert_eq!(source.asked_files(), [["a.txt"], ["b.txt"], ["c.txt"]]);
    assert_eq!(
        lines(&review),
        ["a.txt:1 call 1", "b.txt:1 call 2", "c.txt:1 call 3"]
    );
    let calls: Vec<_> = source
        .asked()
        .iter()
        .map(|request| (request.call.number, request.call.of))
        .collect();
    assert_eq!(calls, [(1, 3), (2, 3), (3, 3)]);
}

#[test]
fn a_file_that_does_not_fit_goes_by_its_hunks_and_is_stored_whole() {
    let mut source = Scripted::new(|request| {
        let number = request.call.number;
        Ok(completion(&answer(&[issue(
            "big.txt",
            i64::from(number),
            "part",
        )])))
    });
    source.limits = small_window();
    let source = Arc::new(source);
    let store = MemoryStore::default();
    let big = change(&[file("big.txt", 4, "x")]);
    let cold = run_with(&big, &source, CacheUse::On(&store));
    assert!(source.asked().len() > 1);
    for hunk in 0..4 {
        let shown = format!("+x {hunk}\n");
        let times: usize = source
            .asked()
            .iter()
            .map(|asked| asked.prompt.material.matches(&shown).count())
            .sum();
        assert_eq!(times, 1, "{shown}");
    }
    assert_eq!(store.keys().len(), 1);
    let calls = source.asked().len();
    assert_eq!(
        seen(cold),
        seen(run_with(&big, &source, CacheUse::On(&store)))
    );
    assert_eq!(source.asked().len(), calls);
}

fn too_long(limit_tokens: Option<u64>) -> ProviderError {
    ProviderError::new(ErrorKind::TooLong { limit_tokens }, "too long")
}

#[test]
fn a_request_that_is_too_long_is_halved_until_it_fits() {
    let source = Arc::new(Scripted::new(|request| {
        if files_of(request).len() > 1 {
            Err(too_long(None))
        } else {
            Ok(completion("[]"))
        }
    }));
    let review = run_with(&three(), &source, CacheUse::Off);
    assert!(review.is_complete(), "{review:?}");
    let mut asked = source.asked_files();
    assert_eq!(asked.remove(0).len(), 3);
    asked.retain(|files| files.len() == 1);
    assert_eq!(asked.len(), 3);
}

#[test]
fn a_window_that_the_endpoint_names_is_kept_to() {
    let window = small_window().context_tokens;
    let source = Arc::new(Scripted::new(move |request| {
        if files_of(request).len() > 1 {
            Err(too_long(window))
        } else {
            Ok(completion("[]"))
        }
    }));
    let review = run_with(&three(), &source, CacheUse::Off);
    assert!(review.is_complete(), "{review:?}");
    let counts: Vec<_> = source.asked_files().iter().map(Vec::len).collect();
    assert_eq!(counts, [3, 1, 1, 1]);
}

#[test]
fn one_hunk_that_is_too_long_is_named() {
    let source = Arc::new(Scripted::new(|request| {
        if files_of(request).contains(&"b.txt".to_owned()) {
            Err(too_long(None))
        } else {
            Ok(completion("[]"))
        }
    }));
    let review = run_with(&three(), &source, CacheUse::Off);
    let failed: Vec<_> = review
        .failures
        .iter()
        .map(|failure| failure.path.display())
        .collect();
    assert_eq!((failed, review.reviewed()), (vec!["b.txt".into()], 2));
    assert_eq!(
        review.first_failure,
        Some(FailureCause::Call(too_long(None)))
    );
}

fn cut(text: &str) -> Completion {
    Completion {
        finish: Finish::Length,
        ..completion(text)
    }
}

#[test]
fn a_cut_answer_is_asked_again_in_halves_and_never_clean() {
    let source = Arc::new(Scripted::new(|request| {
        let files = files_of(request);
        Ok(if files.len() > 1 || files[0] == "c.txt" {
            cut(&answer(&[]))
        } else {
            completion(&answer(&[issue(&files[0], 1, "found")]))
        })
    }));
    let store = MemoryStore::default();
    let review = run_with(&three(), &source, CacheUse::On(&store));
    assert_eq!(lines(&review), ["a.txt:1 found", "b.txt:1 found"]);
    assert_eq!(
        review.first_failure,
        Some(FailureCause::Cut { tokens: None })
    );
    assert_eq!((review.reviewed(), store.keys().len()), (2, 2));
}

#[test]
fn an_answer_that_is_none_is_never_clean_and_never_stored() {
    let cases = [
        (completion(" "), NotUnderstood::Empty),
        (completion("Looks good to me."), NotUnderstood::NoJsonFound),
        (
            completion("{\"problems\":[]}"),
            NotUnderstood::ValidationFailed,
        ),
        (
            Completion {
                finish: Finish::Refused("no".to_owned()),
                ..completion("[]")
            },
            NotUnderstood::Refused,
        ),
        (
            Completion {
                finish: Finish::Filtered,
                ..completion("[]")
            },
            NotUnderstood::Filtered,
        ),
    ];
    for (completion, kind) in cases {
        let source = Arc::new(Scripted::new(move |_| Ok(completion.clone())));
        let store = MemoryStore::default();
        let review = run_with(&three(), &source, CacheUse::On(&store));
        assert_eq!(
            review.first_failure,
            Some(FailureCause::NotUnderstood(kind))
        );
        assert_eq!(
            (review.reviewed(), store.keys().len(), source.asked().len()),
            (0, 0, 1)
        );
    }
}

#[test]
fn what_was_paid_for_before_a_failure_is_kept() {
    let failing = Arc::new(Mutex::new(true));
    let fails = Arc::clone(&failing);
    let mut source = Scripted::new(move |request| {
        let file = &files_of(request)[0];
        if file == "b.txt" && *fails.lock().unwrap() {
            return Err(ProviderError::new(ErrorKind::Transport, "cut off"));
        }
        Ok(completion(&answer(&[issue(file, 1, "found")])))
    });
    source.limits = small_window();
    let source = Arc::new(source);
    let store = MemoryStore::default();
    let first = run_with(&three(), &source, CacheUse::On(&store));
    assert_eq!(lines(&first), ["a.txt:1 found", "c.txt:1 found"]);
    assert_eq!((first.reviewed(), first.is_complete()), (2, false));
    *failing.lock().unwrap() = false;
    let second = run_with(&three(), &source, CacheUse::On(&store));
    assert_eq!(source.asked_files()[3..], [["b.txt"]]);
    assert_eq!(
        (second.reused, second.is_complete(), second.findings.len()),
        (2, true, 3)
    );
}

#[test]
fn a_failure_that_ends_the_run_starts_no_further_call() {
    let mut source =
        Scripted::new(|_| Err(ProviderError::new(ErrorKind::Authentication, "wrong key")));
    source.limits = small_window();
    let source = Arc::new(source);
    let files: Vec<_> = (0..9)
        .map(|index| file(&format!("{index}.txt"), 1, "x"))
        .collect();
    let review = run_with(&change(&files), &source, CacheUse::Off);
    assert_eq!(source.asked().len(), 1);
    assert_eq!(review.failures.len(), 9);
    assert_eq!(review.first_failure.unwrap().to_string(), "wrong key");
    assert_eq!(review.failures[8].cause, FailureCause::NotStarted);
}

#[test]
fn a_layer_that_refuses_the_plan_ends_the_run_before_anything_is_sent() {
    let source = always("[]".to_owned());
    let mut layer = Recording::new(Effect::Transparent, &Arc::default());
    layer.refuse = Some(ProviderError::new(ErrorKind::BudgetExhausted, "too dear"));
    let stack = Stack::new("s", Arc::clone(&source) as Arc<dyn Provider>)
        .wrapped("refusing", Arc::new(layer));
    let review = run_stack(&three(), &stack, CacheUse::Off);
    assert_eq!((source.asked().len(), review.reviewed()), (0, 0));
    assert_eq!(review.first_failure.unwrap().to_string(), "too dear");
}

#[test]
fn the_cap_that_the_stack_leaves_is_asked_for_and_keyed() {
    let source = always("[]".to_owned());
    let store = MemoryStore::default();
    for cap in [None, Some(50), Some(60)] {
        let mut layer = Recording::new(Effect::Transparent, &Arc::default());
        layer.output_tokens = cap;
        let stack = Stack::new("s", Arc::clone(&source) as Arc<dyn Provider>)
            .wrapped("cap", Arc::new(layer));
        assert_eq!(run_stack(&three(), &stack, CacheUse::On(&store)).reused, 0);
    }
    let caps: Vec<_> = source
        .asked()
        .iter()
        .map(|request| request.output_cap)
        .collect();
    assert_eq!(caps, [None, Some(50), Some(60)]);
}

/// One thing that a model may say, about any file in any spelling.
fn anything() -> impl Strategy<Value = (bool, Value)> {
    let path = prop::sample::select(vec![
        "a.txt",
        "./a.txt",
        "a/b.txt",
        "b.txt",
        "b\\b.txt",
        "c.txt",
        "ghost.txt",
        "./ghost.txt",
        "a/ghost",
    ]);
    let rule = prop::sample::select(vec![
        json!("quality/dead-code"),
        json!("security/xss"),
        json!("made/up"),
        json!("other"),
        Value::Null,
    ]);
    let message = prop::sample::select(vec!["one", "ONE ", "two", ""]);
    let line = prop::sample::select(vec![0, 1, 2, 100, 5000]);
    (any::<bool>(), path, rule, message, line).prop_map(|(comment, path, rule, message, line)| {
        let path = if comment && line == 5000 { Value::Null } else { json!(path) };
        let said = json!({"file": path, "line": line, "severity": "info", "rule_id": rule, "message": message});
        (comment, said)
    })
}

proptest! {
    /// Nobody can tell from what is shown what came from the cache.
    #[test]
    fn cold_partly_warm_and_warm_show_the_same(
        said in prop::collection::vec(anything(), 0..12),
        keep in 0_u32..8,
        split in any::<bool>(),
        edit in any::<bool>(),
    ) {
        let of = |comment: bool| -> Vec<Value> {
            said.iter().filter(|(is, _)| *is == comment).map(|(_, said)| said.clone()).collect()
        };
        let text = json!({"issues": of(false), "line_comments": of(true)}).to_string();
        let mut source = Scripted::new(move |_| Ok(completion(&text)));
        if split {
            source.limits = small_window();
        }
        let source = Arc::new(source);
        let store = MemoryStore::default();
        run_with(&three(), &source, CacheUse::On(&store));
        let now = if edit {
            change(&[file("a.txt", 1, "x"), file("b.txt", 1, "edited"), file("c.txt", 1, "x")])
        } else {
            three()
        };
        let fresh = run_with(&now, &source, CacheUse::Off);
        prop_assert!(fresh.is_complete());
        for store in [store.some(keep), store.some(7)] {
            let before = source.asked().len();
            let served = run_with(&now, &source, CacheUse::On(&store));
            prop_assert_eq!(seen(fresh.clone()), seen(served));
            // And once more, with what that run stored.
            let between = source.asked().len();
            let again = run_with(&now, &source, CacheUse::On(&store));
            prop_assert_eq!(seen(fresh.clone()), seen(again));
            prop_assert_eq!(source.asked().len(), between);
            prop_assert!(between - before <= 3);
        }
    }
}
