//! No secret leaves, whichever way it takes.
//!
//! [`WAYS_OUT`] lists every place of the sources that writes anything, with the tests here that
//! plant secrets in front of it. A place that is not in the list fails the first test.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use crate::support::{Outcome, Repository, World, project};

/// What in the sources can let something out: the beginning of a call or a type.
const WRITES: [&str; 30] = [
    "print!(",
    "println!(",
    "eprint!(",
    "eprintln!(",
    "dbg!(",
    "stdout()",
    "stderr()",
    ".print_own(",
    "File::create",
    "File::options",
    "OpenOptions::new",
    "fs::write",
    "fs::copy",
    "fs::open(",
    "fs::rename",
    "fs::hard_link",
    "fs::soft_link",
    "symlink(",
    "DirBuilder::new",
    "create_dir",
    "NamedTempFile",
    "tempfile",
    "TcpStream",
    "UdpSocket",
    "UnixStream",
    "process::Command",
    "set_var(",
    "reqwest::Client",
    " Client::new(",
    "tracing_subscriber::fmt()",
];

/// Every place that writes: the file, what it writes with, and the tests that look behind it.
const WAYS_OUT: &[(&str, &str, &[&str])] = &[
    // A directory's name is the user's, or holds the process's number alone.
    ("cli/src/cache_directory.rs", "DirBuilder::new", STREAMS),
    (
        "cli/src/commands/pull_request.rs",
        " Client::new(",
        PULL_REQUEST,
    ),
    // As JSON; what it says of settings is masked where it is made.
    (
        "cli/src/commands/providers/mod.rs",
        ".print_own(",
        PROVIDERS,
    ),
    // A template, into the directory and under the name that the user gives.
    (
        "cli/src/commands/providers/new.rs",
        "OpenOptions::new",
        PROVIDERS,
    ),
    ("cli/src/commands/providers/new.rs", "create_dir", PROVIDERS),
    // The program's own words about its rules.
    ("cli/src/commands/rules.rs", ".print_own(", ARGUMENTS),
    // Behind the redaction, line by line.
    ("cli/src/console.rs", ".print_own(", STREAMS),
    // The help.
    ("cli/src/lib.rs", ".print_own(", ARGUMENTS),
    ("cli/src/log.rs", "tracing_subscriber::fmt()", ENDPOINT),
    // Numbers, on a terminal.
    ("cli/src/progress.rs", "stderr()", STREAMS),
    ("cli/src/streams.rs", "stderr()", STREAMS),
    ("cli/src/streams.rs", "stdout()", STREAMS),
    ("core/src/cache/directory.rs", "DirBuilder::new", STREAMS),
    ("core/src/cache/directory.rs", "OpenOptions::new", STREAMS),
    ("core/src/cache/directory.rs", "fs::rename", STREAMS),
    (
        "providers/anthropic/src/source.rs",
        " Client::new(",
        ENDPOINT,
    ),
    // An empty directory in which the program runs.
    ("providers/command/src/group.rs", "tempfile", PROVIDERS),
    (
        "providers/command/src/process.rs",
        "process::Command",
        PROVIDERS,
    ),
    ("providers/fixture/src/capture.rs", "fs::open(", STREAMS),
    ("providers/http/src/client.rs", "reqwest::Client", ENDPOINT),
    (
        "providers/openai-compatible/src/provider.rs",
        " Client::new(",
        ENDPOINT,
    ),
];

const STREAMS: &[&str] = &[
    "streams_capture_and_cache_of_a_review",
    "words_about_the_cache",
];
const ARGUMENTS: &[&str] = &["refused_arguments_and_variables"];
const ENDPOINT: &[&str] = &[
    "requests_and_words_of_an_endpoint",
    "secrets_inside_of_other_variables",
];
const PROVIDERS: &[&str] = &["requests_and_words_of_a_program"];
const PULL_REQUEST: &[&str] = &["requests_and_words_of_a_pull_request"];

#[test]
fn every_way_out_is_known_and_has_a_test() {
    let mut found = BTreeSet::new();
    for folder in ["core/src", "cli/src", "providers"] {
        look_into(&project().join(folder), &mut found);
    }
    let known: BTreeSet<(String, String)> = WAYS_OUT
        .iter()
        .map(|(file, write, _)| ((*file).to_owned(), (*write).to_owned()))
        .collect();
    assert_eq!(
        found, known,
        "a place that writes is not in WAYS_OUT, or one is gone: add it with the test that plants \
         secrets in front of it"
    );
    let here = include_str!("secrets.rs");
    for (file, write, tests) in WAYS_OUT {
        assert!(!tests.is_empty(), "{file}: nothing looks behind {write}");
        for test in *tests {
            assert!(here.contains(&format!("fn {test}() {{")), "no test {test}");
        }
    }
}

/// Collects what the sources of a folder write with, tests left out.
fn look_into(folder: &Path, found: &mut BTreeSet<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            // What is linked into tests alone writes for those who run them.
            if !matches!(name, "tests" | "target" | "conformance") {
                look_into(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !matches!(name, "tests.rs" | "fakes.rs")
        {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let file = path.strip_prefix(project()).unwrap().to_str().unwrap();
            for line in code.lines().filter(|line| !line.trim().starts_with("//")) {
                for write in WRITES.iter().filter(|write| line.contains(*write)) {
                    found.insert((file.to_owned(), (*write).to_owned()));
                }
            }
        }
    }
}

/// The secrets of one test.
struct Secrets {
    /// The value that must never leave.
    canary: String,
    /// The key of the endpoint.
    key: String,
    /// GitHub's token.
    token: String,
    /// A token that no variable names; its shape gives it away.
    shaped: String,
}

impl Secrets {
    fn new() -> Self {
        let join = |parts: &[&str]| parts.concat();
        Self {
            canary: join(&["the/canary", "+of this", "=run 77"]),
            key: join(&["endpoint", "Key", "4711qwertz"]),
            token: join(&["ghs", "_", &"Zx9".repeat(12)]),
            shaped: join(&["ghp", "_", &"a1B2".repeat(9)]),
        }
    }

    fn all(&self) -> [(&'static str, &str); 4] {
        let Self {
            canary,
            key,
            token,
            shaped,
        } = self;
        [
            ("canary", canary),
            ("key", key),
            ("token", token),
            ("shape", shaped),
        ]
    }

    /// Sets the variables that say what is secret.
    fn declare(&self, world: &mut World) {
        world.set("AURUM_SECRET_CANARY", &self.canary);
        world.set("LLM_API_KEY", &self.key);
        world.set("GITHUB_TOKEN", &self.token);
    }

    /// Returns every secret on one line.
    fn plain(&self) -> String {
        let values: Vec<&str> = self.all().iter().map(|(_, value)| *value).collect();
        values.join(" ")
    }

    /// Returns the canary in every disguise, one a line but for the one that is broken over two.
    fn disguised(&self) -> String {
        let (first, second) = self.canary.split_at(self.canary.len() / 2);
        let percent = percent_encoded(&self.canary);
        let escaped = unicode_escaped(&self.canary);
        let base64 = STANDARD.encode(&self.canary);
        format!("{first}\n{second}\n{percent}\n{escaped}\n{base64}")
    }

    /// Returns everything, for places that take several lines.
    fn everything(&self) -> String {
        format!("{}\n{}", self.plain(), self.disguised())
    }

    /// Asserts that a text holds none of it, in no disguise.
    fn assert_absent(&self, place: &str, text: &str) {
        let joined = joined(text);
        for (name, value) in self.all() {
            let bare: String = value.split_whitespace().collect();
            let base64 = STANDARD.encode(value);
            // What is encoded is looked for without its ends, which depend on what is around it.
            let inner = &base64[4..base64.len() - 4];
            let percent = percent_encoded(value);
            let escaped = value.replace('/', "\\/");
            let unicode = unicode_escaped(value);
            let is_there = text.contains(value)
                || joined.contains(&bare)
                || joined.contains(inner)
                || joined.to_lowercase().contains(&percent)
                || text.contains(&escaped)
                || joined.contains(&unicode);
            assert!(!is_there, "the {name} is in {place}:\n{text}");
        }
    }

    fn assert_absent_from(&self, outcome: &Outcome) {
        self.assert_absent("stdout", &outcome.stdout);
        self.assert_absent("stderr", &outcome.stderr);
    }

    /// Looks into every file of a directory and at its name.
    fn assert_absent_below(&self, directory: &Path) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            self.assert_absent("a file's name", &path.display().to_string());
            if path.is_dir() {
                self.assert_absent_below(&path);
            } else {
                let bytes = fs::read(&path).unwrap();
                let text = String::from_utf8_lossy(&bytes);
                self.assert_absent(&path.display().to_string(), &text);
                // In JSON a line break is an escape.
                self.assert_absent(&path.display().to_string(), &text.replace("\\n", "\n"));
            }
        }
    }
}

/// Returns every byte of a value as `%xx`.
fn percent_encoded(value: &str) -> String {
    let bytes: Vec<String> = value.bytes().map(|byte| format!("%{byte:02x}")).collect();
    bytes.concat()
}

/// Returns every character of a value as `\uxxxx`.
fn unicode_escaped(value: &str) -> String {
    let code = |character| format!("\\u{:04x}", u32::from(character));
    value.chars().map(code).collect::<Vec<_>>().concat()
}

/// Joins lines as a reader would: without what a prompt puts before each of them, and without
/// blanks.
fn joined(text: &str) -> String {
    text.lines()
        .map(|line| {
            let numbered = line.trim_start();
            let rest = numbered.trim_start_matches(|character: char| character.is_ascii_digit());
            let marked = rest
                .strip_prefix([' '])
                .filter(|_| rest.len() < numbered.len());
            marked.and_then(|rest| rest.get(1..)).unwrap_or(line)
        })
        .flat_map(str::split_whitespace)
        .collect()
}

/// Returns a world whose change holds the secrets in every line, path and ref that can hold them.
fn planted(secrets: &Secrets) -> (World, String) {
    let mut world = World::new();
    secrets.declare(&mut world);
    let everything = secrets.everything();
    let path = format!(
        "dir {}/{}",
        secrets.shaped,
        secrets.plain().replace('/', "%2f")
    );
    let repository = Repository::with_change(
        &world,
        &[
            (
                "a.txt",
                &format!("{everything}\nold {everything}\n"),
                &format!("new\n{everything}\n"),
            ),
            (
                "app.py",
                "",
                &format!(
                    "query = \"SELECT '\" + name + \"'\" # {}\npassword = \"{}\"\n",
                    secrets.plain(),
                    secrets.shaped
                ),
            ),
            (&path, "one\n", "two\n"),
            ("gone.txt", &everything, ""),
            (&format!("{path}.bin"), "\0", "\0\0"),
        ],
    );
    fs::remove_file(world.work().join("gone.txt")).unwrap();
    repository.commit("gone");
    (world, path)
}

/// Returns an answer that repeats the secrets in each of its texts.
fn telling(secrets: &Secrets, path: &str) -> String {
    let all = secrets.everything();
    json!({
        "issues": [
            {"file": "a.txt", "line": 1, "severity": "error", "rule_id": "quality/dead-code", "message": all, "suggestion": all},
            {"file": path, "line": 1, "severity": all, "rule_id": "quality/dead-code", "message": secrets.plain()},
            {"file": all, "line": all, "severity": "info", "rule_id": "quality/dead-code", "message": "Elsewhere."},
            {"file": "a.txt", "line": 1, "severity": "info", "rule_id": all, "message": all},
            {"file": "a.txt", "line": 1, "severity": "info", "message": all},
        ],
        "line_comments": [
            {"path": "a.txt", "line": 1, "body": all, "rule_id": secrets.plain()},
            {"line": 1, "body": all},
            {"path": all, "line": 1, "body": all, "rule_id": "quality/dead-code"},
        ],
        "summary": all,
    })
    .to_string()
}

#[test]
fn streams_capture_and_cache_of_a_review() {
    let secrets = Secrets::new();
    let (mut world, path) = planted(&secrets);
    world.answer(&telling(&secrets, &path));
    world.set("AURUMCODE_PROMPT_CAPTURE", "../capture");
    world.set("AURUMCODE_CACHE_DIR", "../cache");
    world.set("AURUMCODE_LOG", "trace");
    let model = secrets.plain();
    let review = [
        "review",
        "--base",
        "base",
        "--modelo",
        &model,
        "--limite",
        "9",
        "--seguranca",
        "--verbose",
        "--fail-on",
        "error",
    ];
    let cold = world.run(&review);
    assert_eq!(cold.code, Some(3), "{cold}");
    secrets.assert_absent_from(&cold);
    assert!(
        cold.stdout.contains("a.txt:1: [error] [REDACTED]"),
        "{cold}"
    );
    let capture = fs::read_to_string(world.path("capture")).unwrap();
    assert!(capture.contains("### File: a.txt\n"), "{capture}");
    secrets.assert_absent("the capture", &capture);
    assert!(capture.contains("\n    1 -"), "{capture}");
    assert_eq!(world.names("cache").len(), 4);
    secrets.assert_absent_below(&world.path("cache"));

    let warm = world.run(&review);
    assert!(warm.stderr.contains("reused 4 file(s)"), "{warm}");
    assert_eq!(warm.stdout, cold.stdout);
    secrets.assert_absent_from(&warm);
}

#[test]
fn words_about_the_cache() {
    let secrets = Secrets::new();
    let (mut world, path) = planted(&secrets);
    world.answer(&telling(&secrets, &path));
    world.set("AURUMCODE_CACHE_DIR", "../cache");
    let model = secrets.plain();
    world.run(&["review", "--base", "base", "--modelo", &model]);
    for arguments in [
        &["cache", "explain", "--base", "base", "--modelo", &model][..],
        &[
            "cache", "explain", "--base", "base", "--modelo", &model, &path,
        ],
        &["cache", "explain", "--base", "base", &model],
        &["cache", "stats"],
        &["cache", "stats", "--dir", &model],
        &["cache", "prune", "--older-than", &model],
        &["cache", "prune", "--max-size", &model],
        &["cache", "clear"],
    ] {
        let outcome = world.run(arguments);
        assert!(!(outcome.stdout.clone() + &outcome.stderr).is_empty());
        secrets.assert_absent_from(&outcome);
    }
}

/// Nothing is sent that is secret but the credentials themselves, in their headers; and whatever a
/// server says, in any part of any answer, is not repeated.
#[tokio::test(flavor = "multi_thread")]
async fn requests_and_words_of_an_endpoint() {
    let secrets = Secrets::new();
    let (mut world, path) = planted(&secrets);
    let all = secrets.everything();
    let plain = secrets.plain();
    world.set("AURUMCODE_RETRY_ATTEMPTS", "1");
    world.set("AURUMCODE_LOG", "trace");
    let completion = |content: &str, finish: &str| {
        json!({
            "model": all, "id": all, "system_fingerprint": all,
            "choices": [{"message": {"content": content, "refusal": null}, "finish_reason": finish}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1},
        })
    };
    let answers = [
        ResponseTemplate::new(200).set_body_json(completion(&telling(&secrets, &path), "stop")),
        ResponseTemplate::new(200).set_body_json(completion(&all, "stop")),
        ResponseTemplate::new(200).set_body_json(completion(&all, &plain)),
        ResponseTemplate::new(200).set_body_json(json!({"error": {"message": all, "code": all}})),
        ResponseTemplate::new(200).set_body_string(&*all),
        ResponseTemplate::new(307).insert_header(
            "location",
            format!("http://u:{}@127.0.0.1:1/{}", secrets.key, secrets.shaped),
        ),
        ResponseTemplate::new(400).set_body_json(
            json!({"error": {"message": all, "type": plain, "param": plain, "code": plain}}),
        ),
        ResponseTemplate::new(400).set_body_string(format!("<html><title>{plain}</title>{all}")),
        ResponseTemplate::new(401)
            .set_body_json(json!({"message": all, "detail": [{"msg": all, "loc": [all]}]})),
        ResponseTemplate::new(404).set_body_string(&*all),
        ResponseTemplate::new(429)
            .insert_header("retry-after", plain.as_str())
            .set_body_string(&*all),
        ResponseTemplate::new(500)
            .set_body_string(&*all)
            .insert_header("x-request-id", plain.as_str()),
    ];
    for answer in answers {
        let server = MockServer::start().await;
        Mock::given(any()).respond_with(answer).mount(&server).await;
        world.set(
            "LLM_BASE_URL",
            format!("{}/v1?key={}", server.uri(), secrets.shaped),
        );
        for model in [&["--modelo", plain.as_str()][..], &[]] {
            let outcome = world.run(&[&["review", "--base", "base", "--verbose"], model].concat());
            secrets.assert_absent_from(&outcome);
        }
        let requests = server.received_requests().await.unwrap();
        assert!(!requests.is_empty());
        for request in requests {
            let body: Value = serde_json::from_slice(&request.body).unwrap();
            for message in body["messages"].as_array().unwrap() {
                secrets.assert_absent("a request", message["content"].as_str().unwrap());
            }
        }
    }
}

#[test]
fn refused_arguments_and_variables() {
    let secrets = Secrets::new();
    let plain = secrets.plain();
    let name = plain.replace('/', "_");
    let flags: [&[&str]; 17] = [
        &[&plain],
        &["review", &plain],
        &["review", &format!("--{plain}")],
        &["review", "--base", &plain],
        &["review", "--base", "base", "--fail-on", &plain],
        &["review", "--base", "base", "--limite", &plain],
        &["review", "--base", "base", "--concurrent-calls", &plain],
        &[
            "review",
            "--base",
            "base",
            "--exclude",
            &format!("[{plain}"),
        ],
        &["review", "--base", "base", &format!("--seguranca={plain}")],
        &["-C", &plain, "review", "--base", "base"],
        &["rules", &plain],
        &["cache", &plain],
        &["help", &plain],
        &["providers", &plain],
        &[
            "review",
            "--pr",
            &plain,
            "--repo",
            "o/r",
            "--publicar",
            "--check",
        ],
        &[
            "review",
            "--pr",
            "7",
            "--repo",
            &plain,
            "--publicar",
            "--check",
        ],
        &["review", "--base", "base", "--modelo", &plain],
    ];
    let (world, _) = planted(&secrets);
    for arguments in flags {
        let outcome = world.run(arguments);
        assert_ne!(outcome.code, Some(0), "{arguments:?}: {outcome}");
        secrets.assert_absent_from(&outcome);
    }
    let variables = [
        ("AURUMCODE_LLM_FIXTURE", format!("../{name}/missing")),
        ("AURUMCODE_PROMPT_CAPTURE", format!("../{name}/missing")),
        ("AURUMCODE_CACHE_DIR", format!("/dev/null/{name}")),
        ("AURUMCODE_LOG", format!("x={plain}")),
        ("AURUMCODE_LLM_INPUT_USD_PER_1K", plain.clone()),
        ("AURUMCODE_CONTEXT_TOKENS", plain.clone()),
        ("AURUMCODE_EXTRA_BODY", plain.clone()),
        ("AURUMCODE_EXTRA_HEADERS", plain.clone()),
        ("AURUMCODE_RETRY_ATTEMPTS", plain.clone()),
        ("AURUMCODE_RESPONSE_FORMAT", plain.clone()),
        ("GIT_DIR", format!("../{name}")),
        (
            "LLM_BASE_URL",
            format!("http://127.0.0.1:1/{}", secrets.shaped),
        ),
        ("LLM_BASE_URL", plain.clone()),
        ("SSL_CERT_FILE", format!("../{name}")),
        ("HTTP_PROXY", format!("http://user:{}@", secrets.key)),
    ];
    for (variable, value) in variables {
        let (mut world, _) = planted(&secrets);
        let with_fixture = ["CACHE", "PROMPT", "LOG", "USD", "GIT"];
        if with_fixture.iter().any(|word| variable.contains(word)) {
            world.answer_issues(&[]);
        } else {
            world.set("LLM_BASE_URL", "http://127.0.0.1:1");
        }
        world.set("AURUMCODE_RETRY_ATTEMPTS", "1");
        world.set(variable, &value);
        let review = ["review", "--base", "base", "--verbose", "--limite", "1"];
        let outcome = world.run(&review);
        assert_ne!(outcome.stderr, "", "{variable}: {outcome}");
        secrets.assert_absent_from(&outcome);
    }
}

/// The secrets of a URL and of extra headers are secrets of the run: they are masked in whatever is
/// sent or said, also where nothing around them gives them away.
#[tokio::test(flavor = "multi_thread")]
async fn secrets_inside_of_other_variables() {
    let secrets = Secrets {
        canary: ["url", "Password", "88x"].concat(),
        key: ["header", "Value", "99y"].concat(),
        token: ["query", "Value", "66z"].concat(),
        shaped: ["proxy", "Password", "55w"].concat(),
    };
    let mut world = World::new();
    let (old, new) = (secrets.plain(), format!("say {}\n", secrets.plain()));
    Repository::with_change(&world, &[("a.txt", &old, &new)]);
    let server = MockServer::start().await;
    let answer = ResponseTemplate::new(400).set_body_string(secrets.plain());
    Mock::given(any()).respond_with(answer).mount(&server).await;
    let host = server.uri().replace("http://", "");
    world.set(
        "LLM_BASE_URL",
        format!(
            "http://user:{}@{host}/v1?key={}",
            secrets.canary, secrets.token
        ),
    );
    world.set(
        "AURUMCODE_EXTRA_HEADERS",
        json!({"X-Team-Key": secrets.key}).to_string(),
    );
    world.set(
        "HTTPS_PROXY",
        format!("http://user:{}@127.0.0.1:1", secrets.shaped),
    );
    world.set("AURUMCODE_LOG", "trace");
    let outcome = world.run(&["review", "--base", "base", "--modelo", "m", "--verbose"]);
    assert_eq!(outcome.code, Some(1), "{outcome}");
    secrets.assert_absent_from(&outcome);
    for request in server.received_requests().await.unwrap() {
        let body = String::from_utf8(request.body).unwrap();
        secrets.assert_absent("a request", &body);
    }
}

/// What is published holds no secret, and neither do the words about what cannot be.
#[tokio::test(flavor = "multi_thread")]
async fn requests_and_words_of_a_pull_request() {
    let secrets = Secrets::new();
    let all = secrets.everything();
    let added = format!("+{}\n", all.replace('\n', "\n+"));
    let count = all.lines().count();
    let diff = format!(
        "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -0,0 +1,{count} @@\n{added}"
    );
    for status in [201_u16, 422, 500] {
        let (diff, all) = (diff.clone(), all.clone());
        let server = MockServer::start().await;
        let respond = move |request: &Request| {
            let accept = request.headers.get("accept");
            let wants_diff = accept.is_some_and(|accept| accept.as_bytes().ends_with(b".diff"));
            match (request.method.as_str(), request.url.path()) {
                ("GET", "/repos/o/r") => ResponseTemplate::new(200)
                    .set_body_json(json!({"permissions": {"push": true}, "description": all})),
                ("GET", "/repos/o/r/pulls/7") if wants_diff => {
                    ResponseTemplate::new(200).set_body_string(diff.clone())
                }
                ("GET", "/repos/o/r/pulls/7") => ResponseTemplate::new(200)
                    .set_body_json(json!({"head": {"sha": "c0ffee"}, "changed_files": 1})),
                ("GET", _) => ResponseTemplate::new(200).set_body_json(json!([])),
                _ => ResponseTemplate::new(status)
                    .set_body_json(json!({"id": 1, "message": all, "errors": [{"message": all}]})),
            }
        };
        Mock::given(any())
            .respond_with(respond)
            .mount(&server)
            .await;
        let mut world = World::new();
        secrets.declare(&mut world);
        world.answer(&telling(&secrets, "a.txt"));
        world.set("AURUMCODE_PROMPT_CAPTURE", "../capture");
        world.set("AURUMCODE_GITHUB_API_URL", server.uri());
        world.set("AURUMCODE_GITHUB_PAUSE", "0");
        world.set("GITHUB_SHA", "c0ffee");
        world.set("AURUMCODE_LOG", "trace");
        let outcome = world.run(&[
            "review",
            "--pr",
            "7",
            "--repo",
            "o/r",
            "--publicar",
            "--na-linha",
            "--check",
            "--verbose",
            "--seguranca",
        ]);
        secrets.assert_absent_from(&outcome);
        secrets.assert_absent_below(&world.path("capture").parent().unwrap().join("tmp"));
        let capture = fs::read_to_string(world.path("capture")).unwrap();
        secrets.assert_absent("the capture", &capture);
        let requests = server.received_requests().await.unwrap();
        assert!(
            requests.iter().any(|request| request.method == "POST"),
            "{outcome}"
        );
        for request in requests {
            secrets.assert_absent("an address", request.url.as_str());
            let body = String::from_utf8(request.body).unwrap();
            secrets.assert_absent("a request", &body.replace("\\n", "\n"));
        }
    }
    for path in ["/repos/o/r", "/repos/o/r/pulls/7"] {
        let (path, all) = (path.to_owned(), all.clone());
        let server = MockServer::start().await;
        let respond = move |request: &Request| {
            if request.url.path() == path {
                ResponseTemplate::new(403).set_body_string(all.clone())
            } else {
                ResponseTemplate::new(200).set_body_json(json!({"permissions": {"push": true}}))
            }
        };
        Mock::given(any())
            .respond_with(respond)
            .mount(&server)
            .await;
        let mut world = World::new();
        secrets.declare(&mut world);
        world.answer_issues(&[]);
        world.set("AURUMCODE_GITHUB_API_URL", server.uri());
        world.set("AURUMCODE_GITHUB_PAUSE", "0");
        let outcome = world.run(&[
            "review",
            "--pr",
            "7",
            "--repo",
            "o/r",
            "--publicar",
            "--na-linha",
        ]);
        assert_eq!(outcome.code, Some(1), "{outcome}");
        secrets.assert_absent_from(&outcome);
    }
}

/// A program that answers gets the prompt without secrets; what it prints is masked, and so is
/// everything that is said about providers and their settings.
#[test]
fn requests_and_words_of_a_program() {
    let secrets = Secrets::new();
    let (mut world, _) = planted(&secrets);
    fs::write(world.path("words"), secrets.everything()).unwrap();
    let program = world.path("program");
    let (seen, words) = (world.path("seen"), world.path("words"));
    let script = format!(
        "#!/bin/sh\ncat >>{}\ncat {}\ncat {} >&2\nexit 3\n",
        seen.display(),
        words.display(),
        words.display()
    );
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
    let arguments = json!([program, "{model}"]).to_string();
    world.set("AURUMCODE_COMMAND", &arguments);
    world.set("AURUMCODE_RETRY_ATTEMPTS", "1");
    world.set("AURUMCODE_PROVIDER", "command");
    let plain = secrets.plain();
    for arguments in [
        &["review", "--base", "base", "--verbose", "--modelo", &plain][..],
        &["providers", "check", "command", "--modelo", &plain],
        &["providers"],
        &["providers", "--json"],
        &["providers", "check", &plain],
        &["providers", "new", &plain],
        &["providers", "new", "mine", "--core", &plain],
        &["providers", "new", "mine", "--dir", &plain],
    ] {
        secrets.assert_absent_from(&world.run(arguments));
    }
    let seen = fs::read_to_string(seen).unwrap();
    assert!(seen.contains("### File: a.txt"), "{seen}");
    secrets.assert_absent("the input of a program", &seen);
    for variable in [
        "AURUMCODE_PROVIDER",
        "AURUMCODE_COMMAND",
        "AURUMCODE_EXTRA_BODY",
        "AURUMCODE_RESPONSE_FORMAT",
        "AURUMCODE_CONTEXT_TOKENS",
        "LLM_BASE_URL",
        "LLM_MODEL",
        "HTTPS_PROXY",
    ] {
        world.set(variable, &plain);
        for arguments in [&["providers"][..], &["providers", "--json"]] {
            secrets.assert_absent_from(&world.run(arguments));
        }
    }
}
