//! Where the repository is, and what is said when it cannot be read.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::Path;

use super::child::{Child, OTHER_USER, may_change_user};
use super::sandbox::{Sandbox, read_in, text};
use crate::source::git::{GitRequest, read};

const ONE_LINE: &str = "a/file: modified, 2 lines\n@ 1 1\n1 = one\n2 + two";

fn one_line_added() -> Sandbox {
    let sandbox = Sandbox::with_base(&[("a/file", b"one\n")]);
    sandbox.write("a/file", "one\ntwo\n");
    sandbox.commit();
    sandbox
}

fn change_in(directory: &Path) -> String {
    text(&read_in(directory, "base").unwrap().change)
}

fn with_git_dir(sandbox: &Sandbox, directory: &Path, git_dir: &OsStr) -> String {
    let found = read(&GitRequest {
        directory,
        git_dir: Some(git_dir),
        base: "base",
    });
    match found {
        Ok(found) => text(&found.change),
        Err(error) => error
            .to_string()
            .replace(sandbox.root().to_str().unwrap(), "<root>"),
    }
}

#[test]
fn a_repository_is_found_from_everywhere_inside_it() {
    let sandbox = one_line_added();
    sandbox.git(["worktree", "add", "--quiet", "--detach", "../linked"]);
    sandbox.git(["clone", "--quiet", "--bare", ".", "../bare.git"]);
    let root = sandbox.root();
    let places = [
        "work",
        "work/a",
        "work/.git",
        "linked",
        "linked/a",
        "bare.git",
        "bare.git/refs",
    ];
    for place in places {
        assert_eq!(change_in(&root.join(place)), ONE_LINE, "{place}");
    }
}

#[test]
fn each_linked_worktree_has_a_head_of_its_own() {
    let sandbox = one_line_added();
    sandbox.git([
        "worktree",
        "add",
        "--quiet",
        "-b",
        "other",
        "../linked",
        "base",
    ]);
    let linked = sandbox.root().join("linked");
    fs::write(linked.join("a/file"), "zero\none\n").unwrap();
    sandbox.git_in(&linked, ["commit", "--quiet", "--all", "--message", "x"]);
    assert_eq!(
        change_in(&linked),
        "a/file: modified, 2 lines\n@ 1 1\n1 + zero\n2 = one"
    );
    assert_eq!(change_in(&sandbox.work()), ONE_LINE);
}

#[test]
fn git_dir_names_the_repository() {
    let sandbox = one_line_added();
    let (root, work) = (sandbox.root(), sandbox.work());
    let absolute = work.join(".git");
    assert_eq!(with_git_dir(&sandbox, &work, OsStr::new(".git")), ONE_LINE);
    assert_eq!(
        with_git_dir(&sandbox, &work.join("a"), OsStr::new("../.git")),
        ONE_LINE
    );
    assert_eq!(with_git_dir(&sandbox, root, absolute.as_os_str()), ONE_LINE);
    assert_eq!(with_git_dir(&sandbox, &work, OsStr::new("")), ONE_LINE);
    assert_eq!(
        with_git_dir(&sandbox, &work, OsStr::new("elsewhere")),
        "GIT_DIR names <root>/work/elsewhere, which is not a git repository: correct or unset it"
    );
}

#[test]
fn each_place_that_is_no_repository_has_its_message() {
    let sandbox = Sandbox::new();
    let root = sandbox.root();
    let make = |path: &str| fs::create_dir_all(root.join(path)).unwrap();
    make("plain/below");
    make("empty-git/.git");
    make("moved");
    fs::write(
        root.join("moved/.git"),
        "gitdir: ../gone/.git/worktrees/moved\n",
    )
    .unwrap();
    make("garbage");
    fs::write(root.join("garbage/.git"), "\0\x01").unwrap();
    make("config/.git");
    sandbox.git_in(root, ["init", "--quiet", "config"]);
    fs::write(root.join("config/.git/config"), "[broken\n").unwrap();
    fs::write(root.join("a-file"), "").unwrap();
    let places = [
        "plain/below",
        "empty-git",
        "moved",
        "garbage",
        "config",
        "a-file",
        "nowhere",
    ];
    let said: Vec<_> = places
        .iter()
        .map(|place| sandbox.error_in(&root.join(place), "base"))
        .collect();
    insta::assert_snapshot!(said.join("\n"), @r"
    <root>/plain/below is not a git repository (no .git directory here, and this path is not itself a bare repository)
    <root>/empty-git is not a git repository (no .git directory here, and this path is not itself a bare repository)
    <root>/moved/.git points to <root>/moved/../gone/.git/worktrees/moved, which is not a git repository: the main repository was moved or deleted; run `git worktree repair` there, or clone again
    could not open the git repository at <root>/garbage: the `.git` file at '<root>/garbage/.git' is malformed
    could not open the git repository at <root>/config: failed to parse config file: missing ']' in section header (in <root>/config/.git/config:1)
    <root>/a-file is not a directory
    <root>/nowhere is not a directory
    ");
}

#[test]
fn each_format_that_libgit2_cannot_read_has_its_message() {
    let sandbox = Sandbox::new();
    let root = sandbox.root();
    sandbox.git_in(
        root,
        ["init", "--quiet", "--object-format=sha256", "sha256"],
    );
    sandbox.git_in(
        root,
        ["init", "--quiet", "--ref-format=reftable", "reftable"],
    );
    for (name, key, value) in [
        ("extension", "extensions.unheardOf", "true"),
        ("version", "core.repositoryFormatVersion", "7"),
    ] {
        sandbox.git_in(root, ["init", "--quiet", name]);
        sandbox.git_in(
            &root.join(name),
            ["config", "core.repositoryFormatVersion", "1"],
        );
        sandbox.git_in(&root.join(name), ["config", key, value]);
    }
    let places = ["sha256", "reftable", "extension", "version"];
    let said: Vec<_> = places
        .iter()
        .map(|place| sandbox.error_in(&root.join(place), "base"))
        .collect();
    insta::assert_snapshot!(said.join("\n"), @r"
    the repository at <root>/sha256 cannot be read: it uses SHA-256 object names (extensions.objectFormat), which libgit2, the library that reads repositories here, does not support; review a clone that was made without it
    the repository at <root>/reftable cannot be read: it uses the reftable ref storage (extensions.refStorage), which libgit2, the library that reads repositories here, does not support; review a clone that was made without it
    the repository at <root>/extension cannot be read: it uses the repository extension extensions.unheardof, which libgit2, the library that reads repositories here, does not support; review a clone that was made without it
    the repository at <root>/version cannot be read: it uses a newer repository format (unsupported repository version 7; only versions up to 1 are supported), which libgit2, the library that reads repositories here, does not support; review a clone that was made without it
    ");
}

#[test]
fn a_repository_without_a_commit_says_so() {
    let sandbox = Sandbox::new();
    let said: Vec<_> = ["main", "HEAD", "HEAD~1", "@"]
        .map(|base| sandbox.error(base))
        .into();
    insta::assert_snapshot!(said.join("\n"), @r#"
    ref "main" not found in this repository: expected a branch name, HEAD, a 40-character commit SHA, or a "<ref>~N" parent expression -- the repository has no commits yet, so commit first
    ref "HEAD" not found in this repository: expected a branch name, HEAD, a 40-character commit SHA, or a "<ref>~N" parent expression -- the repository has no commits yet, so commit first
    ref "HEAD~1" not found in this repository: expected a branch name, HEAD, a 40-character commit SHA, or a "<ref>~N" parent expression -- the repository has no commits yet, so commit first
    ref "@" not found in this repository: expected a branch name, HEAD, a 40-character commit SHA, or a "<ref>~N" parent expression -- the repository has no commits yet, so commit first
    "#);
    sandbox.commit();
    sandbox.git(["tag", "base"]);
    sandbox.git(["checkout", "--quiet", "--orphan", "fresh"]);
    assert_eq!(
        sandbox.error("base"),
        "HEAD has no commit yet, so there is nothing to review: commit first, or check out a branch"
    );
}

#[test]
fn a_shallow_clone_never_gives_an_empty_change() {
    let sandbox = Sandbox::new();
    sandbox.commit();
    sandbox.write("a/file", "one\n");
    sandbox.commit();
    sandbox.git(["tag", "base"]);
    sandbox.write("a/file", "one\ntwo\n");
    for _ in 0..4 {
        sandbox.commit();
    }
    let root = sandbox.root();
    let url = format!("file://{}", sandbox.work().display());
    let clone = |depth: &str, name: &str| {
        sandbox.git_in(root, ["clone", "--quiet", "--depth", depth, &url, name]);
        root.join(name)
    };
    let absent = clone("1", "absent");
    let apart = clone("1", "apart");
    sandbox.git_in(
        &apart,
        ["fetch", "--quiet", "--depth", "1", "origin", "tag", "base"],
    );
    let whole = clone("5", "whole");
    let said = [
        sandbox.error_in(&absent, "base"),
        sandbox.error_in(&absent, "HEAD~1"),
        sandbox.error_in(&apart, "base"),
    ];
    insta::assert_snapshot!(said.join("\n"), @r#"
    ref "base" not found in this repository: this clone is shallow, so a part of the history is missing; fetch it whole (in CI: fetch-depth: 0; by hand: git fetch --unshallow), fetch the ref too if it is a branch, and run again
    ref "HEAD~1" not found in this repository: this clone is shallow, so a part of the history is missing; fetch it whole (in CI: fetch-depth: 0; by hand: git fetch --unshallow), fetch the ref too if it is a branch, and run again
    no common ancestor of "base" and HEAD is in this clone: it is shallow, so the history before the place where they meet is missing; fetch it whole (in CI: fetch-depth: 0; by hand: git fetch --unshallow) and run again
    "#);
    sandbox.git_in(&whole, ["fetch", "--quiet", "origin", "tag", "base"]);
    assert!(whole.join(".git/shallow").exists());
    assert_eq!(text(&read_in(&whole, "HEAD~4").unwrap().change), ONE_LINE);
    assert_eq!(change_in(&whole), ONE_LINE);
    sandbox.git_in(&absent, ["fetch", "--quiet", "--unshallow", "--tags"]);
    assert_eq!(change_in(&absent), ONE_LINE);
}

#[test]
fn the_change_starts_where_the_histories_meet() {
    let sandbox = one_line_added();
    sandbox.git(["checkout", "--quiet", "-b", "theirs", "base"]);
    sandbox.write("theirs", "not ours\n");
    sandbox.commit();
    sandbox.git(["checkout", "--quiet", "main"]);
    assert_eq!(text(&sandbox.change("theirs")), ONE_LINE);
    sandbox.git(["merge", "--quiet", "--no-edit", "theirs"]);
    assert_eq!(text(&sandbox.change("theirs")), ONE_LINE);
    assert_eq!(text(&sandbox.change("HEAD")), "");
    sandbox.git(["checkout", "--quiet", "--orphan", "apart"]);
    sandbox.commit();
    assert_eq!(
        sandbox.error("main"),
        "\"main\" and HEAD have no common ancestor, so there is no change from one to the other: name a ref of the history that HEAD stands on"
    );
}

#[test]
fn missing_objects_are_never_a_smaller_change() {
    let sandbox = one_line_added();
    sandbox.git(["config", "uploadpack.allowFilter", "true"]);
    let root = sandbox.root();
    let url = format!("file://{}", sandbox.work().display());
    let filter = "--filter=blob:none";
    sandbox.git_in(
        root,
        ["clone", "--quiet", "--no-checkout", filter, &url, "partial"],
    );
    let partial = root.join("partial");
    let blob = sandbox.git_line(["rev-parse", "HEAD:a/file"]);
    let said = [sandbox.error_in(&partial, "base"), {
        let (folder, name) = blob.split_at(2);
        let object = sandbox.work().join(".git/objects").join(folder).join(name);
        fs::set_permissions(&object, fs::Permissions::from_mode(0o600)).unwrap();
        fs::write(&object, "torn").unwrap();
        let torn = sandbox.error("base");
        fs::remove_file(&object).unwrap();
        torn + "\n" + &sandbox.error("base")
    }];
    insta::assert_snapshot!(said.join("\n").replace(&blob, "<blob>"), @r#"
    this is a partial clone, and objects of the change from "base" to HEAD are not in it: run `git diff base...HEAD` once, which fetches them, or clone without --filter, and run again
    computing diff base..HEAD: failed to read loose object header; an object of the repository cannot be read: run `git fsck`, or clone again
    computing diff base..HEAD: object not found - cannot read header for (<blob>); an object of the repository cannot be read: run `git fsck`, or clone again
    "#);
}

#[test]
fn the_remedy_for_a_partial_clone_works() {
    let sandbox = one_line_added();
    sandbox.git(["config", "uploadpack.allowFilter", "true"]);
    let root = sandbox.root();
    let url = format!("file://{}", sandbox.work().display());
    let filter = "--filter=blob:none";
    sandbox.git_in(
        root,
        ["clone", "--quiet", "--no-checkout", filter, &url, "partial"],
    );
    let partial = root.join("partial");
    assert!(read_in(&partial, "base").is_err());
    sandbox.git_in(&partial, ["diff", "base...HEAD"]);
    assert_eq!(change_in(&partial), ONE_LINE);
}

fn chown_all(path: &Path, user: u32) {
    if path.is_dir() && !path.is_symlink() {
        for entry in fs::read_dir(path).unwrap() {
            chown_all(&entry.unwrap().path(), user);
        }
    }
    chown(path, Some(user), Some(user)).unwrap();
}

#[test]
fn the_remedy_for_a_directory_of_another_user_works() {
    if !may_change_user() {
        return;
    }
    let sandbox = one_line_added();
    let root = sandbox.root();
    fs::rename(sandbox.work(), root.join("my work")).unwrap();
    let work = root.join("my work");
    sandbox.git_in(
        &work,
        ["worktree", "add", "--quiet", "--detach", "../linked"],
    );
    sandbox.git_in(&work, ["clone", "--quiet", "--bare", ".", "../bare.git"]);
    let home = sandbox.home();
    let child = Child {
        home: Some(&home),
        ..Child::default()
    };
    for (place, guarded) in [
        ("my work/a", "my work"),
        ("linked/a", "linked"),
        ("bare.git/refs", "bare.git"),
    ] {
        let (directory, guarded) = (root.join(place), root.join(guarded));
        chown_all(&guarded, OTHER_USER);
        let said = child.read(&directory, "base");
        let shown = guarded.display().to_string();
        let quoted = if shown.contains(' ') {
            format!("'{shown}'")
        } else {
            shown.clone()
        };
        let remedy = format!("git config --global --add safe.directory {quoted}");
        assert_eq!(
            said,
            format!(
                "the repository at {shown} belongs to another user, so git and this program refuse to read it; if you trust it, run: {remedy}"
            )
        );
        assert!(!home.join(".gitconfig").exists());
        let status = super::sandbox::git_command(root, &home)
            .get_envs()
            .fold(
                std::process::Command::new("sh"),
                |mut shell, (name, value)| {
                    shell.env(name, value.unwrap());
                    shell
                },
            )
            .args(["-c", &remedy])
            .status()
            .unwrap();
        assert!(status.success());
        assert_eq!(child.read(&directory, "base"), ONE_LINE);
        fs::remove_file(home.join(".gitconfig")).unwrap();
    }
}

#[test]
fn refs_that_may_not_be_read_have_their_message() {
    if !may_change_user() {
        return;
    }
    let sandbox = one_line_added();
    let top = sandbox.root();
    fs::set_permissions(top, fs::Permissions::from_mode(0o755)).unwrap();
    sandbox.git(["branch", "start", "base"]);
    chown_all(&sandbox.work(), OTHER_USER);
    let child = Child {
        user: Some(OTHER_USER),
        ..Child::default()
    };
    let work = sandbox.work();
    assert_eq!(child.read(&work, "start"), ONE_LINE);
    let denied = "permission denied resolving ref \"start\" in this repository: this process cannot read the ref's storage under .git (or the bare repository root) -- check its file permissions";
    for path in ["refs/heads/start", "refs/heads", "refs", "objects"] {
        let path = work.join(".git").join(path);
        let before = fs::metadata(&path).unwrap().permissions();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o0)).unwrap();
        assert_eq!(child.read(&work, "start"), denied, "{}", path.display());
        fs::set_permissions(&path, before).unwrap();
    }
    sandbox.git_in(&work, ["-c", "safe.directory=*", "pack-refs", "--all"]);
    let packed = work.join(".git/packed-refs");
    fs::set_permissions(&packed, fs::Permissions::from_mode(0o0)).unwrap();
    assert_eq!(child.read(&work, "start"), denied);
}
