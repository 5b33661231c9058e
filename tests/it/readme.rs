//! The README is true: its commands run as they stand, and what it shows is what comes out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::project;

/// A fenced block: the word after the fence, and the text.
type Block<'a> = (&'a str, String);

#[test]
fn the_first_command_prints_what_is_shown() {
    let readme = text("README.md");
    let blocks = blocks(&readme);
    let [("sh", command), ("text", shown), ..] = blocks.as_slice() else {
        panic!("the README begins with a command and its output: {blocks:?}");
    };

    let output = shell(command);

    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), *shown);
    assert_eq!(output.status.code(), Some(0));
}

/// It is compared and not run: it would run this test again.
#[test]
fn the_test_command_is_the_one_that_ci_runs() {
    let readme = text("README.md");
    let blocks = blocks(&readme);
    let Some(("sh", command)) = blocks.get(2) else {
        panic!("the README's second command passes all tests: {blocks:?}");
    };
    let script = text(".ci/run");
    let in_ci: Vec<&str> = script
        .lines()
        .filter_map(|line| line.strip_prefix("step "))
        .filter(|line| line.starts_with("cargo test"))
        .collect();
    assert_eq!(in_ci, [command.trim_end()]);
}

#[test]
fn links_lead_to_files() {
    let mut pages = documentation();
    pages.extend(["README.md", "CONTRIBUTING.md", "fixtures/README.md"].map(PathBuf::from));
    let mut broken = Vec::new();
    for page in pages {
        let content = text(&page);
        for target in link_targets(&content) {
            let file = target.split('#').next().unwrap_or_default();
            let there = project().join(page.parent().unwrap()).join(file).exists();
            if !there && !target.contains("://") {
                broken.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert_eq!(broken, Vec::<String>::new());
}

#[test]
fn the_index_names_every_page() {
    let index = text("docs/README.md");
    let linked: Vec<PathBuf> = link_targets(&index)
        .map(|target| Path::new("docs").join(target))
        .collect();
    let mut pages = documentation();
    pages.retain(|page| page != Path::new("docs/README.md"));
    // A link to a directory stands for what is in it.
    pages.retain(|page| {
        !page
            .ancestors()
            .any(|place| linked.iter().any(|link| link == place))
    });
    assert_eq!(pages, Vec::<PathBuf>::new());
}

/// The pages below `docs`, by their path in the project.
fn documentation() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    let mut pending = vec![PathBuf::from("docs")];
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(project().join(&directory)).unwrap() {
            let entry = entry.unwrap();
            let path = directory.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

fn text(path: impl AsRef<Path>) -> String {
    fs::read_to_string(project().join(path)).unwrap()
}

fn blocks(markdown: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = markdown.lines();
    while let Some(line) = lines.next() {
        if let Some(word) = line.strip_prefix("```") {
            let content = lines.by_ref().take_while(|line| *line != "```");
            blocks.push((
                word,
                content.fold(String::new(), |all, line| all + line + "\n"),
            ));
        }
    }
    blocks
}

/// The targets of `[text](target)`.
fn link_targets(markdown: &str) -> impl Iterator<Item = &str> {
    markdown
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
}

/// Runs a command as a reader would, at the top of the project, with nothing configured.
fn shell(command: &str) -> std::process::Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(project());
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        let configures = ["AURUM", "LLM_", "GITHUB_", "GIT_"];
        if configures.iter().any(|prefix| name.starts_with(prefix)) {
            shell.env_remove(name);
        }
    }
    shell.output().unwrap()
}
