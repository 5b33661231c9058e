//! The committed fixtures are what their builder makes, and they survive a clone.

mod git_demo;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use git2::{Repository, Sort};
use serde_json::json;

use git_demo::Files;

use crate::support::project;

/// With this variable set, the test writes the repository anew instead of comparing it.
const UPDATE: &str = "AURUMCODE_UPDATE_FIXTURES";

fn git_demo_directory() -> PathBuf {
    project().join("fixtures/repos/git-demo/repo.git")
}

#[test]
fn git_demo_is_what_its_builder_makes() {
    let built = git_demo::build();
    let directory = git_demo_directory();
    if std::env::var_os(UPDATE).is_some() {
        if directory.exists() {
            fs::remove_dir_all(&directory).unwrap();
        }
        write(&directory, &built);
    }
    assert_eq!(read(&directory), built);
}

#[test]
fn git_demo_survives_a_clone() {
    let scratch = tempfile::tempdir().unwrap();
    let original = scratch.path().join("original");
    let repository = original.join("fixtures/repos/git-demo/repo.git");
    write(&repository, &git_demo::build());
    for name in [".gitattributes", ".gitignore"] {
        fs::copy(project().join(name), original.join(name)).unwrap();
    }
    let home = scratch.path().join("home");
    fs::create_dir(&home).unwrap();
    fs::write(home.join(".gitconfig"), "[core]\n\tautocrlf = true\n").unwrap();
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(scratch.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &home)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(output.status.success(), "git {arguments:?}: {output:?}");
    };
    git(&["init", "--quiet", "original"]);
    git(&["-C", "original", "add", "--all"]);
    git(&[
        "-C",
        "original",
        "-c",
        "user.name=test",
        "-c",
        "user.email=test@example.invalid",
        "commit",
        "--quiet",
        "--message=fixture",
    ]);
    git(&["clone", "--quiet", "original", "clone"]);

    let cloned = scratch
        .path()
        .join("clone/fixtures/repos/git-demo/repo.git");
    assert_eq!(read(&cloned), git_demo::build());
    git(&["-C", cloned.to_str().unwrap(), "fsck", "--full", "--strict"]);
    assert_eq!(commits(&cloned), EXPECTED_COMMITS);
}

#[test]
fn git_demo_has_three_commits_and_tokens_on_lines_4_to_6() {
    let directory = git_demo_directory();
    assert_eq!(commits(&directory), EXPECTED_COMMITS);

    let repository = Repository::open_bare(&directory).unwrap();
    let object = repository
        .revparse_single("HEAD:config/demo-tokens.txt")
        .unwrap();
    let text = String::from_utf8(object.as_blob().unwrap().content().to_vec()).unwrap();
    let tokens: Vec<usize> = text
        .lines()
        .zip(1..)
        .filter(|(line, _)| line.split_once('=').is_some_and(is_made_up_token))
        .map(|(_, number)| number)
        .collect();
    assert_eq!(tokens, [4, 5, 6]);
}

#[test]
fn known_problem_response_is_one_finding_on_the_first_token() {
    let path = project().join("fixtures/review/known-problem-response.json");
    let answer: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let message = answer["issues"][0]["message"].clone();
    assert!(message.is_string());
    assert_eq!(
        answer,
        json!({"issues": [{
            "file": "config/demo-tokens.txt",
            "line": 4,
            "severity": "error",
            "rule_id": "security/hardcoded-secret",
            "message": message,
        }]})
    );
}

const EXPECTED_COMMITS: [&str; 3] = [
    "Begin the notes: NOTES.txt",
    "Greet by name: src/greeting.py",
    "Read the tokens from a file: NOTES.txt config/demo-tokens.txt",
];

/// Each commit's subject and the paths that it changes, oldest first.
fn commits(directory: &Path) -> Vec<String> {
    let repository = Repository::open_bare(directory).unwrap();
    let mut walk = repository.revwalk().unwrap();
    walk.push_head().unwrap();
    walk.set_sorting(Sort::TOPOLOGICAL | Sort::REVERSE).unwrap();
    walk.map(|id| {
        let commit = repository.find_commit(id.unwrap()).unwrap();
        let parent = commit.parent(0).ok().map(|parent| parent.tree().unwrap());
        let diff = repository
            .diff_tree_to_tree(parent.as_ref(), Some(&commit.tree().unwrap()), None)
            .unwrap();
        let paths: Vec<String> = diff
            .deltas()
            .map(|delta| delta.new_file().path().unwrap().display().to_string())
            .collect();
        let subject = commit.summary().unwrap().unwrap();
        format!("{subject}: {}", paths.join(" "))
    })
    .collect()
}

fn is_made_up_token((name, value): (&str, &str)) -> bool {
    name.bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
        && value.len() >= 24
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
}

fn write(directory: &Path, files: &Files) {
    for (path, bytes) in files {
        let path = directory.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// Reads every file below a directory.
fn read(directory: &Path) -> Files {
    let mut files = Files::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(next) = pending.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else {
                let name = path.strip_prefix(directory).unwrap();
                let name = name.to_str().unwrap().replace('\\', "/");
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}
