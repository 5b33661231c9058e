//! What is sent again and what is not, and what a cache directory may do to a review.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::{Duration, SystemTime};

use insta::assert_snapshot;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::support::{Endpoint, Outcome, Repository, World, completion, finding, project};

/// Far more than anything here takes.
const LIMIT: Duration = Duration::from_secs(30);

const REVIEW: [&str; 3] = ["review", "--base", "base"];

/// A world with two changed files and a cache directory.
fn world() -> World {
    let mut world = World::new();
    Repository::with_change(
        &world,
        &[
            ("a.txt", "one\n", "two\n"),
            ("b.txt", "one\n", "one\ntwo\n"),
        ],
    );
    let cache = world.path("cache");
    world.set("AURUMCODE_CACHE_DIR", cache);
    world
}

/// The same with an answer about both.
fn answered_world() -> World {
    let mut world = world();
    let issue = |file: &str, message: &str| json!({"file": file, "line": 1, "severity": "info", "rule_id": "quality/dead-code", "message": message});
    world.answer_issues(&[
        issue("a.txt", "First."),
        issue("b.txt", "Second."),
        issue("c", "Third."),
    ]);
    world
}

fn reused(files: usize) -> String {
    format!("aurumcode review: reused {files} file(s) from cache (not resent to the model)\n")
}

fn both() -> Vec<Vec<String>> {
    vec![vec!["a.txt".to_owned(), "b.txt".to_owned()]]
}

#[test]
fn a_file_is_sent_once() {
    let endpoint = Endpoint::reviewing();
    let mut world = World::new();
    endpoint.serve(&mut world);
    let cache = world.path("cache");
    world.set("AURUMCODE_CACHE_DIR", cache);
    let repository = Repository::new(&world);
    repository.write("a.txt", "one\n");
    repository.write("b.txt", "one\n");
    repository.commit("base");
    repository.git(&["switch", "--quiet", "--create", "feature"]);
    repository.write("a.txt", "two\n");
    repository.write("b.txt", "two\n");
    repository.commit("change");
    let check = |directory: &str, base: &str, hits: usize, sent: &[&[&str]]| {
        let outcome = world.run(&[
            "-C",
            directory,
            "review",
            "--base",
            base,
            "--fail-on",
            "medium",
        ]);
        let stdout = finding("a.txt") + &finding("b.txt");
        let mut stderr = if hits > 0 {
            reused(hits)
        } else {
            String::new()
        };
        stderr.push_str(
            "aurumcode review: 2 finding(s) at severity warning or above (--fail-on warning)\n",
        );
        assert_eq!(outcome, Outcome::expected(3, &stdout, &stderr));
        assert_eq!(endpoint.sent(), sent);
    };
    check(".", "main", 0, &[&["a.txt", "b.txt"]]);
    check(".", "main", 2, &[]);

    repository.write("b.txt", "three\n");
    repository.commit("edit");
    check(".", "main", 1, &[&["b.txt"]]);

    repository.git(&["switch", "--quiet", "main"]);
    repository.write("c.txt", "moved\n");
    repository.commit("the base moves");
    repository.git(&["rebase", "--quiet", "main", "feature"]);
    check(".", "main", 2, &[]);

    repository.git(&["commit", "--quiet", "--amend", "--message", "other words"]);
    check(".", "main", 2, &[]);

    repository.git(&["clone", "--quiet", ".", "../clone"]);
    check("../clone", "origin/main", 2, &[]);
    let copied = world.command("cp").args(["-R", ".", "../copy"]).status();
    assert!(copied.unwrap().success());
    check("../copy", "main", 2, &[]);
}

#[test]
fn whatever_shapes_the_answer_is_a_miss() {
    let endpoint = Endpoint::reviewing();
    let other = Endpoint::reviewing();
    let mut world = world();
    endpoint.serve(&mut world);
    let misses = |world: &World, arguments: &[&str], endpoint: &Endpoint| {
        let arguments = [&REVIEW[..], arguments].concat();
        world.run(&arguments);
        assert_eq!(endpoint.sent(), both(), "{arguments:?}");
        world.run(&arguments);
        assert!(endpoint.sent().is_empty(), "{arguments:?}");
    };
    let hits = |world: &World, arguments: &[&str], endpoint: &Endpoint| {
        world.run(&[&REVIEW[..], arguments].concat());
        assert!(endpoint.sent().is_empty(), "{arguments:?}");
    };
    misses(&world, &[], &endpoint);
    misses(&world, &["--modelo", "one model"], &endpoint);
    world.set("LLM_MODEL", "another model");
    misses(&world, &[], &endpoint);
    // A metered run has entries of its own, whatever its ceiling, for each model that answers.
    misses(&world, &["--limite", "1"], &endpoint);
    hits(&world, &["--limite", "2"], &endpoint);
    world.set("LLM_MODEL", "a third model");
    misses(&world, &["--limite", "1"], &endpoint);
    hits(&world, &["--limite", "0.9"], &endpoint);
    misses(
        &world,
        &["--limite", "1", "--modelo", "a third model"],
        &endpoint,
    );
    misses(&world, &[], &endpoint);
    // Who pays shapes nothing.
    world.set("LLM_API_KEY", "key");
    hits(&world, &[], &endpoint);
    other.serve(&mut world);
    misses(&world, &[], &other);
    endpoint.serve(&mut world);
    hits(&world, &[], &endpoint);
    world.set("AURUMCODE_MAX_OUTPUT_TOKENS", "2000");
    misses(&world, &[], &endpoint);
}

#[test]
fn another_text_of_the_fixture_is_another_answer() {
    let mut world = answered_world();
    let cold = world.run(&REVIEW);
    assert_eq!(cold.stderr, "");
    assert_eq!(world.run(&REVIEW).stderr, reused(2));
    world.answer_issues(&[]);
    let other = world.run(&REVIEW);
    assert_eq!(other, Outcome::expected(0, "No issues found.\n", ""));
    assert_eq!(world.names("cache").len(), 4);
}

#[test]
fn a_run_without_a_cache_and_one_that_refreshes_it() {
    let endpoint = Endpoint::reviewing();
    let mut world = world();
    endpoint.serve(&mut world);
    let cold = world.run(&REVIEW);
    let entries = world.names("cache");
    assert_eq!(entries.len(), 2);
    endpoint.sent();

    for flag in ["--no-cache", "--refresh"] {
        assert_eq!(world.run(&[&REVIEW[..], &[flag]].concat()), cold, "{flag}");
        assert_eq!(endpoint.sent(), both(), "{flag}");
        assert_eq!(world.names("cache"), entries);
    }
    for name in &entries {
        fs::write(world.path("cache").join(name), "{}").unwrap();
    }
    world.run(&[&REVIEW[..], &["--no-cache"]].concat());
    world.run(&[&REVIEW[..], &["--refresh"]].concat());
    endpoint.sent();
    assert_eq!(world.run(&REVIEW).stderr, reused(2));
    let clash = world.run(&[&REVIEW[..], &["--refresh", "--no-cache"]].concat());
    assert_snapshot!(clash, @r"
    exit 2
    -- stdout
    -- stderr
    aurumcode review: --refresh keeps the new answers and --no-cache keeps nothing; give one of them
    ");
}

#[test]
fn what_two_reviewed_files_leave() {
    let mut world = World::new();
    let demo = project().join("fixtures/repos/git-demo/repo.git");
    let demo = demo.to_str().unwrap();
    Repository::existing(&world).git(&["clone", "--quiet", demo, "."]);
    let cache = world.path("deep/er/cache");
    world.set("AURUMCODE_CACHE_DIR", &cache);
    world.answer_issues(&[]);
    let outcome = world.run(&["review", "--base", "HEAD~1"]);
    assert_eq!(outcome, Outcome::expected(0, "No issues found.\n", ""));
    let mode = |path: &Path| fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode(&cache), 0o700);
    let names = world.names("deep/er/cache");
    assert_eq!(names.len(), 2);
    let mut notes = 0;
    for name in names {
        let digits = name.strip_suffix(".json").unwrap();
        assert_eq!(digits.len(), 64);
        assert!(
            digits
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        );
        assert_eq!(mode(&cache.join(&name)), 0o600);
        let text = fs::read_to_string(cache.join(&name)).unwrap();
        notes += usize::from(text.contains("\"NOTES.txt\""));
    }
    assert_eq!(notes, 1);
}

/// Whatever stands where an entry should be, the review is that of a run without it.
#[test]
fn what_is_no_entry_is_not_there() {
    let world = answered_world();
    let cold = world.run(&REVIEW);
    let cache = world.path("cache");
    let names = world.names("cache");
    let good: Vec<Vec<u8>> = names
        .iter()
        .map(|name| fs::read(cache.join(name)).unwrap())
        .collect();
    let elsewhere = world.path("elsewhere");

    let broken: [(&str, fn(&[u8], &[u8]) -> Vec<u8>); 9] = [
        ("an empty object", |_, _| b"{}".to_vec()),
        ("null", |_, _| b"null".to_vec()),
        ("nothing", |_, _| Vec::new()),
        ("torn", |own, _| own[..own.len() / 2].to_vec()),
        ("one byte more", |own, _| [own, b"\n"].concat()),
        ("another file's", |_, other| other.to_vec()),
        ("a changed message", |own, _| {
            String::from_utf8_lossy(own)
                .replace("First", "Fifth")
                .replace("Second", "Fourth")
                .into_bytes()
        }),
        ("another version", |own, _| {
            String::from_utf8_lossy(own)
                .replacen("\"aurumcode_entry\":1", "\"aurumcode_entry\":2", 1)
                .into_bytes()
        }),
        ("bytes", |_, _| vec![0xff; 100_000]),
    ];
    for (what, make) in broken {
        for (index, name) in names.iter().enumerate() {
            fs::write(cache.join(name), make(&good[index], &good[1 - index])).unwrap();
        }
        assert_eq!(world.run(&REVIEW), cold, "{what}");
        assert_eq!(world.run(&REVIEW).stderr, reused(2), "{what} is replaced");
    }

    let place = |name: &str, make: &dyn Fn(&Path)| {
        let path = cache.join(name);
        fs::remove_file(&path).unwrap();
        make(&path);
    };
    for (index, name) in names.iter().enumerate() {
        fs::write(&elsewhere, &good[index]).unwrap();
        place(name, &|path| symlink(&elsewhere, path).unwrap());
        let once = world.run(&REVIEW);
        assert_eq!(
            (&once.stdout, &once.stderr),
            (&cold.stdout, &reused(1)),
            "a link"
        );
        assert_eq!(fs::read(&elsewhere).unwrap(), good[index]);
        assert!(fs::symlink_metadata(cache.join(name)).unwrap().is_file());
    }
    for name in &names {
        place(name, &|path| {
            let made = world.command("mkfifo").arg(path).status();
            assert!(made.unwrap().success());
        });
    }
    assert_eq!(world.run(&REVIEW), cold, "a pipe");
    assert_eq!(world.run(&REVIEW).stderr, reused(2), "a pipe is replaced");
    for name in &names {
        place(name, &|path| fs::create_dir(path).unwrap());
    }
    assert_eq!(world.run(&REVIEW), cold, "a directory");
    assert_eq!(world.run(&REVIEW), cold, "a directory stays");
    assert_eq!(world.names("cache"), names);
}

#[test]
fn a_directory_that_cannot_be_used_changes_nothing() {
    let mut world = answered_world();
    let cold = world.run(&REVIEW);
    fs::write(world.path("file"), "mine").unwrap();
    symlink("nowhere", world.path("dangling")).unwrap();
    fs::DirBuilder::new()
        .mode(0o500)
        .create(world.path("read-only"))
        .unwrap();
    for directory in [
        "file",
        "file/below",
        "read-only",
        "dangling",
        "/proc/none",
        "/dev/null",
    ] {
        let directory = world.path(directory);
        world.set("AURUMCODE_CACHE_DIR", directory);
        assert_eq!(world.run(&REVIEW), cold);
    }
    assert_eq!(fs::read(world.path("file")).unwrap(), b"mine");
    assert_eq!(world.names("tmp"), [""; 0]);
}

#[test]
fn the_directory_of_a_bare_run_is_gone_at_its_end() {
    let mut world = answered_world();
    world.set("AURUMCODE_CACHE_DIR", "");
    let first = world.run(&REVIEW);
    assert_eq!(first.stderr, "");
    assert_eq!(world.run(&REVIEW), first);
    assert_eq!(world.names("tmp"), [""; 0]);
}

#[test]
fn many_processes_share_one_directory() {
    let world = answered_world();
    let expected = world.run(&[&REVIEW[..], &["--no-cache"]].concat());
    for _ in 0..2 {
        let runs: Vec<_> = (0..8)
            .map(|_| {
                let mut command = world.aurumcode(&REVIEW);
                command.stdout(Stdio::piped()).stderr(Stdio::piped());
                command.spawn().unwrap()
            })
            .collect();
        for run in runs {
            let outcome = Outcome::new(&run.wait_with_output().unwrap(), &world.work());
            assert_eq!(
                (outcome.code, outcome.stdout),
                (expected.code, expected.stdout.clone())
            );
        }
        assert_eq!(world.names("cache").len(), 2);
    }
    assert_eq!(world.run(&REVIEW).stderr, reused(2));
}

/// The writer is killed while it waits for the answer to its second call.
#[test]
fn a_killed_process_keeps_what_it_has_paid_for() {
    let (waits, waiting) = mpsc::channel();
    let endpoint = Endpoint::new(move |call| {
        let answer = completion(&call.review(), None);
        if call.number == 2 {
            waits.send(()).unwrap();
            return answer.set_delay(2 * LIMIT);
        }
        answer
    });
    let mut world = World::new();
    endpoint.serve(&mut world);
    let large = "a line of a file that has a call of its own\n".repeat(450);
    Repository::with_change(&world, &[("a.txt", "", &large), ("b.txt", "", &large)]);
    let cache = world.path("cache");
    world.set("AURUMCODE_CACHE_DIR", cache);
    world.set("AURUMCODE_CONTEXT_TOKENS", "16000");

    let mut child = world
        .aurumcode(&[&REVIEW[..], &["--concurrent-calls", "1"]].concat())
        .spawn()
        .unwrap();
    waiting.recv_timeout(LIMIT).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(world.names("cache").len(), 1);
    assert!(world.names("cache")[0].ends_with(".json"));
    endpoint.sent();

    let rest = world.run(&REVIEW);
    let stdout = finding("a.txt") + &finding("b.txt");
    assert_eq!(rest, Outcome::expected(0, &stdout, &reused(1)));
    assert_eq!(endpoint.sent(), [["b.txt"]]);
}

#[test]
fn what_a_killed_writer_left_goes_and_what_is_foreign_stays() {
    let world = answered_world();
    let cache = world.path("cache");
    fs::create_dir(&cache).unwrap();
    let digits = "0".repeat(64);
    let foreign = ["notes.tmp", "x.json", ".lock"];
    for name in foreign {
        fs::write(cache.join(name), "mine").unwrap();
    }
    fs::write(cache.join(format!("{digits}.12345.tmp")), "{\"aurumco").unwrap();
    world.run(&REVIEW);
    let names = world.names("cache");
    assert_eq!(names.len(), 2 + foreign.len(), "{names:?}");
    let cleared = world.run(&["cache", "clear"]);
    assert_eq!(cleared.code, Some(0), "{cleared}");
    assert_eq!(world.names("cache"), [".lock", "notes.tmp", "x.json"]);
}

#[test]
fn no_secret_reaches_the_directory() {
    let mut world = World::new();
    let canary = ["canary", "7f3a", "of", "this", "run"].join("-");
    let key = ["key", "91c2", "of", "this", "run"].join("-");
    let token = format!("{}{}", "ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let leak = format!("{canary} {key} {token}");
    let endpoint = {
        let leak = leak.clone();
        Endpoint::new(move |call| {
            let finding = |path: &str| {
                json!({"file": path, "line": 1, "severity": "error", "rule_id": "security/hardcoded-secret",
                       "message": format!("It is {leak}."), "suggestion": leak})
            };
            let unknown = json!({"file": "a.txt", "line": 1, "rule_id": leak, "message": leak});
            let comment = json!({"line": 1, "body": leak});
            let answer = json!({"issues": [finding(&call.files()[0]), finding("a.txt"), finding(&leak), unknown],
                                "line_comments": [comment]});
            completion(&answer.to_string(), None)
        })
    };
    endpoint.serve(&mut world);
    world.set("LLM_API_KEY", &key);
    world.set("LLM_MODEL", &canary);
    world.set("AURUM_SECRET_CANARY", &canary);
    let cache = world.path("cache");
    world.set("AURUMCODE_CACHE_DIR", &cache);
    Repository::with_change(
        &world,
        &[
            ("a.txt", "one\n", &format!("x {leak}\n")),
            (&format!("{canary}.txt"), "", "new\n"),
        ],
    );
    let cold = world.run(&REVIEW);
    let warm = world.run(&REVIEW);
    assert_eq!((cold.code, &cold.stdout), (warm.code, &warm.stdout));
    assert_eq!(warm.stderr, reused_last(&cold.stderr, 2));
    let mut written = vec![cold.to_string(), warm.to_string()];
    assert_eq!(world.names("cache").len(), 2);
    for name in world.names("cache") {
        written.push(fs::read_to_string(cache.join(&name)).unwrap());
        written.push(name);
    }
    for secret in [&canary, &key, &token] {
        assert!(
            written.iter().all(|text| !text.contains(secret.as_str())),
            "{written:?}"
        );
    }
}

/// Returns what a warm run says where a cold one has said `cold`.
fn reused_last(cold: &str, files: usize) -> String {
    cold.to_owned() + &reused(files)
}

#[test]
fn the_commands_that_look_into_a_directory() {
    let mut world = answered_world();
    let cache = world.path("cache");
    let none = World::new().run(&["cache", "stats"]);
    assert_snapshot!(none, @r"
    exit 2
    -- stdout
    -- stderr
    aurumcode cache stats: no cache directory is named: set AURUMCODE_CACHE_DIR or give --dir
    ");
    assert_snapshot!(world.run(&["cache", "stats"]), @r"
    exit 1
    -- stdout
    -- stderr
    aurumcode cache stats: the cache directory <scratch>/cache is not there
    ");
    assert_snapshot!(world.run(&["cache", "explain", "--base", "base", "b.txt"]).masked(), @r"
    exit 0
    -- stdout
    b.txt <digest> miss: there is no cache directory
      key version: <n> bytes, <digest>
      identity: <n> bytes, <digest>
      identity: response: <n> bytes, <digest>
      identity: source: <n> bytes, <digest>
      identity: model: <n> bytes, <digest>
      prompt: <n> bytes, <digest>
      output cap: <n> bytes, <digest>
      path: <n> bytes, <digest>
      old path: <n> bytes, <digest>
      kind: <n> bytes, <digest>
      language: <n> bytes, <digest>
      hunks: <n> bytes, <digest>
      hunk old start: <n> bytes, <digest>
      hunk new start: <n> bytes, <digest>
      hunk lines: <n> bytes, <digest>
      hunk marks: <n> bytes, <digest>
      hunk text: <n> bytes, <digest>
    -- stderr
    ");

    world.run(&REVIEW);
    let mut names = world.names("cache");
    // The larger entry is the older one.
    names.sort_by_key(|name| std::cmp::Reverse(fs::metadata(cache.join(name)).unwrap().len()));
    for (name, hours) in names.iter().zip([1_000, 2_000]) {
        let time = SystemTime::UNIX_EPOCH + Duration::from_hours(hours);
        fs::File::open(cache.join(name))
            .unwrap()
            .set_modified(time)
            .unwrap();
    }
    fs::write(cache.join(format!("{}.json", "0".repeat(64))), "{}").unwrap();
    fs::write(cache.join("foreign"), "x").unwrap();
    symlink("foreign", cache.join(format!("{}.json", "1".repeat(64)))).unwrap();
    assert_snapshot!(world.run(&["cache", "stats"]), @r"
    exit 0
    -- stdout
    entries: 2 file(s), 1.1 KiB
      model fixture: 2 file(s), 1.1 KiB
    oldest: 1970-02-11T16:00:00Z
    newest: 1970-03-25T08:00:00Z
    unusable: 1 file(s), 2 B
    -- stderr
    ");
    assert_snapshot!(world.run(&["cache", "explain", "--base", "base"]).masked(), @r"
    exit 0
    -- stdout
    a.txt <digest> hit
      key version: <n> bytes, <digest>
      identity: <n> bytes, <digest>
      identity: response: <n> bytes, <digest>
      identity: source: <n> bytes, <digest>
      identity: model: <n> bytes, <digest>
      prompt: <n> bytes, <digest>
      output cap: <n> bytes, <digest>
      path: <n> bytes, <digest>
      old path: <n> bytes, <digest>
      kind: <n> bytes, <digest>
      language: <n> bytes, <digest>
      hunks: <n> bytes, <digest>
      hunk old start: <n> bytes, <digest>
      hunk new start: <n> bytes, <digest>
      hunk lines: <n> bytes, <digest>
      hunk marks: <n> bytes, <digest>
      hunk text: <n> bytes, <digest>
    b.txt <digest> hit
      key version: <n> bytes, <digest>
      identity: <n> bytes, <digest>
      identity: response: <n> bytes, <digest>
      identity: source: <n> bytes, <digest>
      identity: model: <n> bytes, <digest>
      prompt: <n> bytes, <digest>
      output cap: <n> bytes, <digest>
      path: <n> bytes, <digest>
      old path: <n> bytes, <digest>
      kind: <n> bytes, <digest>
      language: <n> bytes, <digest>
      hunks: <n> bytes, <digest>
      hunk old start: <n> bytes, <digest>
      hunk new start: <n> bytes, <digest>
      hunk lines: <n> bytes, <digest>
      hunk marks: <n> bytes, <digest>
      hunk text: <n> bytes, <digest>
    -- stderr
    ");
    assert_snapshot!(world.run(&["cache", "explain", "--base", "base", "missing"]), @r#"
    exit 1
    -- stdout
    -- stderr
    aurumcode cache explain: "missing" is not among the files of the change that are sent; give the path from the top of the tree
    "#);
    assert_snapshot!(world.run(&["cache", "explain"]), @r"
    exit 2
    -- stdout
    -- stderr
    aurumcode cache explain: --base is required
    ");

    assert_snapshot!(world.run(&["cache", "prune"]), @r"
    exit 2
    -- stdout
    -- stderr
    aurumcode cache prune: say what goes: --older-than, --max-size or both
    ");
    assert_snapshot!(world.run(&["cache", "prune", "--older-than", "soon"]), @r#"
    exit 2
    -- stdout
    -- stderr
    aurumcode cache prune: --older-than: must be a duration such as 30d or 12h (got "soon")
    "#);
    assert_snapshot!(world.run(&["cache", "prune", "--max-size", "-1"]), @r#"
    exit 2
    -- stdout
    -- stderr
    aurumcode cache prune: --max-size: must be a size such as 100M or 1GiB (got "-1")
    "#);
    assert_snapshot!(world.run(&["cache", "prune", "--older-than", "1h", "--dir", "../tmp"]), @r"
    exit 0
    -- stdout
    removed: 0 file(s), 0 B
    left: 0 file(s), 0 B
    -- stderr
    ");
    assert_snapshot!(world.run(&["cache", "prune", "--max-size", "500"]), @r"
    exit 0
    -- stdout
    removed: 1 file(s), 697 B
    left: 1 file(s), 407 B
    -- stderr
    ");
    assert_snapshot!(world.run(&["cache", "clear"]), @r"
    exit 0
    -- stdout
    removed: 1 file(s), 407 B
    left: 0 file(s), 0 B
    -- stderr
    ");
    assert_eq!(world.names("cache").len(), 3);
    world.set("AURUMCODE_CACHE_DIR", "../none");
    assert_snapshot!(world.run(&["cache", "clear"]), @r"
    exit 1
    -- stdout
    -- stderr
    aurumcode cache clear: the cache directory ../none is not there
    ");
}

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
        .lines()
        .filter(|line| !line.starts_with("aurumcode review: reused "))
        .map(|line| format!("{line}\n"))
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
