//! Tests of the reader: shapes by hand, and random repositories against the git source.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::Command;

use aurumcode_core::change::{Change, Hunk, SkipReason};
use proptest::prelude::*;
use tempfile::TempDir;

use super::{DiffError, parse};
use crate::source::git::{GitRequest, read};

/// Writes a change as text, one line a line, so that a test can compare all of it.
fn text(change: &Change) -> String {
    let files = change.files.iter().flat_map(|file| {
        let old = file.old_path.as_ref();
        let old = old.map_or(String::new(), |old| format!(" from {}", old.display()));
        let head = format!("{}: {}{old}", file.path.display(), file.kind.word());
        std::iter::once(head).chain(file.hunks.iter().flat_map(hunk_text))
    });
    let notices = change.notices.iter().map(ToString::to_string);
    files.chain(notices).collect::<Vec<_>>().join("\n")
}

fn hunk_text(hunk: &Hunk) -> Vec<String> {
    let head = format!("@ {} {}", hunk.old_start(), hunk.new_start());
    let lines = hunk.lines().map(|line| {
        let end = if line.terminated { "" } else { " (no feed)" };
        let content = line.content.escape_ascii();
        format!("{} {}|{content}{end}", line.number(), line.kind.marker())
    });
    std::iter::once(head).chain(lines).collect()
}

/// One file of each shape; the last one gets lines that end in CR LF.
const MANY_SHAPES: &[u8] = br#"diff --git a/old name.rs b/new name.rs
similarity index 90%
rename from old name.rs
rename to new name.rs
index 1111111..2222222 100644
--- a/old name.rs	
+++ b/new name.rs	
@@ -1 +1 @@ fn f() {
-a
\ No newline at end of file
+b
@@ -10,3 +10,4 @@
 x
--- a/looks like a header
+++ b/looks like one too
+@@ -1 +1 @@

diff --git "a/caf\303\251.rs" "b/caf\303\251.rs"
new file mode 100755
index 0000000..3333333
--- /dev/null
+++ "b/caf\303\251.rs"
@@ -0,0 +1,2 @@
+one
+diff --git a/x b/x
\ No newline at end of file
diff --git a/gone b/gone
deleted file mode 100644
index 4444444..0000000
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/a b/b
similarity index 100%
rename from a
rename to b
diff --git a/empty b/empty
new file mode 100644
index 0000000..e69de29
diff --git a/pic b/pic
index 5555555..6666666 100644
Binary files a/pic and b/pic differ
diff --git a/patch b/patch
index 5555555..6666666 100644
GIT binary patch
literal 3
KcmZQzWB>pF

literal 0
HcmV?d00001

diff --git a/link b/link
new file mode 120000
index 0000000..7777777
--- /dev/null
+++ b/link
@@ -0,0 +1 @@
+target
\ No newline at end of file
diff --git a/sub b/sub
index 8888888..9999999 160000
--- a/sub
+++ b/sub
@@ -1 +1 @@
-Subproject commit 8888888888888888888888888888888888888888
+Subproject commit 9999999999999999999999999999999999999999
diff --git a/omitted b/omitted
index 8888888..9999999 100644
diff --git a/big.bin b/big.bin
new file mode 100644
index 0000000..9999999
--- /dev/null
+++ b/big.bin
@@ -0,0 +1,3 @@
+version https://git-lfs.github.com/spec/v1
+oid sha256:00
+size 1
diff --git a/crlf b/crlf
index 8888888..9999999 100644
--- a/crlf
+++ b/crlf
@@ -1,2 +1,2 @@
 a
-b
+c
"#;

#[test]
fn a_diff_of_many_shapes() {
    let mut diff = MANY_SHAPES.to_vec();
    let crlf = diff.len() - b" a\n-b\n+c\n".len();
    diff.truncate(crlf);
    diff.extend_from_slice(b" a\r\n-b\r\n+c\r\n");
    insta::assert_snapshot!(text(&parse(&diff).unwrap()), @r"
    café.rs: added
    @ 0 1
    1 +|one
    2 +|diff --git a/x b/x (no feed)
    crlf: modified
    @ 1 1
    1  |a\r
    2 -|b\r
    2 +|c\r
    gone: deleted
    @ 1 0
    1 -|x
    new name.rs: renamed from old name.rs
    @ 1 1
    1 -|a (no feed)
    1 +|b
    @ 10 10
    10  |x
    11 -|-- a/looks like a header
    11 +|++ b/looks like one too
    12 +|@@ -1 +1 @@
    13  |
    renamed without changes, skipped: b (from a)
    large file storage pointer, skipped: big.bin
    empty file, skipped: empty
    symbolic link, skipped: link
    diff left out by the host, skipped: omitted
    binary file, skipped: patch
    binary file, skipped: pic
    only the mode changed, skipped: run.sh
    submodule, skipped: sub
    ");
}

#[test]
fn an_empty_diff_is_a_change_without_files() {
    assert_eq!(parse(b""), Ok(Change::default()));
}

#[test]
fn what_is_no_diff_is_an_error() {
    let start = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n";
    let unexpected = |line| Err(DiffError::Unexpected { line });
    let cases = [
        ("<!DOCTYPE html><html>".to_owned(), unexpected(1)),
        (r#"{"message":"Not Found"}"#.to_owned(), unexpected(1)),
        ("\n".to_owned(), unexpected(1)),
        ("--- a/x\n+++ b/x\n".to_owned(), unexpected(1)),
        (format!("{start}<html>\n"), unexpected(5)),
        (format!("{start}@@ -1 +1\n"), unexpected(5)),
        (format!("{start}@@ -1 +1 @@\n-a\n-b\n"), unexpected(7)),
        (format!("{start}@@ -1 +1 @@\n-a\nb\n"), unexpected(7)),
        (format!("{start}@@ -1 +1 @@\n-a\n+b\n+c\n"), unexpected(8)),
        (format!("{start}@@ -1 +1 @@\n-a\n"), Err(DiffError::Cut)),
        ("diff --git a/x b/y\n".to_owned(), Err(DiffError::Cut)),
        ("diff --git a/x b/x\n--- x\n".to_owned(), unexpected(2)),
        ("diff --cc x\n".to_owned(), unexpected(1)),
    ];
    for (diff, outcome) in cases {
        assert_eq!(parse(diff.as_bytes()), outcome, "{diff}");
    }
}

#[test]
fn a_file_above_the_limits_is_named() {
    let lines = "+x\n".repeat(10_001);
    let diff = format!(
        "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..1\n--- /dev/null\n+++ b/x\n\
         @@ -0,0 +1,10001 @@\n{lines}"
    );
    let change = parse(diff.as_bytes()).unwrap();
    let reasons: Vec<_> = change.notices.iter().map(|notice| &notice.reason).collect();
    assert_eq!(reasons, [&SkipReason::TooManyLines(10_001)]);
    assert_eq!(change.files, []);
}

/// A repository whose commit `base` holds the old files and `HEAD` the new ones.
struct Repository(TempDir);

impl Repository {
    fn new(old: &[File], new: &[File]) -> Self {
        let repository = Self(TempDir::new().unwrap());
        repository.git(&["init", "--quiet"]);
        for files in [old, new] {
            repository.clear();
            for file in files {
                file.write(repository.0.path());
            }
            repository.git(&["add", "--all"]);
            repository.git(&["commit", "--quiet", "--allow-empty", "--message", "x"]);
        }
        repository.git(&["tag", "base", "HEAD~1"]);
        repository
    }

    fn clear(&self) {
        for entry in fs::read_dir(self.0.path()).unwrap() {
            let entry = entry.unwrap();
            if entry.file_name() != ".git" {
                fs::remove_file(entry.path()).unwrap();
            }
        }
    }

    fn git(&self, arguments: &[&str]) -> Vec<u8> {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(self.0.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.0.path().join(".git"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_NAME"), "t")))
            .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_EMAIL"), "t@example.com")))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {said}");
        output.stdout
    }

    /// Returns the change as the git source reads it. How many lines a file has cannot be told
    /// from a diff.
    fn change(&self) -> Change {
        let mut change = read(&GitRequest {
            directory: self.0.path(),
            git_dir: None,
            base: "base",
        })
        .unwrap()
        .change;
        for file in &mut change.files {
            file.line_count = None;
        }
        change
    }
}

#[derive(Debug, Clone)]
struct File {
    name: Vec<u8>,
    content: Vec<u8>,
    is_executable: bool,
}

impl File {
    fn write(&self, directory: &Path) {
        use std::os::unix::fs::PermissionsExt as _;
        let path = directory.join(OsStr::from_bytes(&self.name));
        fs::write(&path, &self.content).unwrap();
        let mode = if self.is_executable { 0o755 } else { 0o644 };
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    }
}

/// Lines that look like parts of a diff, among others.
const LINES: [&[u8]; 12] = [
    b"",
    b"a",
    b"b",
    b"\r",
    b"c\r",
    b"-- a/x",
    b"++ b/x",
    b"@@ -1 +1 @@",
    b"diff --git a/x b/x",
    b"\\ No newline at end of file",
    b"\xff\xfe",
    b" index 1..2",
];

fn content() -> impl Strategy<Value = Vec<u8>> {
    let lines = prop::collection::vec(0..LINES.len(), 0..40);
    (lines, any::<bool>()).prop_map(|(lines, ends)| {
        let lines: Vec<_> = lines.into_iter().map(|line| LINES[line]).collect();
        let mut content = lines.join(&b'\n');
        if ends && !content.is_empty() {
            content.push(b'\n');
        }
        content
    })
}

fn name() -> impl Strategy<Value = Vec<u8>> {
    let names: [&[u8]; 10] = [
        b"plain.rs",
        b"a name.rs",
        b"caf\xc3\xa9.rs",
        b"tab\there",
        b"feed\nhere",
        b"quote\"d",
        b"back\\slash",
        b"\xff",
        b"x b",
        b" blank ",
    ];
    prop::sample::select(names.to_vec()).prop_map(<[u8]>::to_vec)
}

/// A file with what it was before and what it is now.
fn edited() -> impl Strategy<Value = (Option<File>, Option<File>)> {
    let side = || prop::option::weighted(0.85, (content(), any::<bool>()));
    (name(), side(), side()).prop_map(|(name, old, new)| {
        let file = |side: Option<(Vec<u8>, bool)>| {
            side.map(|(content, is_executable)| File {
                name: name.clone(),
                content,
                is_executable,
            })
        };
        (file(old), file(new))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn what_git_prints_is_what_the_git_source_reads(
        files in prop::collection::btree_map(name(), edited(), 1..6)
    ) {
        let rename = |name: &[u8], file: Option<File>| file.map(|file| File { name: name.to_vec(), ..file });
        let sides: Vec<_> = files
            .into_iter()
            .map(|(name, (old, new))| (rename(&name, old), rename(&name, new)))
            .collect();
        let old: Vec<File> = sides.iter().filter_map(|(old, _)| old.clone()).collect();
        // Which files are one under two names is the git source's own judgement, so no run has
        // both an added and a deleted file.
        let new: Vec<File> = sides
            .iter()
            .filter_map(|(old, new)| new.clone().or_else(|| old.clone()))
            .collect();
        for (old, new) in [(&old, &new), (&new, &old)] {
            let repository = Repository::new(old, new);
            let diff = repository.git(&["diff", "-U10", "base", "HEAD"]);
            prop_assert_eq!(text(&parse(&diff).unwrap()), text(&repository.change()));
        }
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), cut in 0..1000usize) {
        let _ = parse(&bytes);
        let mut diff = b"diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n".to_vec();
        diff.truncate(cut.min(diff.len()));
        diff.extend_from_slice(&bytes);
        let _ = parse(&diff);
    }
}
