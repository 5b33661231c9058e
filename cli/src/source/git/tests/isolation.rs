//! Nothing but the two trees decides what is read.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::child::Child;
use super::sandbox::{Sandbox, text};

/// A configuration in which everything that bears on a diff is turned round.
fn hostile_configuration(script: &Path) -> String {
    let script = script.display();
    format!(
        "[diff]
    noprefix = true
    mnemonicPrefix = true
    external = {script}
    algorithm = histogram
    context = 0
    interHunkContext = 50
    renames = copies
    renameLimit = 1
    orderFile = {script}
    submodule = log
    ignoreSubmodules = all
    suppressBlankEmpty = true
    indentHeuristic = false
    wsErrorHighlight = all
    wordRegex = .
    colorMoved = zebra
    relative = true
[diff \"hidden\"]
    command = {script}
    textconv = {script}
    binary = true
    xfuncname = ^(
    algorithm = patience
[color]
    ui = always
    diff = always
[core]
    quotePath = true
    autocrlf = true
    eol = crlf
    whitespace = cr-at-eol
    fileMode = false
    symlinks = false
    ignoreCase = true
    precomposeUnicode = true
    attributesFile = {script}
    fsmonitor = {script}
    hooksPath = /nowhere
    pager = {script}
[filter \"hidden\"]
    clean = {script}
    smudge = {script}
    process = {script}
    required = true
"
    )
}

const ATTRIBUTES: &str = "*.enc diff=hidden filter=hidden text eol=crlf\n*.rs -diff\n*.txt binary\n* export-ignore\n* diff=hidden\n";

fn with_every_kind_of_change() -> Sandbox {
    let sandbox = Sandbox::with_base(&[
        ("a.enc", b"a\nb\nc\n"),
        ("b.rs", b"fn one() {\n\n    one();\n}\n\nfn two() {\n}\n"),
        ("c.txt", b"a\r\nb\r\n"),
        ("d/old.rs", b"1\n2\n3\n4\n5\n6\n7\n8\n"),
        ("script.sh", b"x\n"),
        ("UPPER", b"x\n"),
    ]);
    sandbox.write("a.enc", "a\nB\nc\n");
    let added = b"fn one() {\n\n    one();\n}\n\nfn half() {\n\n    one();\n}\n\nfn two() {\n}\n";
    sandbox.write("b.rs", added);
    sandbox.write("c.txt", "a\r\nb\n");
    sandbox.remove("d/old.rs");
    sandbox.write("d/new.rs", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    sandbox.write("d/copy.rs", "a\nb\nc\n");
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(sandbox.work().join("script.sh"), executable).unwrap();
    sandbox.write("upper", "x\n");
    sandbox.git(["add", "--all"]);
    let gitlink = format!("160000,{},dep", "a".repeat(40));
    sandbox.git(["update-index", "--add", "--cacheinfo", &gitlink]);
    sandbox.git(["commit", "--quiet", "--message", "x"]);
    sandbox
}

#[test]
fn no_configuration_attribute_or_variable_changes_the_change() {
    let sandbox = with_every_kind_of_change();
    let plain = Child::default().read(&sandbox.work(), "base");
    assert_eq!(plain, text(&sandbox.change("base")));
    assert!(
        plain.contains("a.enc: modified") && plain.contains("d/new.rs: renamed"),
        "{plain}"
    );

    let (home, work) = (sandbox.home(), sandbox.work());
    let marker = sandbox.root().join("the-script-ran");
    let script = sandbox.root().join("script");
    fs::write(&script, format!("#!/bin/sh\ntouch {}\n", marker.display())).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let configuration = hostile_configuration(&script);
    fs::write(home.join(".gitconfig"), &configuration).unwrap();
    fs::create_dir_all(home.join("xdg/git")).unwrap();
    fs::write(home.join("xdg/git/config"), &configuration).unwrap();
    fs::write(home.join("xdg/git/attributes"), ATTRIBUTES).unwrap();
    let own = work.join(".git/config");
    fs::write(&own, fs::read_to_string(&own).unwrap() + &configuration).unwrap();
    fs::create_dir_all(work.join(".git/info")).unwrap();
    fs::write(work.join(".git/info/attributes"), ATTRIBUTES).unwrap();
    fs::write(work.join(".gitattributes"), ATTRIBUTES).unwrap();
    fs::write(work.join("d/.gitattributes"), ATTRIBUTES).unwrap();
    fs::write(work.join(".git/index"), "no index at all").unwrap();
    let script = script.to_str().unwrap();
    let variables = [
        ("GIT_EXTERNAL_DIFF", script),
        ("GIT_DIFF_OPTS", "--unified=0"),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "diff.context"),
        ("GIT_CONFIG_VALUE_0", "0"),
        ("GIT_PAGER", script),
        ("GIT_ATTR_SOURCE", "HEAD"),
        ("GIT_LITERAL_PATHSPECS", "1"),
        ("GIT_WORK_TREE", "/"),
        ("GIT_INDEX_FILE", "/dev/null"),
        ("GIT_OBJECT_DIRECTORY", "/nowhere"),
        ("GIT_NAMESPACE", "other"),
        ("GIT_CEILING_DIRECTORIES", "/"),
        ("LC_ALL", "tr_TR.UTF-8"),
        ("XDG_CONFIG_HOME", home.join("xdg").to_str().unwrap()),
    ]
    .map(|(name, value)| (name, value.to_owned()));
    let hostile = Child {
        home: Some(&home),
        variables: variables.to_vec(),
        ..Child::default()
    };
    assert_eq!(hostile.read(&work, "base"), plain);
    assert!(!marker.exists());
}

#[test]
fn the_index_and_the_work_tree_are_not_part_of_the_change() {
    let sandbox = with_every_kind_of_change();
    let before = sandbox.read("base").unwrap();
    sandbox.write("a.enc", "staged\n");
    sandbox.write("new", "staged\n");
    sandbox.git(["add", "--all"]);
    sandbox.write("a.enc", "edited\n");
    sandbox.remove("b.rs");
    sandbox.write("untracked", "x\n");
    assert_eq!(sandbox.read("base").unwrap(), before);
}

#[test]
fn edits_without_a_commit_are_told_from_no_edits() {
    let sandbox = Sandbox::with_base(&[("file", b"one\n")]);
    let only = |base: &str| sandbox.read(base).unwrap().uncommitted_only;
    assert!(!only("HEAD"));
    sandbox.write("untracked", "x\n");
    assert!(!only("HEAD"), "a file that git does not know is no edit");
    sandbox.git(["add", "untracked"]);
    assert!(only("HEAD"));
    sandbox.commit();
    assert!(!only("HEAD"));
    let index = fs::read(sandbox.work().join(".git/index")).unwrap();
    sandbox.write("file", "two\n");
    assert!(only("HEAD"));
    assert!(!only("base"), "something was committed");
    assert_eq!(fs::read(sandbox.work().join(".git/index")).unwrap(), index);
    sandbox.remove("file");
    assert!(only("HEAD"));
}
