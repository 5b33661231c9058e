//! Keys, entries and the directory, with everything that can be wrong in it.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

use proptest::prelude::*;

use super::*;
use crate::answer::{Record, RecordKind};
use crate::change::LineKind::{self, Added, Context, Removed};
use crate::change::{ChangeKind, FileChange, Hunk, RepoPath};
use crate::finding::Severity;
use crate::provider::Identity;

fn basis() -> KeyBasis {
    KeyBasis {
        identity: Identity::stated([("model", "m"), ("endpoint", "http://h/v1")]),
        prompt_fingerprint: [7; 32],
        output_cap: None,
    }
}

fn file() -> FileChange {
    let mut hunk = Hunk::new(1, 1);
    hunk.push(Context, b"a", true);
    hunk.push(Added, b"b", true);
    FileChange {
        path: RepoPath::from("NOTES.txt"),
        old_path: None,
        kind: ChangeKind::Modified,
        hunks: vec![hunk],
        line_count: Some(2),
    }
}

fn entry() -> Entry {
    let record = |message: &str| Record {
        path: Some("NOTES.txt".into()),
        line: 2,
        kind: RecordKind::Finding {
            severity: Severity::Warning,
            rule_id: "quality/dead-code".into(),
            message: message.into(),
            suggestion: None,
        },
    };
    Entry {
        key: basis().key(&file()),
        path: "NOTES.txt".into(),
        model: "m".into(),
        served_by: Some("m-2".into()),
        adaptations: vec!["no temperature".into()],
        records: vec![record("one"), record("two \u{1f600} \"quoted\"")],
        calls: vec![CallRecords {
            keys: vec![basis().key(&file())],
            records: vec![(record("elsewhere"), None)],
        }],
    }
}

/// When this test fails, answers that users have paid for are no longer found: change the digest
/// only together with `KEY_VERSION`.
#[test]
fn the_key_is_pinned() {
    assert_eq!(
        basis().key(&file()).to_string(),
        "abaee6321d40f7a7030c600686390ff4490cdb71bc73222d03af2b7bd1ece47e"
    );
}

#[test]
fn every_field_matters() {
    let base = basis().key(&file());
    let mut keys = vec![base];
    let mut with_basis = |change: &dyn Fn(&mut KeyBasis)| {
        let mut changed = basis();
        change(&mut changed);
        keys.push(changed.key(&file()));
    };
    with_basis(&|basis| basis.identity = Identity::stated([("model", "n")]));
    with_basis(&|basis| basis.identity = Identity::stated([("model", "mendpoint"), ("", "x")]));
    with_basis(&|basis| basis.identity = Identity::stated::<&str, &str>([]));
    with_basis(&|basis| basis.identity = Identity::unstated());
    with_basis(&|basis| basis.prompt_fingerprint = [8; 32]);
    with_basis(&|basis| basis.output_cap = Some(0));
    with_basis(&|basis| basis.output_cap = Some(3000));
    let mut with_file = |change: &dyn Fn(&mut FileChange)| {
        let mut changed = file();
        change(&mut changed);
        keys.push(basis().key(&changed));
    };
    let hunk = |old, new, lines: &[(LineKind, &[u8], bool)]| {
        let mut hunk = Hunk::new(old, new);
        for (kind, content, terminated) in lines {
            hunk.push(*kind, content, *terminated);
        }
        hunk
    };
    with_file(&|file| file.path = RepoPath::from("NOTES.txt2"));
    with_file(&|file| file.path = RepoPath::new(*b"NOTES\xff"));
    with_file(&|file| file.path = RepoPath::new(*b"NOTES\xfe"));
    with_file(&|file| file.path = RepoPath::from("NOTES.md"));
    with_file(&|file| file.old_path = Some(RepoPath::from("")));
    with_file(&|file| file.old_path = Some(RepoPath::from("x")));
    with_file(&|file| file.kind = ChangeKind::Added);
    with_file(&|file| file.hunks = vec![]);
    with_file(&|file| file.hunks.push(Hunk::new(9, 9)));
    with_file(&|file| file.hunks = vec![hunk(2, 1, &[(Context, b"a", true), (Added, b"b", true)])]);
    with_file(&|file| file.hunks = vec![hunk(1, 2, &[(Context, b"a", true), (Added, b"b", true)])]);
    with_file(&|file| file.hunks = vec![hunk(1, 1, &[(Context, b"ab", true), (Added, b"", true)])]);
    with_file(&|file| file.hunks = vec![hunk(1, 1, &[(Context, b"", true), (Added, b"ab", true)])]);
    with_file(&|file| {
        file.hunks = vec![hunk(1, 1, &[(Context, b"a\r", true), (Added, b"b", true)])];
    });
    with_file(&|file| {
        file.hunks = vec![hunk(1, 1, &[(Context, b"a", true), (Added, b"b", false)])];
    });
    with_file(&|file| {
        file.hunks = vec![hunk(1, 1, &[(Context, b"a", true), (Removed, b"b", true)])];
    });
    with_file(&|file| {
        file.hunks = vec![
            hunk(1, 1, &[(Context, b"a", true)]),
            hunk(1, 1, &[(Added, b"b", true)]),
        ];
    });
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), count);
}

#[test]
fn the_length_of_the_whole_file_is_no_part_of_its_diff() {
    let mut longer = file();
    longer.line_count = Some(3000);
    assert_eq!(basis().key(&file()), basis().key(&longer));
}

#[test]
fn a_key_explains_itself_without_contents() {
    let (key, fields) = basis().explain(&file());
    assert_eq!(key, basis().key(&file()));
    let tags: Vec<_> = fields.iter().map(|field| field.tag.as_str()).collect();
    assert_eq!(
        tags,
        [
            "key version",
            "identity",
            "identity: model",
            "identity: endpoint",
            "prompt",
            "output cap",
            "path",
            "old path",
            "kind",
            "language",
            "hunks",
            "hunk old start",
            "hunk new start",
            "hunk lines",
            "hunk marks",
            "hunk text",
        ]
    );
    assert!(fields.iter().all(|field| field.digest.len() == 12));
}

proptest! {
    /// Two changes have one key only when they are one change.
    #[test]
    fn no_two_changes_meet(
        left in proptest::collection::vec((0_u8..3, proptest::collection::vec(0_u8..3, 0..4), any::<bool>()), 0..5),
        right in proptest::collection::vec((0_u8..3, proptest::collection::vec(0_u8..3, 0..4), any::<bool>()), 0..5),
    ) {
        let build = |lines: &[(u8, Vec<u8>, bool)]| {
            let mut hunk = Hunk::new(1, 1);
            for (kind, content, terminated) in lines {
                let kind = match kind { 0 => Context, 1 => Added, _ => Removed };
                hunk.push(kind, content, *terminated);
            }
            FileChange { hunks: vec![hunk], ..file() }
        };
        let same = build(&left) == build(&right);
        prop_assert_eq!(same, basis().key(&build(&left)) == basis().key(&build(&right)));
    }

    /// Any change of one byte of an entry makes it none.
    #[test]
    fn a_changed_byte_is_noticed(place in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = format::encode(&entry()).unwrap();
        let place = place.index(bytes.len());
        prop_assume!(bytes[place] != byte);
        bytes[place] = byte;
        prop_assert!(format::decode(&entry().key, &bytes).is_err());
    }

    /// Whatever stands in a file, reading it ends well.
    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(format::decode(&entry().key, &bytes).is_err());
    }
}

fn store(directory: &Path) -> DirectoryStore {
    DirectoryStore::open(directory).unwrap()
}

fn names(directory: &Path) -> Vec<String> {
    let listing = std::fs::read_dir(directory).unwrap();
    let mut names: Vec<_> = listing
        .map(|item| item.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn an_entry_comes_back_as_it_went_in() {
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("deep/cache");
    let store = store(&directory);
    assert_eq!(store.get(&entry().key), Lookup::Absent);
    store.put(&entry()).unwrap();
    store.put(&entry()).unwrap();
    assert_eq!(store.get(&entry().key), Lookup::Hit(Box::new(entry())));
    let name = format!("{}.json", entry().key);
    assert_eq!(names(&directory), std::slice::from_ref(&name));
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(
        (mode(&directory), mode(&directory.join(&name))),
        (0o700, 0o600)
    );
    let text = std::fs::read_to_string(directory.join(name)).unwrap();
    assert!(text.contains("\"NOTES.txt\""), "{text}");
}

/// When this test fails, entries that users have are no longer read: change the bytes only together
/// with the version in it.
#[test]
fn the_bytes_of_an_entry_are_pinned() {
    let bytes = format::encode(&entry()).unwrap();
    insta::assert_snapshot!(String::from_utf8(bytes).unwrap(), @r#"{"aurumcode_entry":1,"key":"abaee6321d40f7a7030c600686390ff4490cdb71bc73222d03af2b7bd1ece47e","checksum":"6abc4721427252bc1041fa6fc67aa06ef55a983501dca844c64e21003cd34e41","payload":{"path":"NOTES.txt","model":"m","served_by":"m-2","adaptations":["no temperature"],"records":[{"path":"NOTES.txt","line":2,"kind":{"finding":{"severity":"warning","rule_id":"quality/dead-code","message":"one","suggestion":null}}},{"path":"NOTES.txt","line":2,"kind":{"finding":{"severity":"warning","rule_id":"quality/dead-code","message":"two 😀 \"quoted\"","suggestion":null}}}],"calls":[{"keys":["abaee6321d40f7a7030c600686390ff4490cdb71bc73222d03af2b7bd1ece47e"],"records":[[{"path":"NOTES.txt","line":2,"kind":{"finding":{"severity":"warning","rule_id":"quality/dead-code","message":"elsewhere","suggestion":null}}},null]]}]}}"#);
}

#[test]
fn whatever_is_no_entry_is_a_miss() {
    let place = tempfile::tempdir().unwrap();
    let store = store(place.path());
    let key = entry().key;
    let file = place.path().join(format!("{key}.json"));
    let whole = format::encode(&entry()).unwrap();
    let mut other = entry();
    other.key = Key::parse(&"0".repeat(64)).unwrap();
    let mut spaced = whole.clone();
    spaced.push(b'\n');
    let foreign: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"{}".to_vec(),
        b"null".to_vec(),
        b"[]".to_vec(),
        whole[..whole.len() / 2].to_vec(),
        format::encode(&other).unwrap(),
        spaced,
        String::from_utf8(whole.clone())
            .unwrap()
            .replace("\"aurumcode_entry\":1", "\"aurumcode_entry\":2")
            .into_bytes(),
        String::from_utf8(whole.clone())
            .unwrap()
            .replacen("\"key\":", "\"more\":1,\"key\":", 1)
            .into_bytes(),
        vec![b' '; usize::try_from(crate::limits::ENTRY_BYTES).unwrap() + 1],
    ];
    for bytes in foreign {
        std::fs::write(&file, &bytes).unwrap();
        let found = store.get(&key);
        assert!(matches!(found, Lookup::Unusable(_)), "{found:?}");
    }
    std::fs::write(&file, &whole).unwrap();
    assert!(matches!(store.get(&key), Lookup::Hit(_)));
}

#[test]
fn what_is_no_plain_file_is_a_miss_and_never_waited_for() {
    let place = tempfile::tempdir().unwrap();
    let store = store(place.path());
    let key = entry().key;
    let file = place.path().join(format!("{key}.json"));
    let outside = place.path().join("outside");
    std::fs::write(&outside, format::encode(&entry()).unwrap()).unwrap();
    symlink(&outside, &file).unwrap();
    assert!(matches!(store.get(&key), Lookup::Unusable(_)));
    store.put(&entry()).unwrap();
    assert!(std::fs::symlink_metadata(&file).unwrap().is_file());
    assert_eq!(
        std::fs::read(&outside).unwrap(),
        format::encode(&entry()).unwrap()
    );
    std::fs::remove_file(&file).unwrap();

    std::fs::create_dir(&file).unwrap();
    assert!(matches!(store.get(&key), Lookup::Unusable(_)));
    assert!(store.put(&entry()).is_err());
    std::fs::remove_dir(&file).unwrap();
    assert_eq!(names(place.path()), ["outside"]);

    let made = std::process::Command::new("mkfifo")
        .arg(&file)
        .status()
        .unwrap();
    assert!(made.success());
    assert!(matches!(store.get(&key), Lookup::Unusable(_)));
    store.put(&entry()).unwrap();
    assert!(matches!(store.get(&key), Lookup::Hit(_)));
}

#[test]
fn a_leftover_goes_and_a_file_that_is_being_written_stays() {
    let place = tempfile::tempdir().unwrap();
    let name = |process: u32| format!("{}.{process}.tmp", entry().key);
    let living = std::fs::File::create(place.path().join(name(1))).unwrap();
    living.lock().unwrap();
    std::fs::write(place.path().join(name(2)), "torn").unwrap();
    std::fs::write(place.path().join("notes.tmp"), "foreign").unwrap();
    store(place.path()).put(&entry()).unwrap();
    let mut expected = vec![
        name(1),
        format!("{}.json", entry().key),
        "notes.tmp".to_owned(),
    ];
    expected.sort();
    assert_eq!(names(place.path()), expected);
}

#[test]
fn a_directory_that_cannot_be_used_is_said() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(DirectoryStore::open(&file).is_err());
    assert!(DirectoryStore::open(&file.join("below")).is_err());
    let store = store(&place.path().join("gone"));
    std::fs::remove_dir(place.path().join("gone")).unwrap();
    assert_eq!(store.get(&entry().key), Lookup::Absent);
    assert!(store.put(&entry()).is_err());
}

#[test]
fn maintenance_touches_only_what_is_ours() {
    let place = tempfile::tempdir().unwrap();
    let store = store(place.path());
    let path = |name: &str| place.path().join(name);
    let key_name = |digit: char| format!("{}.json", digit.to_string().repeat(64));
    store.put(&entry()).unwrap();
    let mut other = entry();
    other.key = Key::parse(&"1".repeat(64)).unwrap();
    other.model = "n".into();
    store.put(&other).unwrap();
    std::fs::write(path(&key_name('2')), "{\"aurumcode_entry\":9").unwrap();
    std::fs::write(path(&key_name('3')), "somebody else's").unwrap();
    std::fs::write(path("notes.txt"), "somebody else's").unwrap();
    symlink(path("notes.txt"), path(&key_name('4'))).unwrap();
    std::fs::create_dir(path(&key_name('5'))).unwrap();

    let size = |name: &str| std::fs::metadata(path(name)).unwrap().size();
    let own = format!("{}.json", entry().key);
    let statistics = store.statistics().unwrap();
    assert_eq!(
        statistics.entries,
        Kept {
            files: 2,
            bytes: size(&own) + size(&key_name('1'))
        }
    );
    assert_eq!(
        statistics.by_model.into_iter().collect::<Vec<_>>(),
        [
            (
                "m".to_owned(),
                Kept {
                    files: 1,
                    bytes: size(&own)
                }
            ),
            (
                "n".to_owned(),
                Kept {
                    files: 1,
                    bytes: size(&key_name('1'))
                }
            ),
        ]
    );
    assert_eq!(statistics.unusable.files, 2);

    let now = SystemTime::now();
    let day = Duration::from_hours(24);
    let old = std::fs::File::options()
        .write(true)
        .open(path(&key_name('1')))
        .unwrap();
    old.set_modified(now - 3 * day).unwrap();
    let limits = PruneLimits {
        older_than: Some(2 * day),
        max_bytes: None,
    };
    assert_eq!(store.prune(limits, now).unwrap().removed.files, 1);
    assert!(!path(&key_name('1')).exists());
    let limits = PruneLimits {
        older_than: None,
        max_bytes: Some(size(&own)),
    };
    // A clock that jumped back makes nothing old.
    assert_eq!(store.prune(limits, now - 10 * day).unwrap().left.files, 1);
    let cleared = store.clear().unwrap();
    assert_eq!((cleared.left.files, cleared.failed), (0, 0));
    let mut left = vec![
        key_name('3'),
        key_name('4'),
        key_name('5'),
        "notes.txt".to_owned(),
    ];
    left.sort();
    assert_eq!(names(place.path()), left);
}

#[test]
fn what_another_process_has_removed_is_no_failure() {
    let place = tempfile::tempdir().unwrap();
    let store = DirectoryStore::open(place.path()).unwrap();
    for number in 0..500 {
        let mut entry = entry();
        entry.key = Key::parse(&format!("{number:064x}")).unwrap();
        store.put(&entry).unwrap();
    }
    let cleared = std::thread::scope(|scope| {
        let both = [(); 2].map(|()| scope.spawn(|| store.clear().unwrap()));
        both.map(|one| one.join().unwrap())
    });
    let removed: u64 = cleared.iter().map(|one| one.removed.files).sum();
    let failed: u64 = cleared.iter().map(|one| one.failed).sum();
    assert_eq!((removed, failed), (500, 0));
}

/// A smaller entry that is older does not outlive a larger one that is newer.
#[test]
fn pruning_by_size_begins_with_the_oldest() {
    let place = tempfile::tempdir().unwrap();
    let store = DirectoryStore::open(place.path()).unwrap();
    let mut small = entry();
    small.key = Key::parse(&"1".repeat(64)).unwrap();
    small.records.clear();
    store.put(&entry()).unwrap();
    store.put(&small).unwrap();
    let now = SystemTime::now();
    let path = place.path().join(format!("{}.json", small.key));
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(now - Duration::from_hours(1)).unwrap();
    let limits = PruneLimits {
        older_than: None,
        max_bytes: Some(file.metadata().unwrap().size()),
    };
    assert_eq!(store.prune(limits, now).unwrap().left, Kept::default());
}
