//! Renames, against git's own opinion, and hostile names and trees.

use std::collections::BTreeMap;

use aurumcode_core::change::{Change, SkipReason};

use super::sandbox::{Sandbox, text};

/// Returns the new path of each rename with the old one, as git sees it.
fn renames_of_git(sandbox: &Sandbox) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let printed = sandbox.git([
        "diff",
        "-z",
        "--find-renames",
        "--diff-filter=R",
        "--name-status",
        "base",
        "HEAD",
    ]);
    let mut fields = printed.split(|byte| *byte == 0);
    let mut renames = BTreeMap::new();
    while let (Some(_), Some(old), Some(new)) = (fields.next(), fields.next(), fields.next()) {
        renames.insert(new.to_vec(), old.to_vec());
    }
    renames
}

fn renames_of(change: &Change) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let edited = change
        .files
        .iter()
        .filter_map(|file| Some((&file.path, file.old_path.as_ref()?)));
    let whole = change
        .notices
        .iter()
        .filter_map(|notice| match &notice.reason {
            SkipReason::RenamedOnly(old) => Some((&notice.path, old)),
            _ => None,
        });
    let bytes = |(new, old): (
        &aurumcode_core::change::RepoPath,
        &aurumcode_core::change::RepoPath,
    )| { (new.as_bytes().to_vec(), old.as_bytes().to_vec()) };
    edited.chain(whole).map(bytes).collect()
}

fn lines(words: std::ops::Range<u32>) -> String {
    let lines: Vec<_> = words.map(|word| format!("line number {word}\n")).collect();
    lines.concat()
}

#[test]
fn renames_are_those_of_git() {
    let sandbox = Sandbox::new();
    let shared = lines(0..20);
    let mut base = vec![
        ("same/a.rs", lines(100..120)),
        ("twins/one", shared.clone()),
        ("twins/two", shared.clone()),
        ("two-lines", "first of two\nsecond of two\n".to_owned()),
        ("half", lines(200..220)),
        ("less-than-half", lines(300..320)),
        ("long-line", "x".repeat(500)),
        ("copied", lines(400..420)),
        ("empty-1", String::new()),
        ("module/mod.rs", lines(500..540)),
        ("module/deep/mod.rs", lines(600..640)),
    ];
    for (path, content) in &base {
        sandbox.write(path, content);
    }
    for number in 0..30 {
        let path = format!("package/file-{number}.rs");
        sandbox.write(&path, lines(number * 1000..number * 1000 + 40));
    }
    sandbox.commit();
    sandbox.git(["tag", "base"]);
    for (path, _) in base.drain(..).filter(|(path, _)| *path != "copied") {
        sandbox.remove(path);
    }
    sandbox.write("moved/a.rs", lines(100..120));
    sandbox.write("other/two", &shared);
    sandbox.write("other/three", &shared);
    sandbox.write("two-lines-moved", "first of two\nsecond of two\nthird\n");
    sandbox.write("half-moved", lines(200..212) + &lines(900..907));
    sandbox.write("less-moved", lines(300..308) + &lines(910..922));
    sandbox.write("long-line-moved", "x".repeat(400));
    sandbox.write("copy", lines(400..420));
    sandbox.write("empty-2", "");
    sandbox.write("m/mod.rs", lines(500..539));
    sandbox.write("m/deep/mod.rs", lines(600..638));
    for number in 0..30 {
        sandbox.remove(&format!("package/file-{number}.rs"));
        let path = format!("renamed/package/file-{number}.rs");
        sandbox.write(&path, lines(number * 1000 + 3..number * 1000 + 41));
    }
    sandbox.commit();
    let (ours, theirs) = (
        renames_of(&sandbox.change("base")),
        renames_of_git(&sandbox),
    );
    let readable = |map: BTreeMap<Vec<u8>, Vec<u8>>| -> Vec<String> {
        map.iter()
            .map(|(new, old)| format!("{} <- {}", new.escape_ascii(), old.escape_ascii()))
            .collect()
    };
    assert_eq!(readable(ours), readable(theirs));
}

#[test]
fn a_directory_of_many_files_that_moves_is_renamed() {
    let sandbox = Sandbox::new();
    let content = |number: u32| format!("{number}\n").repeat(3);
    for number in 0..1500 {
        sandbox.write(format!("old/{number}"), content(number));
    }
    sandbox.commit();
    sandbox.git(["tag", "base"]);
    sandbox.git(["mv", "old", "new"]);
    sandbox.write("new/7", "7\n7\n7\n8\n");
    sandbox.commit();
    let change = sandbox.change("base");
    assert_eq!(
        text(&Change::new(change.files, Vec::new())),
        "new/7: renamed from old/7, 4 lines\n@ 1 1\n1 = 7\n2 = 7\n3 = 7\n4 + 8"
    );
    assert_eq!(change.notices.len(), 1499);
}

#[test]
fn every_byte_may_stand_in_a_name() {
    let sandbox = Sandbox::with_base(&[("x", b"x\n")]);
    let names: [&[u8]; 9] = [
        "src/café/naïve ação.rs".as_bytes(),
        b" blank ",
        b"tab\tand\nline",
        b"quote\"and\\slash",
        b"\xff\xfe.rs",
        b"\x1b[31mred",
        b"-dash",
        b"*?[a]{b}",
        b"a=>b",
    ];
    for name in names {
        sandbox.write(name, "x\n");
    }
    sandbox.commit();
    let change = sandbox.change("base");
    let mut expected = names.map(<[u8]>::to_vec);
    expected.sort();
    let found: Vec<_> = change
        .files
        .iter()
        .map(|file| file.path.as_bytes().to_vec())
        .collect();
    assert_eq!(found, expected);
}

/// Writes a tree object of any shape and returns its id.
fn tree(sandbox: &Sandbox, entries: &[(&str, &[u8], &str)]) -> String {
    let mut content = Vec::new();
    for (mode, name, id) in entries {
        content.extend_from_slice(format!("{mode} ").as_bytes());
        content.extend_from_slice(name);
        content.push(0);
        let byte =
            |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        content.extend(id.as_bytes().chunks(2).map(byte));
    }
    // Unlike `git hash-object`, the object database takes whatever it is given.
    let repository = git2::Repository::open(sandbox.work()).unwrap();
    let odb = repository.odb().unwrap();
    odb.write(git2::ObjectType::Tree, &content)
        .unwrap()
        .to_string()
}

fn commit_tree(sandbox: &Sandbox, tree: &str) {
    let id = sandbox.git_line(["commit-tree", "-p", "HEAD", "-m", "x", tree]);
    sandbox.git(["update-ref", "HEAD", &id]);
}

#[test]
fn a_tree_that_no_git_would_write_is_read_or_refused() {
    let sandbox = Sandbox::with_base(&[("x", b"x\n"), ("y", b"y\n")]);
    let x = sandbox.git_line(["rev-parse", "HEAD:x"]);
    let y = sandbox.git_line(["rev-parse", "HEAD:y"]);
    let top = sandbox.git_line(["rev-parse", "HEAD^{tree}"]);
    let odd = tree(
        &sandbox,
        &[
            ("100644", b"z", &x),
            ("100644", b"..", &x),
            ("100644", b"x", &y),
            ("100664", b"y", &y),
            ("100644", b".git", &x),
            ("100644", b"y", &x),
            ("123456", b"unknown mode", &x),
            ("40000", b"dir", &top),
        ],
    );
    commit_tree(&sandbox, &odd);
    insta::assert_snapshot!(text(&sandbox.change("base")), @r"
    ..: added, 1 lines
    @ 0 1
    1 + x
    .git: added, 1 lines
    @ 0 1
    1 + x
    dir/x: added, 1 lines
    @ 0 1
    1 + x
    dir/y: added, 1 lines
    @ 0 1
    1 + y
    x: modified, 1 lines
    @ 1 1
    1 - x
    1 + y
    y: added, 1 lines
    @ 0 1
    1 + x
    z: added, 1 lines
    @ 0 1
    1 + x
    symbolic link, skipped: unknown mode
    ");
    let lying = tree(&sandbox, &[("100644", b"x", &top), ("40000", b"y", &y)]);
    commit_tree(&sandbox, &lying);
    assert_eq!(
        sandbox.error("base"),
        "computing diff base..HEAD: the requested type does not match the type in the ODB; an object of \
         the repository cannot be read: run `git fsck`, or clone again"
    );
}

#[test]
fn a_small_repository_of_endless_files_is_refused() {
    let sandbox = Sandbox::with_base(&[("x", b"x\n")]);
    let mut id = sandbox.git_line(["rev-parse", "HEAD:x"]);
    let mut mode = "100644";
    for _ in 0..10 {
        let names: Vec<_> = (b'0'..=b'9').map(|digit| [digit]).collect();
        let entries: Vec<_> = names
            .iter()
            .map(|name| (mode, name.as_slice(), id.as_str()))
            .collect();
        id = tree(&sandbox, &entries);
        mode = "40000";
    }
    commit_tree(&sandbox, &id);
    assert_eq!(
        sandbox.error("base"),
        "computing diff base..HEAD: more than 100000 files or directories changed; review a smaller range"
    );
    let mut id = sandbox.git_line(["rev-parse", "base:x"]);
    let mut mode = "100644";
    for _ in 0..5000 {
        id = tree(&sandbox, &[(mode, b"deep", &id)]);
        mode = "40000";
    }
    commit_tree(&sandbox, &id);
    assert_eq!(
        sandbox.error("base"),
        "computing diff base..HEAD: a changed path is longer than 4096 bytes"
    );
}

#[test]
fn an_abbreviated_id_means_the_only_commit_of_its_beginning() {
    let sandbox = Sandbox::with_base(&[("x", b"x\n")]);
    let commit = sandbox.git_line(["rev-parse", "HEAD"]);
    let prefix = &commit[..4];
    let mut number = 0;
    let blob = loop {
        let content = format!("{number}\n");
        let id = git2::Oid::hash_object(git2::ObjectType::Blob, content.as_bytes()).unwrap();
        if id.to_string().starts_with(prefix) {
            break content;
        }
        number += 1;
    };
    sandbox.write("x", blob);
    sandbox.commit();
    assert_eq!(
        sandbox.git_line(["rev-parse", "--verify", &format!("{prefix}^{{commit}}")]),
        commit
    );
    assert_eq!(sandbox.change(prefix), sandbox.change("base"));
}
