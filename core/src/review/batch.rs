//! Which files go into which call.

use std::ops::Range;

use crate::change::FileChange;
use crate::limits;
use crate::prompt::{PromptBuilder, Section, heading_bytes, hunk_bytes};
use crate::provider::Limits;

/// How many bytes of a window are planned for one token. Code has fewer bytes to a token than
/// prose, and a request that is refused costs a round trip, so this is less than the measure of
/// cost.
const PLANNED_BYTES_PER_TOKEN: u64 = 3;

/// How many bytes of a window are taken for one token at the very most. Prose and indented code
/// can have more bytes to a token than is planned, and a request that is refused costs nothing, so
/// one place that cannot be cut is left out only when it fits in no case.
const MOST_BYTES_PER_TOKEN: u64 = 8;

/// The tokens that are kept free for the answer where no cap is set, unless the window is so small
/// that a quarter of it is less.
const ANSWER_TOKENS: u64 = 4096;

/// How much fits into one call, in bytes of rendered files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Budget {
    /// What batches are filled up to.
    pub(super) planned: u64,
    /// What certainly does not fit.
    pub(super) most: u64,
}

impl Budget {
    /// Returns what a window leaves for files.
    pub(super) fn of(limits: Limits, prompt: &PromptBuilder) -> Self {
        let fixed = prompt.fixed_bytes();
        let Some(window) = limits.context_tokens else {
            let bytes = limits::PROMPT_BYTES.saturating_sub(fixed);
            return Self {
                planned: bytes,
                most: bytes,
            };
        };
        let answer = limits
            .output_tokens
            .map_or(ANSWER_TOKENS, u64::from)
            .min(window / 4);
        let tokens = window.saturating_sub(answer);
        let files = |bytes_per_token: u64| {
            tokens
                .saturating_mul(bytes_per_token)
                .min(limits::PROMPT_BYTES)
                .saturating_sub(fixed)
        };
        Self {
            planned: files(PLANNED_BYTES_PER_TOKEN),
            most: files(MOST_BYTES_PER_TOKEN),
        }
    }

    /// Returns the budget after a request of this size was refused as too long.
    pub(super) fn refused(self, bytes: u64) -> Self {
        let below = bytes.saturating_sub(1);
        Self {
            planned: self.planned.min(below),
            most: self.most.min(below),
        }
    }

    /// Returns the smaller of two budgets.
    pub(super) fn min(self, other: Self) -> Self {
        Self {
            planned: self.planned.min(other.planned),
            most: self.most.min(other.most),
        }
    }
}

/// Some hunks of one file, that follow one another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// The file's place in the change.
    pub(super) file: usize,
    /// The hunks.
    pub(super) hunks: Range<usize>,
    /// The rendered size of each of these hunks.
    sizes: Vec<u64>,
    /// The rendered size of the file's heading.
    heading: u64,
}

impl Part {
    /// Takes a whole file.
    fn whole(index: usize, file: &FileChange) -> Self {
        Self {
            file: index,
            hunks: 0..file.hunks.len(),
            sizes: file.hunks.iter().map(hunk_bytes).collect(),
            heading: heading_bytes(file),
        }
    }

    /// Returns the rendered size, in bytes.
    fn bytes(&self) -> u64 {
        self.sizes.iter().sum::<u64>() + self.heading
    }

    /// Cuts behind the first `count` hunks. Both sides have at least one.
    fn cut(mut self, count: usize) -> (Self, Option<Self>) {
        if count == 0 || count >= self.sizes.len() {
            return (self, None);
        }
        let middle = self.hunks.start + count;
        let rest = Self {
            file: self.file,
            hunks: middle..self.hunks.end,
            sizes: self.sizes.split_off(count),
            heading: self.heading,
        };
        self.hunks.end = middle;
        (self, Some(rest))
    }
}

/// What goes into one call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Batch {
    /// The parts, in the order of the change.
    pub(super) parts: Vec<Part>,
}

impl Batch {
    /// Returns the rendered size, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.parts.iter().map(Part::bytes).sum()
    }

    /// Returns the sections to render.
    pub(super) fn sections<'a>(&self, files: &'a [FileChange]) -> Vec<Section<'a>> {
        let section = |part: &Part| {
            Some(Section {
                file: files.get(part.file)?,
                hunks: part.hunks.clone(),
            })
        };
        self.parts.iter().filter_map(section).collect()
    }

    /// Cuts the batch into two of about the same size, or gives it back when it is one hunk.
    pub(super) fn halves(mut self) -> Result<(Self, Self), Self> {
        let half = self.bytes() / 2;
        if self.parts.len() > 1 {
            let count = leading(self.parts.iter().map(Part::bytes), half).min(self.parts.len() - 1);
            let rest = self.parts.split_off(count);
            return Ok((self, Self { parts: rest }));
        }
        let Some(part) = self.parts.pop() else {
            return Err(self);
        };
        let count = leading(part.sizes.iter().copied(), half);
        let count = count.min(part.sizes.len().saturating_sub(1));
        match part.cut(count) {
            (first, Some(second)) => Ok((
                Self { parts: vec![first] },
                Self {
                    parts: vec![second],
                },
            )),
            (whole, None) => Err(Self { parts: vec![whole] }),
        }
    }
}

/// Returns how many of the leading sizes stay within `limit` together, but at least one.
fn leading(sizes: impl Iterator<Item = u64>, limit: u64) -> usize {
    let mut sum = 0_u64;
    let fitting = sizes.take_while(|size| {
        sum = sum.saturating_add(*size);
        sum <= limit
    });
    fitting.count().max(1)
}

/// Fills batches in the order of the change: whole files where they fit, a file over several
/// batches by its hunks where it does not. A hunk that fits into no batch has one of its own.
pub(super) fn plan<'a>(
    files: impl IntoIterator<Item = (usize, &'a FileChange)>,
    budget: Budget,
) -> Vec<Batch> {
    let mut batches = Vec::new();
    let mut open = Batch::default();
    let mut room = budget.planned;
    for (index, file) in files {
        let mut next = Some(Part::whole(index, file));
        while let Some(part) = next.take() {
            let bytes = part.bytes();
            if bytes <= room {
                room -= bytes;
                open.parts.push(part);
                continue;
            }
            if !open.parts.is_empty() {
                batches.push(std::mem::take(&mut open));
                room = budget.planned;
                next = Some(part);
                continue;
            }
            let fitting = leading(
                part.sizes.iter().copied(),
                room.saturating_sub(part.heading),
            );
            let (first, rest) = part.cut(fitting);
            batches.push(Batch { parts: vec![first] });
            next = rest;
        }
    }
    if !open.parts.is_empty() {
        batches.push(open);
    }
    batches
}
