//! Every ending of a review that `docs/exit-codes.md` lists: one test a row, of the row's name.

mod row;

use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, ResponseTemplate};

use row::{assert_row, rows};

use crate::support::{Repository, World};

/// Far more than anything here takes.
const LIMIT: Duration = Duration::from_secs(20);

const GATES: [&[&str]; 4] = [
    &[],
    &["--fail-on", "error"],
    &["--fail-on", "warning"],
    &["--fail-on", "info"],
];

#[test]
fn every_row_has_a_test_and_every_test_a_row() {
    // The first two parts are what stands before all tests, and this one.
    let mut tests: Vec<&str> = include_str!("exit_codes_table.rs")
        .split("\n#[test]\n")
        .flat_map(|text| text.split("\n#[tokio::test"))
        .skip(2)
        .map(|text| text.split("fn ").nth(1).unwrap())
        .map(|text| text.split('(').next().unwrap())
        .collect();
    let rows = rows();
    let mut named: Vec<&str> = rows.iter().map(|row| row.test.as_str()).collect();
    tests.sort_unstable();
    named.sort_unstable();
    assert_eq!(tests, named);
}

// Every file reviewed.

#[test]
fn nothing_found() {
    let scene = Scene::with_change().answering(&[]);
    for gate in GATES {
        assert_row("nothing_found", &scene.review(gate));
    }
}

#[test]
fn warning_below_the_gate() {
    let scene = Scene::with_change().answering(&["warning"]);
    for gate in [GATES[0], GATES[1]] {
        assert_row("warning_below_the_gate", &scene.review(gate));
    }
}

#[test]
fn warning_at_the_gate() {
    let scene = Scene::with_change().answering(&["warning"]);
    for gate in [GATES[2], GATES[3]] {
        assert_row("warning_at_the_gate", &scene.review(gate));
    }
}

#[test]
fn error_without_a_gate() {
    let scene = Scene::with_change().answering(&["error"]);
    assert_row("error_without_a_gate", &scene.review(GATES[0]));
}

#[test]
fn error_at_the_gate() {
    let scene = Scene::with_change().answering(&["error"]);
    for gate in &GATES[1..] {
        assert_row("error_at_the_gate", &scene.review(gate));
    }
}

#[test]
fn error_from_the_cache() {
    let scene = Scene::with_change()
        .answering(&["error"])
        .variable("AURUMCODE_CACHE_DIR", "../cache");
    scene.review(GATES[1]);
    assert_row("error_from_the_cache", &scene.review(GATES[1]));
}

// Not every file reviewed.

/// The change of the second file is one place that is larger than the window.
#[test]
fn one_file_failed() {
    let large = "a line of a place that does not fit\n".repeat(4000);
    let severities: [&[&str]; 3] = [&[], &["warning"], &["error"]];
    for severities in severities {
        let scene = Scene::with_files(&[
            ("changed.txt", "one\n", "one\ntwo\n"),
            ("large.txt", "one\n", &large),
        ])
        .answering(severities)
        .variable("AURUMCODE_CONTEXT_TOKENS", "16000");
        for gate in GATES {
            assert_row("one_file_failed", &scene.review(gate));
        }
    }
}

#[test]
fn nothing_reviewable() {
    let scene = Scene::with_files(&[
        ("renamed.txt", "one\ntwo\nthree\n", ""),
        ("mode.txt", "one\n", "one\n"),
        ("binary", "\0", "\0\0"),
    ])
    .answering(&["error"]);
    let directory = scene.directory();
    fs::remove_file(directory.join("renamed.txt")).unwrap();
    fs::write(directory.join("other.txt"), "one\ntwo\nthree\n").unwrap();
    fs::set_permissions(
        directory.join("mode.txt"),
        fs::Permissions::from_mode(0o755),
    )
    .unwrap();
    symlink("mode.txt", directory.join("link")).unwrap();
    let gitlink = format!("160000,{},submodule", "a".repeat(40));
    scene.git(&["add", "--all"]);
    scene.git(&["update-index", "--add", "--cacheinfo", &gitlink]);
    scene.git(&["commit", "--quiet", "--amend", "--message=change"]);
    for gate in GATES {
        assert_row("nothing_reviewable", &scene.review(gate));
    }
}

#[test]
fn everything_too_large() {
    let large = "line\n".repeat(10_001);
    let scene = Scene::with_files(&[("large.txt", "one\n", &large)]).answering(&["error"]);
    for gate in GATES {
        assert_row("everything_too_large", &scene.review(gate));
    }
}

#[test]
fn only_uncommitted_edits() {
    let scene = Scene::with_change().answering(&[]);
    fs::write(scene.directory().join("changed.txt"), "edited\n").unwrap();
    let output = scene.run(&["review", "--base", "HEAD"]);
    assert_row("only_uncommitted_edits", &output);
}

// The security pass alone.

#[test]
fn security_pass_finds_nothing() {
    let scene = Scene::with_change();
    for gate in GATES {
        let flags = [&["--seguranca"], gate].concat();
        assert_row("security_pass_finds_nothing", &scene.review(&flags));
    }
}

#[test]
fn security_pass_closes_the_gate() {
    let query = "cursor.execute(\"SELECT name FROM people WHERE id = \" + identifier)\n";
    let scene = Scene::with_files(&[("people.py", "import sqlite3\n", query)]);
    let output = scene.review(&["--seguranca", "--fail-on", "error"]);
    assert_row("security_pass_closes_the_gate", &output);
}

// The repository.

#[test]
fn no_repository() {
    let scene = Scene::empty().answering(&[]);
    assert_row("no_repository", &scene.review(&[]));
}

#[test]
fn unknown_ref() {
    let scene = Scene::with_change().answering(&[]);
    let output = scene.run(&["review", "--base", "nowhere"]);
    assert_row("unknown_ref", &output);
}

#[test]
fn ref_namespace() {
    let scene = Scene::with_change().answering(&[]);
    scene.git(&["branch", "feature/one"]);
    let output = scene.run(&["review", "--base", "feature"]);
    assert_row("ref_namespace", &output);
}

#[test]
fn blank_ref() {
    let scene = Scene::with_change().answering(&[]);
    let output = scene.run(&["review", "--base", " "]);
    assert_row("blank_ref", &output);
}

#[test]
fn shallow_clone() {
    let scene = Scene::with_change().cloned(&["--depth=1"]).answering(&[]);
    assert_row("shallow_clone", &scene.review(&[]));
}

#[test]
fn no_common_ancestor() {
    let scene = Scene::with_change().answering(&[]);
    scene.git(&["checkout", "--quiet", "--orphan", "other"]);
    scene.git(&["commit", "--quiet", "--message=another root"]);
    assert_row("no_common_ancestor", &scene.review(&[]));
}

#[test]
fn partial_clone() {
    let scene = Scene::with_change();
    scene.git(&["config", "uploadpack.allowFilter", "true"]);
    let scene = scene
        .cloned(&["--filter=blob:none", "--no-checkout"])
        .answering(&[]);
    assert_row("partial_clone", &scene.review(&[]));
}

#[test]
fn unreadable_format() {
    let scene = Scene::empty().answering(&[]);
    scene.git(&["init", "--quiet", "--object-format=sha256"]);
    assert_row("unreadable_format", &scene.review(&[]));
}

/// Only root can give a directory away; for anybody else there is nothing to test.
#[test]
fn foreign_owner() {
    let scene = Scene::with_change().answering(&[]);
    let directory = scene.directory();
    for path in [directory.join(".git"), directory] {
        if chown(path, Some(12345), None).is_err() {
            return;
        }
    }
    assert_row("foreign_owner", &scene.review(&[]));
}

// Whatever answers.

#[test]
fn no_provider() {
    let scene = Scene::with_change();
    assert_row("no_provider", &scene.review(&[]));
}

#[test]
fn model_without_a_provider() {
    let scene = Scene::with_change();
    let output = scene.review(&["--modelo", "some-model"]);
    assert_row("model_without_a_provider", &output);
}

#[test]
fn unreadable_fixture() {
    let scene = Scene::with_change().variable("AURUMCODE_LLM_FIXTURE", "../nowhere.json");
    assert_row("unreadable_fixture", &scene.review(&[]));
}

#[test]
fn unreachable_endpoint() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let scene = Scene::with_change()
        .variable("LLM_BASE_URL", &format!("http://{address}"))
        .variable("AURUMCODE_RETRY_ATTEMPTS", "1");
    assert_row("unreachable_endpoint", &scene.review(&[]));
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_key() {
    let server = endpoint(ResponseTemplate::new(401)).await;
    let scene = Scene::with_change()
        .variable("LLM_BASE_URL", &server.uri())
        .variable("LLM_API_KEY", "wrong");
    assert_row("refused_key", &scene.review(&[]));
}

#[test]
fn answer_not_understood() {
    let scene = Scene::with_change().saying("I see no problem here.");
    assert_row("answer_not_understood", &scene.review(&[]));
}

#[tokio::test(flavor = "multi_thread")]
async fn answer_cut() {
    let completion = json!({
        "choices": [{"message": {"content": "{\"issues\":["}, "finish_reason": "length"}],
    });
    let server = endpoint(ResponseTemplate::new(200).set_body_json(completion)).await;
    let scene = Scene::with_change().variable("LLM_BASE_URL", &server.uri());
    assert_row("answer_cut", &scene.review(&[]));
}

#[test]
fn limit_before_the_first_call() {
    let scene = Scene::with_change().answering(&[]);
    let output = scene.review(&["--limite", "0.0001"]);
    assert_row("limit_before_the_first_call", &output);
}

/// Each file fills a call of its own. At the published prices a call reserves 0.09 for its answer
/// and about as much for its prompt.
#[test]
fn limit_before_a_later_call() {
    let large = "a line that is much like all the others of this file\n".repeat(700);
    let scene = Scene::with_files(&[("one.txt", "", &large), ("two.txt", "", &large)])
        .answering(&[])
        .variable("AURUMCODE_CONTEXT_TOKENS", "20000");
    let output = scene.review(&["--limite", "0.24"]);
    assert_row("limit_before_a_later_call", &output);
}

#[test]
fn unwritable_capture() {
    let scene = Scene::with_change()
        .answering(&[])
        .variable("AURUMCODE_PROMPT_CAPTURE", "../nowhere/prompt");
    assert_row("unwritable_capture", &scene.review(&[]));
}

// Stdout.

#[test]
fn closed_pipe() {
    let scene = Scene::with_change().answering(&["error"]);
    for gate in GATES {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_row("closed_pipe", &scene.review_into(gate, writer.into()));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn full_disk() {
    let scene = Scene::with_change().answering(&["error"]);
    for gate in GATES {
        let full = File::options().write(true).open("/dev/full").unwrap();
        assert_row("full_disk", &scene.review_into(gate, full.into()));
    }
}

// Usage.

#[test]
fn no_command() {
    assert_row("no_command", &Scene::empty().run(&[]));
}

#[test]
fn unknown_command() {
    assert_row("unknown_command", &Scene::empty().run(&["reviw"]));
}

#[test]
fn unknown_flag() {
    assert_row("unknown_flag", &Scene::empty().review(&["--bogus"]));
}

#[test]
fn no_base() {
    assert_row("no_base", &Scene::empty().run(&["review"]));
}

#[test]
fn unknown_level() {
    let output = Scene::empty().review(&["--fail-on", "fatal"]);
    assert_row("unknown_level", &output);
}

#[test]
fn empty_model() {
    assert_row("empty_model", &Scene::empty().review(&["--modelo", ""]));
}

#[test]
fn impossible_limit() {
    let scene = Scene::empty();
    for limit in ["0", "-1", "nan", "inf", "a lot"] {
        assert_row("impossible_limit", &scene.review(&["--limite", limit]));
    }
}

#[test]
fn half_a_price() {
    for name in ["INPUT", "OUTPUT"] {
        let scene = Scene::with_change()
            .answering(&[])
            .variable(&format!("AURUMCODE_LLM_{name}_USD_PER_1K"), "0.01");
        assert_row("half_a_price", &scene.review(&["--limite", "1"]));
    }
}

#[test]
fn impossible_price() {
    for price in ["-0.01", "0", "nan", "cheap"] {
        let scene = Scene::with_change()
            .answering(&[])
            .variable("AURUMCODE_LLM_INPUT_USD_PER_1K", price)
            .variable("AURUMCODE_LLM_OUTPUT_USD_PER_1K", price);
        assert_row("impossible_price", &scene.review(&["--limite", "1"]));
    }
}

#[test]
fn impossible_number() {
    let sources: [(&str, &str, &[&str]); 2] = [
        (
            "LLM_BASE_URL",
            "http://localhost",
            &[
                "AURUMCODE_CONTEXT_TOKENS",
                "AURUMCODE_MAX_OUTPUT_TOKENS",
                "AURUMCODE_CONNECT_TIMEOUT",
                "AURUMCODE_HTTP_TIMEOUT",
                "AURUMCODE_RETRY_ATTEMPTS",
                "AURUMCODE_RETRY_MAX_WAIT",
                "AURUMCODE_RETRY_MAX_TIME",
            ],
        ),
        ("AURUMCODE_COMMAND", "cat", &["AURUMCODE_COMMAND_TIMEOUT"]),
    ];
    for (source, value, numbers) in sources {
        for number in numbers {
            let scene = Scene::with_change()
                .variable(source, value)
                .variable("AURUMCODE_COMMAND_MODEL", "m")
                .variable(number, "many");
            for model in [&[][..], &["--modelo", "m"]] {
                assert_row("impossible_number", &scene.review(model));
            }
        }
    }
}

// Signals.

#[test]
fn interrupted() {
    assert_row("interrupted", &ended_during_a_call(Signal::INT));
}

#[test]
fn terminated() {
    assert_row("terminated", &ended_during_a_call(Signal::TERM));
}

#[test]
fn help_and_version() {
    let scene = Scene::empty();
    for arguments in [&["--help"][..], &["--version"], &["review", "--help"]] {
        assert_row("help_and_version", &scene.run(arguments));
    }
}

/// A world, and which directory of it the review is about.
struct Scene {
    world: World,
    name: &'static str,
}

impl Scene {
    /// A directory that is no repository.
    fn empty() -> Self {
        Self {
            world: World::new(),
            name: "work",
        }
    }

    /// A repository with the tag `base` and one changed file.
    fn with_change() -> Self {
        Self::with_files(&[("changed.txt", "one\n", "one\ntwo\n")])
    }

    /// A repository with the tag `base`; the files are paths with the old and the new content.
    fn with_files(files: &[(&str, &str, &str)]) -> Self {
        let scene = Self::empty();
        Repository::with_change(&scene.world, files);
        scene
    }

    /// The same, in a clone of the repository.
    fn cloned(mut self, flags: &[&str]) -> Self {
        let url = format!("file://{}", self.directory().display());
        let arguments = [
            &["clone", "--quiet", "--no-tags"],
            flags,
            &[&url, "../clone"],
        ]
        .concat();
        self.git(&arguments);
        self.name = "clone";
        if !flags.contains(&"--depth=1") {
            self.git(&["update-ref", "refs/tags/base", "HEAD~1"]);
        }
        self
    }

    /// The fixture's answer is a finding of each severity on the changed file.
    fn answering(self, severities: &[&str]) -> Self {
        let issues: Vec<_> = severities
            .iter()
            .map(|severity| {
                json!({
                    "file": "changed.txt",
                    "line": 2,
                    "severity": severity,
                    "rule_id": "quality/poor-naming",
                    "message": "This says nothing.",
                })
            })
            .collect();
        self.saying(&json!({ "issues": issues }).to_string())
    }

    /// The fixture's answer is this text.
    fn saying(mut self, answer: &str) -> Self {
        self.world.answer(answer);
        self
    }

    fn variable(mut self, name: &str, value: &str) -> Self {
        self.world.set(name, value);
        self
    }

    fn directory(&self) -> PathBuf {
        self.world.path(self.name)
    }

    fn git(&self, arguments: &[&str]) {
        let output = self
            .world
            .command("git")
            .current_dir(self.directory())
            .args(["-c", "user.name=test"])
            .args(["-c", "user.email=test@example.invalid"])
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "git {arguments:?}: {output:?}");
    }

    fn review(&self, flags: &[&str]) -> Output {
        self.run(&[&["review", "--base", "base"], flags].concat())
    }

    fn review_into(&self, flags: &[&str], stdout: Stdio) -> Output {
        self.aurumcode(&[&["review", "--base", "base"], flags].concat())
            .stdout(stdout)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
            .wait_with_output()
            .unwrap()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.aurumcode(arguments).output().unwrap()
    }

    fn aurumcode(&self, arguments: &[&str]) -> Command {
        let mut command = self.world.aurumcode(arguments);
        command.current_dir(self.directory());
        command
    }
}

/// An endpoint that answers every call in one way.
async fn endpoint(answer: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .respond_with(answer)
        .mount(&server)
        .await;
    server
}

/// Sends a signal to a review whose call has arrived and is not answered.
fn ended_during_a_call(signal: Signal) -> Output {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (arrived, wait) = mpsc::channel();
    thread::spawn(move || arrived.send(listener.accept().unwrap()));
    let scene = Scene::with_change().variable("LLM_BASE_URL", &format!("http://{address}"));
    let child = scene
        .aurumcode(&["review", "--base", "base"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let connection = wait.recv_timeout(LIMIT).unwrap();
    let id = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(id, signal).unwrap();
    let output = child.wait_with_output().unwrap();
    drop(connection);
    output
}
