//! Any diff as a prompt: one pair of delimiters, every line once with its number and marker, no
//! second file, no markup of a chat, the same bytes again, and no exact value of the run.
//!
//! The input is read like the output of `git diff`: `diff ` begins a file and gives its path, `@`
//! begins a hunk, and every other line is one of the hunk.
#![no_main]

use std::iter;
use std::sync::LazyLock;

use aurumcode_core::change::{ChangeKind, FileChange, Hunk, Line, LineKind, RepoPath};
use aurumcode_core::prompt::{PromptBuilder, Section};
use aurumcode_core::redact::Redactor;
use aurumcode_core::rules::Catalog;
use libfuzzer_sys::fuzz_target;

static BUILDER: LazyLock<PromptBuilder> =
    LazyLock::new(|| PromptBuilder::new(&Catalog::embedded().unwrap()));

const CANARY: &str = "canary-of-7-birds";

static REDACTOR: LazyLock<Redactor> = LazyLock::new(|| Redactor::new([CANARY.to_owned()]));

/// Words of a chat that stand in no ordinary code.
const CHAT_WORDS: [&str; 9] = [
    "<|im_start|>",
    "<|im_end|>",
    "<|turn>",
    "<turn|>",
    "<\u{ff5c}User\u{ff5c}>",
    "[INST]",
    "[/INST]",
    "<<SYS>>",
    "<start_of_turn>",
];

fuzz_target!(|bytes: &[u8]| {
    let files = files(bytes);
    let sections: Vec<_> = files.iter().map(Section::whole).collect();
    let material = BUILDER.build(&sections, &REDACTOR).material;
    assert_eq!(material, BUILDER.build(&sections, &REDACTOR).material);
    assert!(!material.contains(CANARY));
    for word in CHAT_WORDS {
        assert!(!material.contains(word), "{word} in {material:?}");
    }

    let lines: Vec<&str> = material.split_terminator('\n').collect();
    let digest = lines[0].strip_prefix("BEGIN CHANGE ").unwrap();
    assert_eq!(material.matches(digest).count(), 2);
    for line in &lines {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let breaks = |c: char| (c.is_control() && c != '\t') || "\u{2028}\u{2029}".contains(c);
        assert!(!line.contains(breaks), "{line:?}");
    }

    let expected = iter::once("BEGIN CHANGE ".to_owned())
        .chain(files.iter().flat_map(beginnings))
        .chain(["END CHANGE ", "Review the change "].map(str::to_owned));
    let expected: Vec<String> = expected.collect();
    assert_eq!(lines.len(), expected.len(), "{material}");
    for (line, beginning) in lines.iter().zip(expected) {
        assert!(line.starts_with(&beginning), "{beginning:?} in {line:?}");
    }
});

/// Returns how each line of a file's section has to begin.
fn beginnings(file: &FileChange) -> Vec<String> {
    let mut beginnings = vec!["### File: ".to_owned(), file.kind.word().to_owned()];
    for hunk in &file.hunks {
        beginnings.push("@@ -".to_owned());
        for line in hunk.lines() {
            beginnings.push(format!("{:>5} {}", line.number(), line.kind.marker()));
            if !line.terminated {
                beginnings.push("      \\ No newline".to_owned());
            }
        }
    }
    beginnings
}

fn files(bytes: &[u8]) -> Vec<FileChange> {
    let mut files = Vec::new();
    let mut pieces = bytes.split(|byte| *byte == b'\n').peekable();
    while let Some(piece) = pieces.next() {
        let terminated = pieces.peek().is_some();
        if let Some(path) = piece.strip_prefix(b"diff ") {
            files.push(file(path));
            continue;
        }
        if files.is_empty() {
            files.push(file(b"a"));
        }
        let hunks = &mut files.last_mut().unwrap().hunks;
        if hunks.is_empty() || piece.starts_with(b"@") {
            let start = piece.len() as u32;
            hunks.push(Hunk::new(start, start.wrapping_mul(97)));
        }
        let hunk = hunks.last_mut().unwrap();
        match piece.split_first() {
            Some((b'+', content)) => hunk.push(LineKind::Added, content, terminated),
            Some((b'-', content)) => hunk.push(LineKind::Removed, content, terminated),
            Some((b' ', content)) => hunk.push(LineKind::Context, content, terminated),
            _ => hunk.push(LineKind::Context, piece, terminated),
        }
    }
    let lines: usize = files.iter().map(|file| file.lines().count()).sum();
    let shown = |line: Line<'_>| !line.content.contains(&b'\n');
    assert!(files.iter().flat_map(FileChange::lines).all(shown));
    assert!(lines <= bytes.len() + 1);
    files
}

fn file(path: &[u8]) -> FileChange {
    let renamed = path.len() % 3 == 0;
    FileChange {
        path: RepoPath::new(path),
        old_path: renamed.then(|| RepoPath::new(path.iter().rev().copied().collect::<Vec<_>>())),
        kind: if renamed {
            ChangeKind::Renamed
        } else {
            ChangeKind::Modified
        },
        hunks: Vec::new(),
        line_count: None,
    }
}
