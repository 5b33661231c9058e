//! What several answers said, put together as if one had said it.

use std::collections::BTreeMap;

use super::Record;

/// Gathers records from any number of sources. A record that several sources have is taken as
/// often as the one that has it most often, in the order of the first that has it: the same call,
/// seen through an entry and again through a fresh answer, says nothing twice.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    records: Vec<Record>,
    counts: BTreeMap<Record, usize>,
}

impl Merged {
    /// Adds what one source said.
    pub(crate) fn add<'a>(&mut self, source: impl IntoIterator<Item = &'a Record>) {
        let mut seen: BTreeMap<&Record, usize> = BTreeMap::new();
        for record in source {
            let times = seen.entry(record).or_default();
            *times += 1;
            let have = self.counts.entry(record.clone()).or_default();
            if *have < *times {
                *have += 1;
                self.records.push(record.clone());
            }
        }
    }

    /// Returns the records.
    pub(crate) fn into_records(self) -> Vec<Record> {
        self.records
    }
}
