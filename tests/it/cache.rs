//! What is sent again and what is not, and what a cache directory may do to a review.

mod warmth;

use std::fs;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc;
use std::time::{Duration, SystemTime};

use insta::assert_snapshot;
use serde_json::json;

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

/// Makes something else of an entry, given another one.
type Breaking = fn(&[u8], &[u8]) -> Vec<u8>;

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

    let broken: [(&str, Breaking); 9] = [
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
    assert_eq!(world.names("cache")[0].len(), 64 + ".json".len());
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

/// A world with two entries of known age, the larger one older, and with files that are none.
fn world_with_entries() -> World {
    let world = answered_world();
    let cache = world.path("cache");
    world.run(&REVIEW);
    let mut names = world.names("cache");
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
    world
}

#[test]
fn why_a_file_was_sent_again() {
    let world = answered_world();
    let explain = || {
        let outcome = world.run(&["cache", "explain", "--base", "base", "b.txt"]);
        outcome.masked()
    };
    let missed = explain();
    assert_snapshot!(missed, @r"
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
    let reason = "there is no cache directory";
    world.run(&REVIEW);
    let hit = missed.clone().with(&format!("miss: {reason}"), "hit");
    assert_eq!(explain(), hit);
    let both = world.run(&["cache", "explain", "--base", "base"]).masked();
    assert_eq!(
        both.stdout,
        hit.stdout.replace("b.txt", "a.txt") + &hit.stdout
    );
    for name in world.names("cache") {
        fs::write(world.path("cache").join(name), "{}").unwrap();
    }
    let broken = "the entry cannot be used: it is no entry of this version";
    assert_eq!(explain(), missed.with(reason, broken));
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
}

#[test]
fn what_a_directory_holds() {
    let world = answered_world();
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
    let world = world_with_entries();
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
}

#[test]
fn how_a_directory_is_kept_small() {
    let mut world = world_with_entries();
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
