//! Refs: what is taken, and what is said when one is not.

use std::fs;

use super::sandbox::{Sandbox, text};

/// A repository with four commits on `main`, each with a file of its own name.
fn history() -> Sandbox {
    let sandbox = Sandbox::new();
    for name in ["one", "two", "three", "four"] {
        sandbox.write(name, format!("{name}\n"));
        sandbox.git(["add", "--all"]);
        sandbox.git(["commit", "--quiet", "--message", &format!("add {name}")]);
    }
    sandbox
}

#[test]
fn every_way_to_name_a_commit_is_taken() {
    let sandbox = history();
    sandbox.git(["tag", "light", "HEAD~2"]);
    sandbox.git(["tag", "--annotate", "--message", "x", "heavy", "HEAD~2"]);
    sandbox.git(["tag", "--annotate", "--message", "x", "heavier", "heavy"]);
    sandbox.git(["branch", "feature/part", "HEAD~2"]);
    sandbox.git(["branch", "ünïcode-\"quoted\"", "HEAD~2"]);
    sandbox.git(["update-ref", "refs/remotes/origin/main", "HEAD~2"]);
    sandbox.git(["update-ref", "refs/remotes/fork/main", "HEAD~2"]);
    sandbox.git([
        "symbolic-ref",
        "refs/remotes/fork/HEAD",
        "refs/remotes/fork/main",
    ]);
    sandbox.git(["config", "branch.main.remote", "origin"]);
    sandbox.git(["config", "branch.main.merge", "refs/heads/main"]);
    sandbox.git(["config", "remote.origin.url", "nowhere"]);
    sandbox.git([
        "config",
        "remote.origin.fetch",
        "+refs/heads/*:refs/remotes/origin/*",
    ]);
    let id = sandbox.git_line(["rev-parse", "HEAD~2"]);
    let described = sandbox.git_line(["describe", "--long", "--tags", "HEAD~2"]);
    let expected = text(&sandbox.change("HEAD~2"));
    assert_eq!(
        expected,
        "four: added, 1 lines\n@ 0 1\n1 + four\nthree: added, 1 lines\n@ 0 1\n1 + three"
    );
    let names = [
        &id,
        &id[..7],
        &id[..7].to_uppercase(),
        &described,
        "light",
        "tags/light",
        "refs/tags/light",
        "heavy",
        "heavier",
        "heavier^{}",
        "heavy^0",
        "light^{commit}",
        "feature/part",
        "heads/feature/part",
        "ünïcode-\"quoted\"",
        "origin/main",
        "refs/remotes/origin/main",
        "fork",
        "main@{u}",
        "@{upstream}",
        "@~2",
        "@^^",
        "HEAD^1~1",
        "HEAD@{2}",
        "main@{2}",
        ":/add two",
        "HEAD^{/add two}",
    ];
    for name in names {
        let found = sandbox.read(name).map(|read| text(&read.change));
        assert_eq!(
            found.map_err(|error| error.to_string()),
            Ok(expected.clone()),
            "{name}"
        );
    }
}

#[test]
fn each_ref_that_names_no_commit_has_its_message() {
    let sandbox = history();
    sandbox.git(["branch", "feature/part"]);
    sandbox.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    sandbox.git(["tag", "tree", "HEAD^{tree}"]);
    sandbox.git(["tag", "blob", "HEAD:one"]);
    fs::write(sandbox.work().join(".git/refs/heads/torn"), "not an id\n").unwrap();
    fs::write(
        sandbox.work().join(".git/refs/heads/loop"),
        "ref: refs/heads/loop\n",
    )
    .unwrap();
    let names = [
        "nope",
        "HEAD~99",
        "0000000000000000000000000000000000000001",
        "no \"such\"\nref",
        "nul\0inside",
        "feature",
        "origin",
        "heads/feature",
        "",
        " \t",
        "tree",
        "blob",
        "HEAD:one",
        "HEAD~2..HEAD",
        "HEAD^{",
        "torn",
        "loop",
        "@{u}",
    ];
    let said: Vec<_> = names.iter().map(|name| sandbox.error(name)).collect();
    insta::assert_snapshot!(said.join("\n"), @r#"
    ref "nope" not found in this repository: expected a branch name, HEAD, a 40-character commit SHA, or a "<ref>~N" parent expression
    ref "HEAD~99" not found in this repository: expected a branch name, HEAD, a 40-character commit SHA, or a "<ref>~N" parent expression
    ref "0000000000000000000000000000000000000001" not found in this repository: expected a branch name, HEAD, a 40-character commit SHA, or a "<ref>~N" parent expression
    could not resolve ref "no \"such\"\nref" in this repository
    could not resolve ref "nul\x00inside" in this repository
    ref "feature" is not a branch: a directory of refs by that name exists (a hierarchical branch namespace, e.g. "<ref>/...") -- name the exact branch, not a namespace prefix
    ref "origin" is not a branch: a directory of refs by that name exists (a hierarchical branch namespace, e.g. "<ref>/...") -- name the exact branch, not a namespace prefix
    ref "heads/feature" is not a branch: a directory of refs by that name exists (a hierarchical branch namespace, e.g. "<ref>/...") -- name the exact branch, not a namespace prefix
    could not resolve ref "" in this repository
    could not resolve ref " \t" in this repository
    could not resolve ref "tree" in this repository
    could not resolve ref "blob" in this repository
    could not resolve ref "HEAD:one" in this repository
    could not resolve ref "HEAD~2..HEAD" in this repository
    could not resolve ref "HEAD^{" in this repository
    could not resolve ref "torn" in this repository
    could not resolve ref "loop" in this repository
    ref "@{u}" not found in this repository: expected a branch name, HEAD, a 40-character commit SHA, or a "<ref>~N" parent expression
    "#);
}
