//! Which deleted and added files are one file under two names.
//!
//! Three passes, each over what the one before left: equal content; the same file name in another
//! directory, where it is the only one of that name; and every deleted file with every added one,
//! as long as that are not too many. Two files are one when at least half of the larger one's
//! bytes are in both, counted over lines, as git counts it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use aurumcode_core::change::RepoPath;
use aurumcode_core::limits;
use git2::{Oid, Repository};

use super::error::DiffError;
use super::tree::Entry;

/// The most pairs that are compared, git's own default for a diff.
const PAIRS: usize = 1000 * 1000;

/// The longest piece of a line that is counted as one, in bytes.
const SPAN_BYTES: usize = 64;

/// How alike two files are, in bytes that both have, of the larger one's size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Similarity {
    common: u64,
    size: u64,
}

impl Similarity {
    /// Returns the similarity in ten thousandths.
    fn score(self) -> u64 {
        (self.common * 10_000).checked_div(self.size).unwrap_or(0)
    }
}

/// The score from which two files of any names are one.
const ALIKE: u64 = 5000;

/// The score from which two files of one unique name are one.
const ALIKE_BY_NAME: u64 = 7500;

/// Joins each deleted file with the added file that it became. The result is sorted by path.
pub(super) fn pair(repository: &Repository, entries: Vec<Entry>) -> Result<Vec<Entry>, DiffError> {
    let mut search = Search::new(repository, &entries)?;
    if search.deleted.is_empty() || search.added.is_empty() {
        return Ok(entries);
    }
    search.by_content(true);
    search.by_content(false);
    search.by_name()?;
    search.by_similarity()?;
    let sources = search.sources;
    Ok(join(entries, &sources))
}

/// Gives each added entry the old side of its source, and leaves the sources out.
fn join(entries: Vec<Entry>, sources: &BTreeMap<usize, usize>) -> Vec<Entry> {
    let gone: BTreeSet<usize> = sources.values().copied().collect();
    let old_sides: BTreeMap<usize, Entry> = sources
        .iter()
        .filter_map(|(added, deleted)| Some((*added, entries.get(*deleted)?.clone())))
        .collect();
    let mut joined = Vec::with_capacity(entries.len());
    for (index, mut entry) in entries.into_iter().enumerate() {
        if gone.contains(&index) {
            continue;
        }
        if let Some(source) = old_sides.get(&index) {
            entry.old = source.old;
            entry.old_path = Some(source.path.clone());
        }
        joined.push(entry);
    }
    joined
}

/// A deleted or an added file, by its place among the entries.
#[derive(Debug, Clone, Copy)]
struct Candidate<'e> {
    index: usize,
    path: &'e RepoPath,
    id: Oid,
    size: u64,
}

impl<'e> Candidate<'e> {
    fn name(&self) -> &'e [u8] {
        let path = self.path.as_bytes();
        path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
    }
}

struct Search<'r, 'e> {
    repository: &'r Repository,
    deleted: Vec<Candidate<'e>>,
    added: Vec<Candidate<'e>>,
    /// From the place of an added file to that of the deleted file that it was.
    sources: BTreeMap<usize, usize>,
    spans: BTreeMap<Oid, Vec<Span>>,
    /// How many more bytes of content may be read.
    budget: u64,
}

impl<'r, 'e> Search<'r, 'e> {
    fn new(repository: &'r Repository, entries: &'e [Entry]) -> Result<Self, DiffError> {
        let mut search = Self {
            repository,
            deleted: Vec::new(),
            added: Vec::new(),
            sources: BTreeMap::new(),
            spans: BTreeMap::new(),
            budget: limits::RENAME_BYTES,
        };
        let is_candidate = |entry: &Entry| match (entry.old, entry.new) {
            (Some(side), None) | (None, Some(side)) => side.kind.is_file(),
            _ => false,
        };
        let one_sided = || entries.iter().filter(|entry| is_candidate(entry));
        if !one_sided().any(|entry| entry.new.is_none())
            || !one_sided().any(|entry| entry.old.is_none())
        {
            return Ok(search);
        }
        let odb = repository.odb()?;
        for (index, entry) in entries.iter().enumerate() {
            if !is_candidate(entry) {
                continue;
            }
            let Some(side) = entry.new.or(entry.old) else {
                continue;
            };
            let candidate = Candidate {
                index,
                path: &entry.path,
                id: side.id,
                size: odb.read_header(side.id)?.0 as u64,
            };
            if entry.new.is_some() {
                search.added.push(candidate);
            } else {
                search.deleted.push(candidate);
            }
        }
        Ok(search)
    }

    fn accept(&mut self, pairs: &[(usize, usize)]) {
        self.sources
            .extend(pairs.iter().map(|(deleted, added)| (*added, *deleted)));
        let sources: BTreeSet<usize> = self.sources.values().copied().collect();
        self.deleted.retain(|file| !sources.contains(&file.index));
        self.added
            .retain(|file| !self.sources.contains_key(&file.index));
    }

    /// Pairs files of equal content in path order, only those of one name when `same_name`.
    fn by_content(&mut self, same_name: bool) {
        let key = |file: &Candidate<'e>| (file.id, same_name.then(|| file.name()));
        let mut sources: BTreeMap<_, VecDeque<usize>> = BTreeMap::new();
        for file in &self.deleted {
            sources.entry(key(file)).or_default().push_back(file.index);
        }
        let next_source = |file: &Candidate<'e>| sources.get_mut(&key(file))?.pop_front();
        let found: Vec<_> = self.added.iter().map(next_source).collect();
        let indices = self.added.iter().map(|file| file.index);
        let pairs: Vec<_> = indices
            .zip(found)
            .filter_map(|(added, deleted)| Some((deleted?, added)))
            .collect();
        self.accept(&pairs);
    }

    /// Pairs files whose name occurs once among the deleted and once among the added ones.
    fn by_name(&mut self) -> Result<(), DiffError> {
        let (deleted, added) = (unique_names(&self.deleted), unique_names(&self.added));
        let mut pairs = Vec::new();
        for (name, source) in deleted {
            let Some(target) = added.get(&name).copied().flatten() else {
                continue;
            };
            let Some(source) = source else { continue };
            if self.similarity(source, target)?.score() >= ALIKE_BY_NAME {
                pairs.push((source.index, target.index));
            }
        }
        self.accept(&pairs);
        Ok(())
    }

    /// Pairs the rest, the most alike first.
    fn by_similarity(&mut self) -> Result<(), DiffError> {
        if self.deleted.len().saturating_mul(self.added.len()) > PAIRS {
            return Ok(());
        }
        let mut scored = Vec::new();
        for target in self.added.clone() {
            for source in self.deleted.clone() {
                let score = self.similarity(source, target)?.score();
                if score >= ALIKE {
                    let other_name = source.name() != target.name();
                    scored.push((Reverse(score), other_name, target.index, source.index));
                }
            }
        }
        scored.sort_unstable();
        let (mut targets, mut sources) = (BTreeSet::new(), BTreeSet::new());
        let mut pairs = Vec::new();
        for (_, _, target, source) in scored {
            if !targets.contains(&target) && !sources.contains(&source) {
                targets.insert(target);
                sources.insert(source);
                pairs.push((source, target));
            }
        }
        self.accept(&pairs);
        Ok(())
    }

    fn similarity(
        &mut self,
        old: Candidate<'_>,
        new: Candidate<'_>,
    ) -> Result<Similarity, DiffError> {
        let (size, smaller) = (old.size.max(new.size), old.size.min(new.size));
        // No bytes can be in both beyond those of the smaller one.
        let hopeless = Similarity {
            common: smaller,
            size,
        }
        .score()
            < ALIKE;
        if hopeless || !self.load(old)? || !self.load(new)? {
            return Ok(Similarity { common: 0, size });
        }
        let spans = |id: Oid| self.spans.get(&id).map(Vec::as_slice).unwrap_or_default();
        let common = common_bytes(spans(old.id), spans(new.id));
        Ok(Similarity { common, size })
    }

    /// Makes sure that the spans of `file` are known. Returns whether they are: beyond the budget
    /// nothing is read any more.
    fn load(&mut self, file: Candidate<'_>) -> Result<bool, DiffError> {
        if self.spans.contains_key(&file.id) {
            return Ok(true);
        }
        let Some(budget) = self.budget.checked_sub(file.size) else {
            return Ok(false);
        };
        self.budget = budget;
        let blob = self.repository.find_blob(file.id)?;
        self.spans.insert(file.id, spans(blob.content()));
        Ok(true)
    }
}

/// Returns each name with its only candidate, or with none when there are several.
fn unique_names<'e>(files: &[Candidate<'e>]) -> BTreeMap<Vec<u8>, Option<Candidate<'e>>> {
    let mut names = BTreeMap::new();
    for file in files {
        names
            .entry(file.name().to_vec())
            .and_modify(|only| *only = None)
            .or_insert(Some(*file));
    }
    names
}

/// How many bytes of a file lie in pieces of lines with this hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Span {
    hash: u64,
    bytes: u64,
}

/// Cuts a content into lines, long lines into pieces, and sums up equal ones. Sorted by hash.
fn spans(content: &[u8]) -> Vec<Span> {
    let lines = content.split_inclusive(|byte| *byte == b'\n');
    let mut spans: Vec<Span> = lines
        .flat_map(|line| line.chunks(SPAN_BYTES))
        .map(|piece| Span {
            hash: hash(piece),
            bytes: piece.len() as u64,
        })
        .collect();
    spans.sort_unstable();
    spans.dedup_by(|next, kept| {
        let same = next.hash == kept.hash;
        if same {
            kept.bytes += next.bytes;
        }
        same
    });
    spans.shrink_to_fit();
    spans
}

/// The FNV-1a hash: short, and the same on every machine and in every version.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Returns how many bytes two files have in common. Both lists are sorted by hash.
fn common_bytes(left: &[Span], right: &[Span]) -> u64 {
    let mut others = right.iter().peekable();
    let mut common = 0;
    for span in left {
        while others.next_if(|other| other.hash < span.hash).is_some() {}
        if let Some(other) = others.next_if(|other| other.hash == span.hash) {
            common += span.bytes.min(other.bytes);
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_bytes_are_counted_once() {
        let cases: [(&[u8], &[u8], u64); 4] = [
            (b"a\nb\nc\n", b"c\na\n", 4),
            (b"a\na\n", b"a\n", 2),
            (b"", b"a\n", 0),
            (b"one\n", b"two\n", 0),
        ];
        for (left, right, common) in cases {
            assert_eq!(common_bytes(&spans(left), &spans(right)), common);
        }
    }
}
