//! `aurumcode providers new`: the crate that it writes builds out of tree, holds to the conformance
//! suite, and reviews with a program of its own.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use insta::assert_snapshot;
use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use crate::support::{Outcome, World, project};

/// Writes a crate for the crates of this project.
fn new(world: &World, name: &str, flags: &[&str]) -> Outcome {
    let core = project();
    let arguments = ["providers", "new", name, "--core", core.to_str().unwrap()];
    world.run(&[&arguments, flags].concat())
}

/// Returns what is said where the command was not used as it has to be.
fn refusal(outcome: &Outcome) -> &str {
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (Some(2), ""),
        "{outcome}"
    );
    &outcome.stderr
}

/// A new provider's crate in a world of its own.
struct Scaffold {
    world: World,
    name: String,
    directory: PathBuf,
}

impl Scaffold {
    fn new(name: &str, flags: &[&str]) -> Self {
        let world = World::new();
        // At another path it would be another package, and what cargo builds of it would pile up.
        let crates = Self::kept("providers-new-crates");
        let directory = crates.join(name);
        if directory.exists() {
            fs::remove_dir_all(&directory).unwrap();
        }
        fs::create_dir_all(&crates).unwrap();
        // This project's own are not what an author has.
        for settings in ["rustfmt.toml", "clippy.toml"] {
            fs::write(crates.join(settings), "").unwrap();
        }
        let dir = ["--dir", directory.to_str().unwrap()];
        let outcome = new(&world, name, &[flags, &dir].concat());
        assert_eq!(outcome.code, Some(0), "{outcome}");
        Self {
            world,
            name: name.to_owned(),
            directory,
        }
    }

    /// Returns a directory that stays from one run of the tests to the next.
    fn kept(name: &str) -> PathBuf {
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
    }

    /// Returns where everything that the crate is built on is built once for all tests.
    fn target() -> PathBuf {
        Self::kept("providers-new")
    }

    /// Returns cargo in the crate, without a network and without anything that the cargo around
    /// this test has set.
    fn cargo(&self, arguments: &[&str]) -> Command {
        let home = std::env::home_dir().unwrap();
        let toolchain = |name: &str, folder: &str| {
            let set = std::env::var_os(name).map(PathBuf::from);
            set.unwrap_or_else(|| home.join(folder))
        };
        let mut cargo = self.world.command(env!("CARGO"));
        cargo
            .current_dir(&self.directory)
            .args(arguments)
            .env("CARGO_HOME", toolchain("CARGO_HOME", ".cargo"))
            .env("RUSTUP_HOME", toolchain("RUSTUP_HOME", ".rustup"))
            .env("CARGO_TARGET_DIR", Self::target())
            .env("CARGO_NET_OFFLINE", "true")
            // Nobody debugs this build, and it is smaller and faster so.
            .env("CARGO_PROFILE_DEV_DEBUG", "false")
            .env("CARGO_INCREMENTAL", "0");
        if let Some(toolchain) = std::env::var_os("RUSTUP_TOOLCHAIN") {
            cargo.env("RUSTUP_TOOLCHAIN", toolchain);
        }
        cargo
    }

    /// Runs cargo, which must succeed, and returns what it printed.
    fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.cargo(arguments).output().unwrap();
        let outcome = Outcome::new(&output, &self.world.path(""));
        assert_eq!(outcome.code, Some(0), "cargo {arguments:?}: {outcome}");
        outcome.stdout
    }

    /// Runs one of cargo's checks, where its component is installed: the README asks for a toolchain
    /// alone, and `.ci/run` installs the components first.
    fn lint(&self, arguments: &[&str]) {
        let is_installed = self.cargo(&[arguments[0], "--version"]).output().unwrap();
        if is_installed.status.success() {
            self.succeed(arguments);
        }
    }

    /// Holds the crate to what its author's checks would say.
    fn check(&self) {
        self.lint(&["fmt", "--check"]);
        self.lint(&["clippy", "--all-targets", "--", "-D", "warnings"]);
        let tested = self.succeed(&["test"]);
        assert!(tested.contains("\ntest it_conforms ... ok\n"), "{tested}");
    }

    /// Runs the crate's own program.
    fn run<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Outcome {
        let program = Self::target().join(format!("debug/aurumcode-{}", self.name));
        let output = self.world.command(program).args(arguments).output();
        Outcome::new(&output.unwrap(), &self.world.path(""))
    }

    /// Reviews the demonstration repository with it.
    fn review(&self, model: &str) -> Outcome {
        let repository = project().join("fixtures/repos/git-demo/repo.git");
        let repository = repository.to_str().unwrap();
        self.run(&[
            "-C", repository, "review", "--base", "main~1", "--modelo", model,
        ])
    }

    /// Returns the names of what is linked.
    fn linked(&self, kind: &str) -> Vec<String> {
        let linked: Value =
            serde_json::from_str(&self.run(&["providers", "--json"]).stdout).unwrap();
        let entries = linked[kind].as_array().unwrap().iter();
        entries
            .map(|entry| entry["name"].as_str().unwrap().to_owned())
            .collect()
    }
}

/// Returns an answer with one finding.
fn answer(message: &str) -> String {
    json!({"issues": [{
        "file": "config/demo-tokens.txt", "line": 4, "severity": "error",
        "rule_id": "security/hardcoded-secret", "message": message,
    }]})
    .to_string()
}

/// Returns what a review says about it.
fn finding(message: &str) -> String {
    format!(
        "config/demo-tokens.txt:4: [error] {message} (rule security/hardcoded-secret: Hardcoded Secrets)\n"
    )
}

const REUSED: &str = "aurumcode review: reused 2 file(s) from cache (not resent to the model)\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_source_builds_conforms_and_reviews() {
    let server = MockServer::start().await;
    let respond = |request: &Request| {
        let asked: Value = serde_json::from_slice(&request.body).unwrap();
        let model = asked["model"].as_str().unwrap();
        let content = answer(&format!("Found by {model}."));
        ResponseTemplate::new(200).set_body_json(json!({
            "model": model,
            "message": {"role": "assistant", "content": content},
            "done": true,
            "done_reason": "stop",
        }))
    };
    Mock::given(method("POST"))
        .and(path("/api/chat"))
        .respond_with(respond)
        .mount(&server)
        .await;

    let mut scaffold = Scaffold::new("acme-llm", &[]);
    scaffold.check();
    assert_eq!(
        scaffold.linked("sources"),
        [
            "fixture",
            "openai-compatible",
            "command",
            "acme-llm",
            "anthropic"
        ]
    );

    let world = &mut scaffold.world;
    world.set("ACME_LLM_URL", server.uri());
    world.set("AURUMCODE_CACHE_DIR", world.path("cache"));
    let outcome = |model: &str, more: &str| {
        let stderr = format!(
            "aurumcode review: reviewing with model \"{model}\" (acme-llm endpoint {}/api/chat)\n{more}",
            server.uri()
        );
        Outcome::expected(0, &finding(&format!("Found by {model}.")), &stderr)
    };
    assert_eq!(scaffold.review("acme-llm:one"), outcome("one", ""));
    assert_eq!(scaffold.review("acme-llm:one"), outcome("one", REUSED));
    assert_eq!(scaffold.review("acme-llm:two"), outcome("two", ""));
    assert_eq!(server.received_requests().await.unwrap().len(), 2);
}

/// Its name is a word of the language, too.
#[test]
fn a_layer_builds_conforms_and_shapes_a_review() {
    let mut scaffold = Scaffold::new("match", &["--layer"]);
    scaffold.check();
    assert_eq!(scaffold.linked("layers"), ["retry", "match", "limite"]);

    let world = &mut scaffold.world;
    world.answer(&answer("Found."));
    world.set("AURUMCODE_CACHE_DIR", world.path("cache"));
    world.set("AURUMCODE_PROMPT_CAPTURE", world.path("capture"));
    world.set("MATCH_RULES", "Comments are written in English.");
    let outcome = |model: &str, more: &str| {
        let stderr = format!(
            "aurumcode review: reviewing with model \"{model}\" (offline fixture provider)\n{more}"
        );
        Outcome::expected(0, &finding("Found."), &stderr)
    };
    assert_eq!(scaffold.review("one"), outcome("one", ""));
    let prompt = fs::read_to_string(scaffold.world.path("capture")).unwrap();
    assert!(
        prompt.contains("\n\nComments are written in English.\n"),
        "{prompt}"
    );
    assert_eq!(scaffold.review("one"), outcome("one", REUSED));
    assert_eq!(scaffold.review("two"), outcome("two", ""));
    scaffold.world.set("MATCH_RULES", "Be brief.");
    assert_eq!(scaffold.review("two"), outcome("two", ""));
}

/// What is written is laid out as rustfmt wants it, however long the name is.
#[test]
fn the_length_of_a_name_does_not_spoil_the_layout() {
    for flags in [&[][..], &["--layer"]] {
        for name in ["z", &"n".repeat(40)] {
            Scaffold::new(name, flags).lint(&["fmt", "--check"]);
        }
    }
}

#[test]
fn what_is_written_is_said() {
    let world = World::new();
    let outcome = new(&world, "acme", &["--dir", "some where"]);
    assert_snapshot!(outcome, @r"
    exit 0
    -- stdout
    wrote some where/.gitignore
    wrote some where/Cargo.toml
    wrote some where/README.md
    wrote some where/src/lib.rs
    wrote some where/src/main.rs
    wrote some where/tests/conformance.rs
    wrote some where/Cargo.lock
    next, in some where: cargo test && cargo run -- providers
    -- stderr
    ");
    let outcome = new(&world, "acme", &["--dir", "some where"]);
    assert_snapshot!(outcome, @r"
    exit 2
    -- stdout
    -- stderr
    aurumcode providers new: some where/.gitignore is there already, and nothing was written: give another --dir
    ");
}

/// A directory that is there is taken, unless one of the files is there too.
#[test]
fn nothing_that_is_there_is_written_over() {
    let world = World::new();
    let directory = world.work().join("acme");
    fs::create_dir_all(directory.join("src")).unwrap();
    fs::write(directory.join("NOTES"), "mine").unwrap();
    fs::write(directory.join("src/main.rs"), "mine").unwrap();
    assert_snapshot!(new(&world, "acme", &[]), @r"
    exit 2
    -- stdout
    -- stderr
    aurumcode providers new: acme/src/main.rs is there already, and nothing was written: give another --dir
    ");
    assert_eq!(world.names("work/acme"), ["NOTES", "src"]);
    fs::remove_file(directory.join("src/main.rs")).unwrap();
    assert_eq!(new(&world, "acme", &[]).code, Some(0));
}

#[test]
fn what_is_no_directory_is_in_the_way() {
    let world = World::new();
    let work = world.work();
    fs::write(work.join("file"), "mine").unwrap();
    fs::create_dir(work.join("acme")).unwrap();
    fs::write(work.join("acme/src"), "mine").unwrap();
    std::os::unix::fs::symlink("missing", work.join("link")).unwrap();
    let mut said = String::new();
    for directory in ["file", "file/deeper", "acme", "link"] {
        let outcome = new(&world, "acme", &["--dir", directory]);
        said.push_str(refusal(&outcome));
    }
    assert_snapshot!(said, @r"
    aurumcode providers new: file is no directory, and nothing was written: give another --dir
    aurumcode providers new: file is no directory, and nothing was written: give another --dir
    aurumcode providers new: acme/src is no directory, and nothing was written: give another --dir
    aurumcode providers new: link is no directory, and nothing was written: give another --dir
    ");
    assert_eq!(world.names("work/acme"), ["src"]);
}

#[test]
fn a_name_that_cannot_be_one_is_refused() {
    let world = World::new();
    let mut said = String::new();
    let too_long = "n".repeat(41);
    for name in [
        "",
        "1abc",
        "../x",
        "Acme",
        "a b",
        "a_b",
        "acme-",
        "a--b",
        "é",
        &too_long,
        "command",
        "limite",
        "http",
        "conformance",
    ] {
        let outcome = new(&world, name, &[]);
        said.push_str(refusal(&outcome));
    }
    assert_snapshot!(said, @r#"
    aurumcode providers new: a name is required
    aurumcode providers new: the name "1abc" has to begin with a small letter and go on with at most 39 small letters, digits and single dashes
    aurumcode providers new: the name "../x" has to begin with a small letter and go on with at most 39 small letters, digits and single dashes
    aurumcode providers new: the name "Acme" has to begin with a small letter and go on with at most 39 small letters, digits and single dashes
    aurumcode providers new: the name "a b" has to begin with a small letter and go on with at most 39 small letters, digits and single dashes
    aurumcode providers new: the name "a_b" has to begin with a small letter and go on with at most 39 small letters, digits and single dashes
    aurumcode providers new: the name "acme-" has to begin with a small letter and go on with at most 39 small letters, digits and single dashes
    aurumcode providers new: the name "a--b" has to begin with a small letter and go on with at most 39 small letters, digits and single dashes
    aurumcode providers new: the name "é" has to begin with a small letter and go on with at most 39 small letters, digits and single dashes
    aurumcode providers new: the name "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn" has to begin with a small letter and go on with at most 39 small letters, digits and single dashes
    aurumcode providers new: a provider named "command" is linked already: take another name
    aurumcode providers new: a provider named "limite" is linked already: take another name
    aurumcode providers new: aurumcode has a crate of the name "http" that is no provider: take another name
    aurumcode providers new: aurumcode has a crate of the name "conformance" that is no provider: take another name
    "#);
    assert_eq!(world.names("work"), [""; 0]);
}

#[test]
fn what_the_crate_is_built_on_is_a_checkout_or_a_repository() {
    let world = World::new();
    let mut said = String::new();
    for core in ["", "missing", "."] {
        let outcome = world.run(&["providers", "new", "acme", "--core", core]);
        said.push_str(refusal(&outcome));
    }
    assert_snapshot!(said, @r#"
    aurumcode providers new: --core is required outside a checkout of aurumcode: give the path of one, or a git URL
    aurumcode providers new: --core: "missing" cannot be read: No such file or directory (os error 2)
    aurumcode providers new: --core: "." is no checkout of aurumcode
    "#);
    assert_eq!(world.names("work"), [""; 0]);

    // cargo takes URLs only; git takes a host and a path, too.
    for (directory, core, url) in [
        (
            "https",
            "https://h.example/aurumcode.git",
            "https://h.example/aurumcode.git",
        ),
        (
            "ssh",
            "git@h.example:us/aurumcode.git",
            "ssh://git@h.example/us/aurumcode.git",
        ),
    ] {
        let outcome = world.run(&[
            "providers",
            "new",
            "acme",
            "--dir",
            directory,
            "--core",
            core,
        ]);
        assert_eq!(outcome.code, Some(0), "{outcome}");
        let manifest = fs::read_to_string(world.work().join(directory).join("Cargo.toml")).unwrap();
        let dependencies: Vec<_> = manifest
            .lines()
            .filter(|line| line.contains("aurumcode.git"))
            .collect();
        assert_eq!(
            dependencies,
            [
                "aurumcode",
                "aurumcode-core",
                "aurumcode-provider-http",
                "aurumcode-provider-conformance"
            ]
            .map(|package| format!("{package} = {{ git = \"{url}\" }}"))
        );
    }
}

/// Makes a directory that passes for a checkout and has this lock file.
fn checkout(world: &World, name: &str, lock: impl FnOnce(&Path)) {
    let checkout = world.work().join(name);
    for folder in ["core", "cli", "providers/conformance", "providers/http"] {
        fs::create_dir_all(checkout.join(folder)).unwrap();
        fs::write(checkout.join(folder).join("Cargo.toml"), "").unwrap();
    }
    lock(&checkout.join("Cargo.lock"));
}

#[test]
fn a_lock_file_is_taken_over_whole_or_the_reason_is_said() {
    let world = World::new();
    checkout(&world, "without", |_| {});
    checkout(&world, "pipe", |lock| {
        let made = world.command("mkfifo").arg(lock).status().unwrap();
        assert!(made.success());
    });
    checkout(&world, "directory", |lock| fs::create_dir(lock).unwrap());
    checkout(&world, "bytes", |lock| fs::write(lock, b"\xff").unwrap());
    checkout(&world, "long", |lock| {
        fs::File::create(lock).unwrap().set_len(1 << 30).unwrap();
    });
    let mut said = String::new();
    for core in ["pipe", "directory", "bytes", "long"] {
        let outcome = world.run(&["providers", "new", "acme", "--core", core]);
        said.push_str(refusal(&outcome));
    }
    assert_snapshot!(said, @r"
    aurumcode providers new: <scratch>/work/pipe/Cargo.lock cannot be read (it is no plain file): mend it, or give another checkout with --core
    aurumcode providers new: <scratch>/work/directory/Cargo.lock cannot be read (it is no plain file): mend it, or give another checkout with --core
    aurumcode providers new: <scratch>/work/bytes/Cargo.lock cannot be read (stream did not contain valid UTF-8): mend it, or give another checkout with --core
    aurumcode providers new: <scratch>/work/long/Cargo.lock cannot be read (it is longer than 16777216 bytes): mend it, or give another checkout with --core
    ");
    assert!(!world.work().join("acme").exists());

    let outcome = world.run(&["providers", "new", "acme", "--core", "without"]);
    assert_eq!(outcome.code, Some(0), "{outcome}");
    assert!(!world.work().join("acme/Cargo.lock").exists());
}
