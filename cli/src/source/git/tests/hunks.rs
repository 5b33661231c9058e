//! The hunks of random edits: they lead from the old file to the new one, and are those of git.

use aurumcode_core::change::{FileChange, LineKind};
use proptest::prelude::*;

use super::sandbox::Sandbox;

/// One line of a generated file: few different ones, so that they repeat, some of them odd.
fn line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        12 => prop::sample::select(vec!["a", "b", "    indented", "}", "fn f() {"]).prop_map(|line| line.as_bytes().to_vec()),
        3 => Just(Vec::new()),
        1 => prop::sample::select(vec![b"cr\r".to_vec(), b"\r".to_vec(), b"caf\xe9".to_vec(), b"@@ -1 +1 @@".to_vec(), b"\\ No newline at end of file".to_vec(), b"--- a/x".to_vec()]),
        4 => "[a-z]{1,8}".prop_map(String::into_bytes),
    ]
}

/// An edit: at a place (in thousandths of the file) some lines go and some come.
type Edit = (u16, usize, Vec<Vec<u8>>);

fn edit() -> impl Strategy<Value = Edit> {
    (0..1000_u16, 0..6_usize, prop::collection::vec(line(), 0..6))
}

#[derive(Debug, Clone)]
struct Case {
    old: Vec<u8>,
    new: Vec<u8>,
}

fn case() -> impl Strategy<Value = Case> {
    let lines = prop::collection::vec(line(), 0..120);
    let edits = prop::collection::vec(edit(), 0..6);
    (lines, edits, any::<bool>(), any::<bool>()).prop_map(|(lines, edits, old_end, new_end)| {
        let mut changed = lines.clone();
        for (place, removed, added) in edits {
            let start = changed.len() * usize::from(place) / 1000;
            let end = changed.len().min(start + removed);
            changed.splice(start..end, added);
        }
        Case {
            old: join(&lines, old_end),
            new: join(&changed, new_end),
        }
    })
}

fn join(lines: &[Vec<u8>], terminated: bool) -> Vec<u8> {
    let mut content = lines.join(&b'\n');
    if terminated && !lines.is_empty() {
        content.push(b'\n');
    }
    content
}

/// Applies the hunks to the old content, and checks every number on the way.
fn apply(old: &[u8], file: &FileChange) -> Vec<u8> {
    let old_lines: Vec<&[u8]> = old.split_inclusive(|byte| *byte == b'\n').collect();
    let mut new: Vec<Vec<u8>> = Vec::new();
    let mut next = 0;
    for hunk in &file.hunks {
        let first = hunk.lines().find_map(|line| line.old_number);
        let start = first.map_or(hunk.old_start() as usize, |number| number as usize - 1);
        new.extend(old_lines[next..start].iter().map(|line| line.to_vec()));
        next = start;
        for line in hunk.lines() {
            let mut whole = line.content.to_vec();
            whole.extend(line.terminated.then_some(b'\n'));
            if line.kind != LineKind::Added {
                assert_eq!(line.old_number, Some(u32::try_from(next + 1).unwrap()));
                assert_eq!(whole, old_lines[next]);
                next += 1;
            }
            if line.kind != LineKind::Removed {
                assert_eq!(line.new_number, Some(u32::try_from(new.len() + 1).unwrap()));
                new.push(whole);
            }
        }
    }
    new.extend(old_lines[next..].iter().map(|line| line.to_vec()));
    assert_eq!(file.line_count, Some(u32::try_from(new.len()).unwrap()));
    new.concat()
}

/// Writes the hunks in the form of a unified diff, without what follows a header's numbers.
fn unified(file: &FileChange) -> Vec<u8> {
    let mut text = Vec::new();
    for hunk in &file.hunks {
        let range = |start: u32, count: usize| match count {
            1 => start.to_string(),
            _ => format!("{start},{count}"),
        };
        let old = range(hunk.old_start(), hunk.old_lines());
        let new = range(hunk.new_start(), hunk.new_lines());
        text.extend_from_slice(format!("@@ -{old} +{new} @@\n").as_bytes());
        for line in hunk.lines() {
            text.push(u8::try_from(line.kind.marker()).unwrap());
            text.extend_from_slice(line.content);
            text.push(b'\n');
            if !line.terminated {
                text.extend_from_slice(b"\\ No newline at end of file\n");
            }
        }
    }
    text
}

/// Returns what git prints for one file, from its first hunk on, its headers cut as above.
fn printed_by_git(sandbox: &Sandbox, path: &str) -> Vec<u8> {
    let printed = sandbox.git([
        "diff",
        "-U10",
        "--no-ext-diff",
        "--text",
        "base",
        "HEAD",
        "--",
        path,
    ]);
    let mut text = Vec::new();
    for line in printed
        .split_inclusive(|byte| *byte == b'\n')
        .skip_while(|line| !line.starts_with(b"@@"))
    {
        let header = line.starts_with(b"@@ ").then(|| {
            let end = line
                .windows(3)
                .skip(1)
                .position(|part| part == b" @@")
                .unwrap();
            [&line[..end + 4], b"\n"].concat()
        });
        text.extend(header.as_deref().unwrap_or(line));
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    /// Making a repository is slow, so each case is a repository with many files.
    #[test]
    fn hunks_lead_from_the_old_file_to_the_new_one(cases in prop::collection::vec(case(), 40)) {
        let sandbox = Sandbox::new();
        let path = |index: usize| format!("file-{index:03}");
        for (index, case) in cases.iter().enumerate() {
            sandbox.write(path(index), &case.old);
        }
        sandbox.commit();
        sandbox.git(["tag", "base"]);
        for (index, case) in cases.iter().enumerate() {
            sandbox.write(path(index), &case.new);
        }
        sandbox.commit();
        let change = sandbox.change("base");
        let changed = cases.iter().enumerate().filter(|(_, case)| case.old != case.new);
        let expected: Vec<_> = changed.clone().map(|(index, _)| path(index)).collect();
        let found: Vec<_> = change.files.iter().map(|file| file.path.display()).collect();
        prop_assert_eq!(found, expected);
        for ((index, case), file) in changed.zip(&change.files) {
            prop_assert_eq!(apply(&case.old, file), case.new.clone());
            let (ours, theirs) = (unified(file), printed_by_git(&sandbox, &path(index)));
            prop_assert_eq!(String::from_utf8_lossy(&ours), String::from_utf8_lossy(&theirs));
        }
    }
}
