//! Any text as a model's answer: it is read the same way twice, says no more than it has room for,
//! and cites nothing but rules of the catalog.
#![no_main]

use std::sync::LazyLock;

use aurumcode_core::answer::{self, Asked, RecordKind};
use aurumcode_core::limits;
use aurumcode_core::rules::Catalog;
use libfuzzer_sys::fuzz_target;

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| Catalog::embedded().unwrap());

/// No record is written in fewer bytes: `{}` and a comma, or the end of the list.
const RECORD_BYTES: usize = 3;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    for only in [None, Some("src/asked.rs")] {
        let asked = Asked {
            only,
            canonical: &|path| path.trim_start_matches("./").to_owned(),
        };
        let read = answer::read(&text, &CATALOG, asked);
        assert_eq!(read, answer::read(&text, &CATALOG, asked));
        let Ok(records) = read else { continue };
        assert!(records.len() <= limits::ANSWER_RECORDS);
        assert!(records.len() <= text.len() / RECORD_BYTES);
        for record in records {
            if let RecordKind::Finding { rule_id, .. } = record.kind {
                assert!(CATALOG.get(&rule_id).is_some(), "{rule_id}");
            }
        }
    }
});
