//! Every kind of changed entry, and what becomes of it.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::sync::atomic::AtomicU64;

use aurumcode_core::change::{LineKind, RepoPath};
use aurumcode_core::limits;
use git2::Repository;

use super::sandbox::{Sandbox, text};
use crate::source::git::error::DiffError;
use crate::source::git::file::{self, Outcome};
use crate::source::git::tree;

#[test]
#[expect(
    clippy::too_many_lines,
    reason = "one repository with every kind, and what is said of it"
)]
fn each_kind_of_entry_is_sent_or_named() {
    let sandbox = Sandbox::with_base(&[
        ("edited.txt", b"one\ntwo\nthree\n"),
        ("deleted.txt", b"gone\n"),
        ("moved/old name.txt", b"same\n"),
        ("moved/edited.txt", b"a\nb\nc\nd\n"),
        ("script.sh", b"#!/bin/sh\n"),
        ("picture.bin", b"\0\x01"),
        ("becomes-binary", b"text\n"),
        ("becomes-text", b"\0"),
        ("becomes-link", b"was a file\n"),
        ("emptied.txt", b"content\n"),
        ("filled.txt", b""),
        ("empty-deleted.txt", b""),
        ("was-a-file", b"x\n"),
        ("was/a/directory", b"y\n"),
        (
            "model.onnx",
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
        ),
        (
            "gone.onnx",
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
        ),
    ]);
    let in_work = |path: &str| sandbox.work().join(path);
    symlink("target", in_work("link-that-moves")).unwrap();
    symlink("target", in_work("becomes-file")).unwrap();
    sandbox.git(["add", "--all"]);
    let gitlink = format!("160000,{},vendor/dep", "a".repeat(40));
    sandbox.git(["update-index", "--add", "--cacheinfo", &gitlink]);
    sandbox.git(["commit", "--quiet", "--amend", "--message", "x"]);
    sandbox.git(["tag", "--force", "base"]);

    sandbox.write("edited.txt", "one\n2\nthree\nfour");
    sandbox.remove("deleted.txt");
    fs::rename(in_work("moved/old name.txt"), in_work("moved/new name.txt")).unwrap();
    sandbox.remove("moved/edited.txt");
    sandbox.write("elsewhere/edited.txt", "a\nb\nc\nd\ne\n");
    fs::set_permissions(in_work("script.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    sandbox.write("picture.bin", b"\0\x02");
    sandbox.write("becomes-binary", b"text\n\0");
    sandbox.write("becomes-text", b"text\n");
    sandbox.remove("becomes-link");
    symlink("target", in_work("becomes-link")).unwrap();
    sandbox.remove("becomes-file");
    sandbox.write("becomes-file", "is a file\n");
    sandbox.write("emptied.txt", "");
    sandbox.write("filled.txt", "content\n");
    sandbox.remove("empty-deleted.txt");
    sandbox.write("empty-added/__init__.py", "");
    sandbox.write("empty-added/other.py", "");
    sandbox.remove("was-a-file");
    sandbox.write("was-a-file/now-in-it", "new\n");
    fs::remove_dir_all(in_work("was")).unwrap();
    sandbox.write("was", "new\n");
    sandbox.remove("link-that-moves");
    symlink("elsewhere", in_work("link-that-moves")).unwrap();
    symlink("elsewhere", in_work("link-added")).unwrap();
    sandbox.remove("gone.onnx");
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 12345\n";
    sandbox.write("model.onnx", pointer);
    sandbox.git(["add", "--all"]);
    let gitlink = format!("160000,{},vendor/dep", "b".repeat(40));
    sandbox.git(["update-index", "--add", "--cacheinfo", &gitlink]);
    sandbox.git(["commit", "--quiet", "--message", "y"]);

    insta::assert_snapshot!(text(&sandbox.change("base")), @r"
    becomes-file: added, 1 lines
    @ 0 1
    1 + is a file
    becomes-link: deleted, 1 lines
    @ 1 0
    1 - was a file
    deleted.txt: deleted, 1 lines
    @ 1 0
    1 - gone
    edited.txt: modified, 4 lines
    @ 1 1
    1 = one
    2 - two
    2 + 2
    3 = three
    4 + four (no feed)
    elsewhere/edited.txt: renamed from moved/edited.txt, 5 lines
    @ 1 1
    1 = a
    2 = b
    3 = c
    4 = d
    5 + e
    emptied.txt: modified, 0 lines
    @ 1 0
    1 - content
    filled.txt: modified, 1 lines
    @ 0 1
    1 + content
    was: added, 1 lines
    @ 0 1
    1 + new
    was-a-file: deleted, 1 lines
    @ 1 0
    1 - x
    was-a-file/now-in-it: added, 1 lines
    @ 0 1
    1 + new
    was/a/directory: deleted, 1 lines
    @ 1 0
    1 - y
    binary file, skipped: becomes-binary
    symbolic link, skipped: becomes-file
    symbolic link, skipped: becomes-link
    binary file, skipped: becomes-text
    renamed without changes, skipped: empty-added/__init__.py (from empty-deleted.txt)
    empty file, skipped: empty-added/other.py
    large file storage pointer, skipped: gone.onnx
    symbolic link, skipped: link-added
    symbolic link, skipped: link-that-moves
    large file storage pointer, skipped: model.onnx
    renamed without changes, skipped: moved/new name.txt (from moved/old name.txt)
    binary file, skipped: picture.bin
    only the mode changed, skipped: script.sh
    submodule, skipped: vendor/dep
    ");
}

#[test]
fn a_side_at_the_limit_is_sent_and_one_above_is_named() {
    let sandbox = Sandbox::with_base(&[("README", b"x\n")]);
    let lines = usize::try_from(limits::FILE_LINES).unwrap();
    let bytes = usize::try_from(limits::FILE_BYTES).unwrap();
    sandbox.write("lines-at", "a\n".repeat(lines));
    sandbox.write("lines-above", "a\n".repeat(lines + 1));
    sandbox.write("bytes-at", "a".repeat(bytes));
    sandbox.write("bytes-above", "a".repeat(bytes + 1));
    sandbox.write("both-above", "a\n".repeat(bytes));
    sandbox.commit();
    let change = sandbox.change("base");
    let sent: Vec<_> = change
        .files
        .iter()
        .map(|file| file.path.display())
        .collect();
    let named: Vec<_> = change.notices.iter().map(ToString::to_string).collect();
    assert_eq!(sent, ["bytes-at", "lines-at"]);
    assert_eq!(
        named,
        [
            "diff too large: both-above (2097152 bytes > limit 1048576)",
            "diff too large: bytes-above (1048577 bytes > limit 1048576)",
            "diff too large: lines-above (10001 lines > limit 10000)",
        ]
    );
}

/// Large files are read on several threads, in whatever order they come to their ends.
#[test]
fn files_of_all_sizes_come_in_path_order() {
    let content = |number: usize, word: &str| {
        let lines = if number.is_multiple_of(2) { 1 } else { 400 };
        let line = |at| format!("{word} {number} {at}\n");
        (0..lines).map(line).collect::<String>()
    };
    let paths: Vec<_> = (0..140).map(|number| format!("file{number:03}")).collect();
    let old: Vec<_> = (0..paths.len())
        .map(|number| content(number, "an old line"))
        .collect();
    let base: Vec<_> = paths
        .iter()
        .map(String::as_str)
        .zip(old.iter().map(String::as_bytes))
        .collect();
    let sandbox = Sandbox::with_base(&base);
    for (number, path) in paths.iter().enumerate() {
        sandbox.write(path, content(number, "a new line"));
    }
    sandbox.write("file071", [&b"\0"[..], &[b'x'; 8000]].concat());
    sandbox.commit();
    let change = sandbox.change("base");
    let (sent, named): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path != "file071");
    let shown = |path: &RepoPath| path.display().into_owned();
    assert!(change.files.iter().map(|file| shown(&file.path)).eq(sent));
    assert!(
        change
            .notices
            .iter()
            .map(|notice| shown(&notice.path))
            .eq(named)
    );
    for file in &change.files {
        let number: usize = file.path.display()["file".len()..].parse().unwrap();
        let side = |kind| {
            let lines = file.lines().filter(move |line| line.kind == kind);
            lines
                .flat_map(|line| [line.content, b"\n"].concat())
                .collect::<Vec<u8>>()
        };
        assert_eq!(
            side(LineKind::Removed),
            content(number, "an old line").as_bytes()
        );
        assert_eq!(
            side(LineKind::Added),
            content(number, "a new line").as_bytes()
        );
    }
}

#[test]
fn a_change_with_more_bytes_of_diff_than_the_limit_is_refused() {
    let sandbox = Sandbox::with_base(&[("a.txt", b"one\n")]);
    sandbox.write("a.txt", "two\n");
    sandbox.commit();
    let repository = Repository::open(sandbox.work()).unwrap();
    let tree = |name| {
        repository
            .revparse_single(name)
            .unwrap()
            .peel_to_tree()
            .unwrap()
            .id()
    };
    let entries = tree::changed(&repository, tree("base"), tree("HEAD")).unwrap();
    let with_room_for = |bytes| {
        let total = AtomicU64::new(limits::CHANGE_BYTES - bytes);
        file::read(&repository, &entries[0], &total)
    };
    assert!(matches!(with_room_for(8), Ok(Outcome::Sent(_))));
    assert!(matches!(with_room_for(7), Err(DiffError::TooManyBytes)));
}
