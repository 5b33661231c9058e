//! What differs between two trees.
//!
//! Equal subtrees are passed over by their id, so the cost follows the change and not the
//! repository.

use std::cmp::Ordering;
use std::iter::Peekable;

use aurumcode_core::change::RepoPath;
use aurumcode_core::limits;
use git2::{Oid, Repository, Tree, TreeEntry};

use super::error::DiffError;

/// What an entry of a tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    File { executable: bool },
    Symlink,
    Submodule,
}

impl Kind {
    fn of_mode(mode: i32) -> Self {
        match mode & 0o170_000 {
            0o100_000 => Self::File {
                executable: mode & 0o100 != 0,
            },
            0o120_000 => Self::Symlink,
            // Git takes every mode that it does not know for a submodule.
            _ => Self::Submodule,
        }
    }

    pub(super) fn is_file(self) -> bool {
        matches!(self, Self::File { .. })
    }
}

/// One side of a changed entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Side {
    pub(super) id: Oid,
    pub(super) kind: Kind,
}

/// An entry that is not the same in both trees; at least one side is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) path: RepoPath,
    /// The path of the old side, when the entry was renamed.
    pub(super) old_path: Option<RepoPath>,
    pub(super) old: Option<Side>,
    pub(super) new: Option<Side>,
}

/// Two directories of one path that are not the same.
struct Pair {
    prefix: Vec<u8>,
    old: Option<Oid>,
    new: Option<Oid>,
}

/// Returns every entry that differs between the trees `old` and `new`, sorted by path. Where a
/// file became a link or a submodule, or the reverse, each side is an entry of its own.
pub(super) fn changed(
    repository: &Repository,
    old: Oid,
    new: Oid,
) -> Result<Vec<Entry>, DiffError> {
    let mut found = Found::default();
    if old != new {
        found.pending.push(Pair {
            prefix: Vec::new(),
            old: Some(old),
            new: Some(new),
        });
    }
    // A stack instead of recursion: how deep the trees go is up to whoever wrote them.
    while let Some(pair) = found.pending.pop() {
        let old = pair.old.map(|id| repository.find_tree(id)).transpose()?;
        let new = pair.new.map(|id| repository.find_tree(id)).transpose()?;
        let mut left = sorted(old.as_ref()).into_iter().peekable();
        let mut right = sorted(new.as_ref()).into_iter().peekable();
        while let Some((old, new)) = next_pair(&mut left, &mut right) {
            found.take(&pair.prefix, old.as_ref(), new.as_ref())?;
        }
    }
    found
        .entries
        .sort_by(|left, right| left.path.cmp(&right.path));
    Ok(found.entries)
}

#[derive(Default)]
struct Found {
    entries: Vec<Entry>,
    pending: Vec<Pair>,
    directories: usize,
}

impl Found {
    fn take(
        &mut self,
        prefix: &[u8],
        old: Option<&TreeEntry<'_>>,
        new: Option<&TreeEntry<'_>>,
    ) -> Result<(), DiffError> {
        let Some(either) = new.or(old) else {
            return Ok(());
        };
        if let (Some(old), Some(new)) = (old, new)
            && old.id() == new.id()
            && old.filemode_raw() == new.filemode_raw()
        {
            return Ok(());
        }
        let mut path = [prefix, either.name_bytes()].concat();
        if path.len() > limits::PATH_BYTES {
            return Err(DiffError::LongPath);
        }
        if is_tree(either) {
            let (old, new) = (old.map(TreeEntry::id), new.map(TreeEntry::id));
            if old != new {
                path.push(b'/');
                self.directories += 1;
                self.pending.push(Pair {
                    prefix: path,
                    old,
                    new,
                });
            }
        } else {
            self.push(RepoPath::new(path), old.map(side), new.map(side));
        }
        if self.entries.len().max(self.directories) > limits::CHANGE_FILES {
            return Err(DiffError::TooManyFiles);
        }
        Ok(())
    }

    fn push(&mut self, path: RepoPath, old: Option<Side>, new: Option<Side>) {
        if old == new {
            return;
        }
        let mut entry = |path, old, new| {
            self.entries.push(Entry {
                path,
                old_path: None,
                old,
                new,
            });
        };
        match (old, new) {
            (Some(before), Some(after)) if before.kind.is_file() != after.kind.is_file() => {
                entry(path.clone(), old, None);
                entry(path, None, new);
            }
            _ => entry(path, old, new),
        }
    }
}

fn is_tree(entry: &TreeEntry<'_>) -> bool {
    entry.filemode_raw() & 0o170_000 == 0o040_000
}

fn side(entry: &TreeEntry<'_>) -> Side {
    Side {
        id: entry.id(),
        kind: Kind::of_mode(entry.filemode_raw()),
    }
}

/// Returns a tree's entries in git's order. They are in it already, unless the tree was made to
/// mislead.
fn sorted<'t>(tree: Option<&'t Tree<'_>>) -> Vec<TreeEntry<'t>> {
    let mut entries: Vec<_> = tree.into_iter().flat_map(Tree::iter).collect();
    entries.sort_by(order);
    entries
}

/// Orders by name, a directory's name with a slash at its end: a file and a directory of one name
/// are different entries.
fn order(left: &TreeEntry<'_>, right: &TreeEntry<'_>) -> Ordering {
    let slash = |entry: &TreeEntry<'_>| is_tree(entry).then_some(&b'/');
    let (left_name, right_name) = (left.name_bytes(), right.name_bytes());
    left_name
        .iter()
        .chain(slash(left))
        .cmp(right_name.iter().chain(slash(right)))
}

type Entries<'t> = Peekable<std::vec::IntoIter<TreeEntry<'t>>>;

fn next_pair<'l, 'r>(
    left: &mut Entries<'l>,
    right: &mut Entries<'r>,
) -> Option<(Option<TreeEntry<'l>>, Option<TreeEntry<'r>>)> {
    let order = match (left.peek(), right.peek()) {
        (Some(left), Some(right)) => order(left, right),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => return None,
    };
    Some(match order {
        Ordering::Less => (left.next(), None),
        Ordering::Equal => (left.next(), right.next()),
        Ordering::Greater => (None, right.next()),
    })
}
