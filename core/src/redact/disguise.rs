//! Values in disguise, found in a view of the text.
//!
//! To make the view of every text would take longer than all other looks at it. So the view is
//! first gone through in passing: its last bytes are kept in one word, and where that word is how
//! a form of a value begins, the text is looked at in full.

use std::borrow::Cow;

use aho_corasick::AhoCorasick;
use memchr::memchr3;

use super::bytes::at;
use super::exact::{Spans, automaton};
use super::view::{DROPS, View};
use crate::change::LineKind;

/// The most bytes of a form's beginning: what fits into a word.
const BEGINNING: usize = 8;

/// How many places the table of the beginnings has, as a power of two.
const TABLE_BITS: u32 = 12;

/// The last bytes of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Trail(u64);

impl Trail {
    fn push(&mut self, byte: u8) {
        self.0 = self.0 << 8 | u64::from(byte);
    }
}

/// The forms that values can have in a view.
pub(super) struct Forms {
    view: View,
    automaton: AhoCorasick,
    /// How the forms begin, as the end of a trail, sorted.
    beginnings: Vec<u64>,
    /// The bits of a trail that are compared.
    mask: u64,
    /// Whether a beginning with this hash is there.
    table: [bool; 1 << TABLE_BITS],
}

impl Forms {
    /// Takes the forms; none may be empty. Returns nothing where there is no form.
    pub(super) fn new(view: View, forms: &[Vec<u8>]) -> Option<Self> {
        let length = forms.iter().map(Vec::len).min()?.min(BEGINNING);
        let mut beginnings: Vec<u64> = forms
            .iter()
            .map(|form| {
                let mut trail = Trail::default();
                form.iter().take(length).for_each(|byte| trail.push(*byte));
                trail.0
            })
            .collect();
        beginnings.sort_unstable();
        let mut table = [false; 1 << TABLE_BITS];
        for beginning in &beginnings {
            if let Some(entry) = table.get_mut(hash(*beginning)) {
                *entry = true;
            }
        }
        Some(Self {
            view,
            automaton: automaton(forms)?,
            beginnings,
            mask: u64::MAX >> (8 * (BEGINNING - length)),
            table,
        })
    }

    /// Returns whether a form may stand in the view that goes on with the one of `text`.
    pub(super) fn may_stand_in(&self, text: &[u8], trail: &mut Trail) -> bool {
        let table = self.view.table();
        let mut place = 0;
        while let Some(rest) = text.get(place..).filter(|rest| !rest.is_empty()) {
            let plain = memchr3(b'%', b'\\', b'&', rest).unwrap_or(rest.len());
            for byte in rest.iter().take(plain) {
                // Whether a byte is kept cannot be foreseen, so nothing branches on it.
                let kept = at(table, usize::from(*byte));
                let mut longer = *trail;
                longer.push(kept);
                *trail = if kept == DROPS { *trail } else { longer };
                if self.begins(*trail) {
                    return true;
                }
            }
            place += plain;
            if plain < rest.len() {
                let (bytes, length) = self.view.escape(text, place);
                for byte in bytes {
                    trail.push(byte);
                    if self.begins(*trail) {
                        return true;
                    }
                }
                place += length;
            }
        }
        false
    }

    /// Returns whether a form may stand on either side of a hunk, over the ends of its lines.
    pub(super) fn may_stand_on_a_side(&self, lines: &[(LineKind, Cow<'_, str>)]) -> bool {
        let (mut old, mut new) = (Trail::default(), Trail::default());
        for (kind, line) in lines {
            // A line of both sides has to be looked at twice only as long as they differ.
            let (kind, line, same) = (*kind, line.as_bytes(), old == new);
            if kind != LineKind::Added && self.may_stand_in(line, &mut old) {
                return true;
            }
            if kind == LineKind::Context && same {
                new = old;
            } else if kind != LineKind::Removed && self.may_stand_in(line, &mut new) {
                return true;
            }
        }
        false
    }

    fn begins(&self, trail: Trail) -> bool {
        let end = trail.0 & self.mask;
        self.table.get(hash(end)) == Some(&true) && self.beginnings.binary_search(&end).is_ok()
    }

    /// Appends where the forms stand in the text: one span on each line.
    pub(super) fn find(&self, text: &[u8], found: &mut Spans) {
        let mut bytes = Vec::new();
        let mut places = Vec::new();
        self.view.walk(text, |byte, place, length| {
            bytes.push(byte);
            places.push((place, place + length));
        });
        for hit in self.automaton.find_iter(&bytes) {
            let mut span: Option<(usize, usize)> = None;
            for (start, end) in places.get(hit.range()).unwrap_or_default() {
                let same_line = span.filter(|span| {
                    let gap = text.get(span.1..*start).unwrap_or_default();
                    !gap.iter().any(|byte| matches!(byte, b'\n' | b'\r'))
                });
                if let Some(open) = same_line {
                    span = Some((open.0, *end));
                } else {
                    found.extend(span);
                    span = Some((*start, *end));
                }
            }
            found.extend(span);
        }
    }
}

/// Returns a place in the table, by a multiplication that mixes all bits into the highest.
fn hash(end: u64) -> usize {
    (end.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - TABLE_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const VALUE: &str = "canary-of-7-birds";

    /// The value as it stands, in disguises and in pieces, and what comes close to it.
    fn text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            (0..=VALUE.len(), 0..=VALUE.len())
                .prop_map(|(start, end)| VALUE.get(start..end).unwrap_or(VALUE).to_owned()),
            Just(hex::encode(VALUE)),
            Just(VALUE.replace('-', "\\u002d").replace('a', "%61")),
            Just(VALUE.replace('o', "&#111;").replace("ary", "\n  ary")),
            "[ -~\né]{0,9}",
        ];
        prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
    }

    fn forms(view: View) -> Forms {
        let forms = [VALUE.to_owned(), hex::encode(VALUE)];
        Forms::new(view, &forms.map(|form| view.of(form.as_bytes()))).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_a_full_look_finds_is_never_passed_by(text in text()) {
            for forms in [View::Letters, View::Visible].map(forms) {
                let mut found = Vec::new();
                forms.find(text.as_bytes(), &mut found);
                let may = forms.may_stand_in(text.as_bytes(), &mut Trail::default());
                prop_assert!(may || found.is_empty());
            }
        }

        #[test]
        fn what_stands_whole_on_a_side_is_never_passed_by(
            pieces in prop::collection::vec((0..3_usize, text()), 0..8)
        ) {
            let kinds = [LineKind::Context, LineKind::Added, LineKind::Removed];
            let lines: Vec<_> = pieces
                .iter()
                .map(|(kind, line)| (kinds[*kind], Cow::Borrowed(line.as_str())))
                .collect();
            for forms in [View::Letters, View::Visible].map(forms) {
                let stands = |without: LineKind| {
                    let side = lines.iter().filter(|(kind, _)| *kind != without);
                    let views = side.flat_map(|(_, line)| forms.view.of(line.as_bytes()));
                    forms.automaton.is_match(&views.collect::<Vec<_>>())
                };
                let stands = stands(LineKind::Added) || stands(LineKind::Removed);
                prop_assert!(forms.may_stand_on_a_side(&lines) || !stands);
            }
        }
    }
}
