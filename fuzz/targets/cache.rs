//! Any bytes where an entry is expected: they are an entry only when they are, byte for byte, what
//! this version writes for exactly this key.
//!
//! The first byte of the input says how the file comes about: from the input as it is, from a good
//! entry into which the input is spliced, or from an entry that holds the input as text.
#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use aurumcode_core::answer::{Record, RecordKind};
use aurumcode_core::cache::{CallRecords, DirectoryStore, Entry, Key, Lookup, Store as _};
use aurumcode_core::finding::Severity;
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

static DIRECTORY: LazyLock<TempDir> = LazyLock::new(|| TempDir::new().unwrap());

static STORE: LazyLock<DirectoryStore> =
    LazyLock::new(|| DirectoryStore::open(DIRECTORY.path()).unwrap());

static GOOD: LazyLock<Vec<u8>> = LazyLock::new(|| written(&entry("a message", 7)));

fuzz_target!(|input: &[u8]| {
    let Some((how, rest)) = input.split_first() else {
        return;
    };
    match how % 3 {
        0 => read(rest),
        1 => read(&spliced(rest)),
        _ => kept(&String::from_utf8_lossy(rest), u32::from(*how)),
    }
});

/// Whatever is served is written back as the same bytes.
fn read(bytes: &[u8]) {
    fs::write(file(), bytes).unwrap();
    if let Lookup::Hit(entry) = STORE.get(&key()) {
        assert_eq!(entry.key, key());
        assert_eq!(written(&entry), bytes);
    }
}

/// Whatever is kept is served as it is.
fn kept(text: &str, line: u32) {
    let entry = entry(text, line);
    STORE.put(&entry).unwrap();
    assert_eq!(STORE.get(&key()), Lookup::Hit(Box::new(entry)));
}

/// Returns a good entry with a piece of it replaced: two bytes say where, one how much.
fn spliced(input: &[u8]) -> Vec<u8> {
    let mut bytes = GOOD.clone();
    if let [high, low, removed, inserted @ ..] = input {
        let start = usize::from(u16::from_be_bytes([*high, *low])) % (bytes.len() + 1);
        let end = (start + usize::from(*removed)).min(bytes.len());
        bytes.splice(start..end, inserted.iter().copied());
    }
    bytes
}

fn entry(text: &str, line: u32) -> Entry {
    let finding = Record {
        path: Some(text.to_owned()),
        line,
        kind: RecordKind::Finding {
            severity: Severity::Error,
            rule_id: "quality/dead-code".to_owned(),
            message: text.to_owned(),
            suggestion: Some(text.to_owned()),
        },
    };
    let dropped = Record {
        path: None,
        line: 0,
        kind: RecordKind::UnknownRule {
            rule_id: text.to_owned(),
            message: text.to_owned(),
        },
    };
    Entry {
        key: key(),
        path: text.to_owned(),
        model: text.to_owned(),
        served_by: (line % 2 == 0).then(|| text.to_owned()),
        adaptations: vec![text.to_owned()],
        records: vec![finding.clone()],
        calls: vec![CallRecords {
            keys: vec![key()],
            records: vec![(dropped, None), (finding, Some(key()))],
        }],
    }
}

fn written(entry: &Entry) -> Vec<u8> {
    STORE.put(entry).unwrap();
    fs::read(file()).unwrap()
}

fn key() -> Key {
    Key::parse(&"5a".repeat(32)).unwrap()
}

fn file() -> PathBuf {
    DIRECTORY.path().join(format!("{}.json", key()))
}
