//! What is known about each file so far: from the cache, from calls, or not yet.

use std::collections::{BTreeMap, BTreeSet};

use super::paths::Paths;
use crate::answer::{Merged, Record};
use crate::cache::{CallRecords, Entry, Key};
use crate::change::Change;
use crate::redact::Redactor;

/// Who answered a call, for the entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Provenance {
    pub(super) served_by: Option<String>,
    pub(super) adaptations: BTreeSet<String>,
}

/// What the calls about one file brought so far.
#[derive(Debug, Default)]
struct FileState {
    /// How many of its hunks no understood call has covered.
    missing_hunks: usize,
    /// What was said about the file, by the first hunk of the part that was asked about.
    parts: BTreeMap<usize, Vec<Record>>,
    /// What the calls of which this file was the first said about files that they did not send.
    calls: BTreeMap<usize, CallRecords>,
    provenance: Provenance,
    hit: bool,
}

/// What is known about each file of the change.
#[derive(Debug)]
pub(super) struct Gathered<'a> {
    keys: &'a [Key],
    redactor: &'a Redactor,
    paths: Paths,
    files: Vec<FileState>,
    /// What a call about a change without files said.
    loose: Vec<Record>,
}

impl<'a> Gathered<'a> {
    /// Starts with nothing known.
    pub(super) fn new(change: &Change, keys: &'a [Key], redactor: &'a Redactor) -> Self {
        let unknown = |hunks: usize| FileState {
            missing_hunks: hunks,
            ..FileState::default()
        };
        Self {
            keys,
            redactor,
            paths: Paths::new(&change.files, redactor),
            files: change
                .files
                .iter()
                .map(|file| unknown(file.hunks.len()))
                .collect(),
            loose: Vec::new(),
        }
    }

    /// Returns how the model's paths are understood.
    pub(super) fn paths(&self) -> &Paths {
        &self.paths
    }

    /// Takes a file's entry.
    pub(super) fn hit(&mut self, index: usize, entry: Entry) {
        let redactor = self.redactor;
        let screen = |record| redacted(record, redactor);
        if let Some(state) = self.files.get_mut(index) {
            state.hit = true;
            state.missing_hunks = 0;
            state.parts = [(0, entry.records.into_iter().map(screen).collect())].into();
            let calls = entry.calls.into_iter().map(|call| CallRecords {
                records: call
                    .records
                    .into_iter()
                    .map(|(record, key)| (screen(record), key))
                    .collect(),
                keys: call.keys,
            });
            state.calls = calls.enumerate().collect();
        }
    }

    /// Returns whether the file was served from the cache.
    pub(super) fn is_hit(&self, index: usize) -> bool {
        self.files.get(index).is_some_and(|state| state.hit)
    }

    /// Returns how many files were served from the cache.
    pub(super) fn hits(&self) -> usize {
        self.files.iter().filter(|state| state.hit).count()
    }

    /// Returns whether everything about the file is known.
    pub(super) fn is_done(&self, index: usize) -> bool {
        self.files
            .get(index)
            .is_none_or(|state| state.missing_hunks == 0)
    }

    /// Takes what one call said. `asked` are the parts that it was about, as the file's place, its
    /// first hunk and the number of hunks. Returns the files that are complete by it.
    pub(super) fn answered(
        &mut self,
        asked: &[(usize, usize, usize)],
        records: Vec<Record>,
        provenance: &Provenance,
    ) -> Vec<usize> {
        let mut elsewhere = Vec::new();
        let mut own: BTreeMap<usize, Vec<Record>> = BTreeMap::new();
        for record in records {
            let record = redacted(record, self.redactor);
            let subject = record
                .path
                .as_deref()
                .and_then(|path| self.paths.find(path));
            match subject {
                Some(index) if asked.iter().any(|(file, _, _)| *file == index) => {
                    own.entry(index).or_default().push(record);
                }
                subject => {
                    let key = subject.and_then(|index| self.keys.get(index).copied());
                    elsewhere.push((record, key));
                }
            }
        }
        let Some((first, first_hunk, _)) = asked.first() else {
            self.loose
                .extend(elsewhere.into_iter().map(|(record, _)| record));
            return Vec::new();
        };
        if !elsewhere.is_empty() {
            let files = asked
                .iter()
                .filter_map(|(file, _, _)| self.keys.get(*file).copied());
            let call = CallRecords {
                keys: files.collect(),
                records: elsewhere,
            };
            if let Some(state) = self.files.get_mut(*first) {
                state.calls.insert(*first_hunk, call);
            }
        }
        let mut complete = Vec::new();
        for (index, first_hunk, hunks) in asked {
            let Some(state) = self.files.get_mut(*index) else {
                continue;
            };
            state.missing_hunks = state.missing_hunks.saturating_sub(*hunks);
            state
                .parts
                .insert(*first_hunk, own.remove(index).unwrap_or_default());
            state
                .provenance
                .adaptations
                .extend(provenance.adaptations.iter().cloned());
            state.provenance.served_by.clone_from(&provenance.served_by);
            if state.missing_hunks == 0 {
                complete.push(*index);
            }
        }
        complete
    }

    /// Returns the entry of a file about which everything is known.
    pub(super) fn entry(&self, index: usize, model: &str) -> Option<Entry> {
        let state = self.files.get(index)?;
        let FileState {
            missing_hunks: _,
            parts,
            calls,
            provenance,
            hit: _,
        } = state;
        let clean = |text: &str| self.redactor.text(text).into_owned();
        Some(Entry {
            key: *self.keys.get(index)?,
            path: self.paths.shown(index).to_owned(),
            model: clean(model),
            served_by: provenance.served_by.as_deref().map(clean),
            adaptations: provenance
                .adaptations
                .iter()
                .map(|text| clean(text))
                .collect(),
            records: merged(parts.values()),
            calls: calls.values().cloned().collect(),
        })
    }

    /// Puts together everything that was said and still holds, file by file in path order, then
    /// what calls said about files that they did not send.
    pub(super) fn into_records(self) -> (Vec<Record>, Paths) {
        let mut all = Merged::default();
        for state in &self.files {
            all.add(&merged(state.parts.values()));
        }
        let present: BTreeSet<Key> = self.keys.iter().copied().collect();
        for call in self.files.iter().flat_map(|state| state.calls.values()) {
            if call.keys.iter().all(|key| present.contains(key)) {
                let held = call
                    .records
                    .iter()
                    .filter(|(record, subject)| match subject {
                        Some(key) => present.contains(key),
                        None => record
                            .path
                            .as_deref()
                            .and_then(|path| self.paths.find(path))
                            .is_none(),
                    });
                all.add(held.map(|(record, _)| record));
            }
        }
        all.add(&self.loose);
        (all.into_records(), self.paths)
    }
}

/// Puts together what several calls said about one file.
fn merged<'r>(parts: impl IntoIterator<Item = &'r Vec<Record>>) -> Vec<Record> {
    let mut merged = Merged::default();
    for part in parts {
        merged.add(part);
    }
    merged.into_records()
}

/// Returns the record without its secrets.
fn redacted(record: Record, redactor: &Redactor) -> Record {
    record.map_text(|text| match redactor.text(&text) {
        std::borrow::Cow::Borrowed(_) => text,
        std::borrow::Cow::Owned(redacted) => redacted,
    })
}
