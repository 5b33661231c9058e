//! Finding many short literals in one walk over a text.
//!
//! An automaton goes from state to state, and each step waits for the one before. Here each pair of
//! neighbouring bytes is looked up by itself, in a table that says which literals could begin with
//! it and which could go on with it. Few places of a text are left; there the literals are compared.

/// How many pairs of bytes there are.
const PAIRS: usize = 1 << 16;

/// In a table entry: how far the groups of which a literal goes on with the pair are shifted from
/// those of which a literal begins with it.
const GOES_ON: u32 = 8;

/// How many places are looked at together: those whose first three bytes lie in one word.
const STEP: usize = 6;

/// How many bytes are read at a time.
const WORD: usize = 8;

/// The bit in which the two cases of a letter differ.
const CASE: u8 = 0x20;

/// A text that is looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Literal<'a> {
    pub(crate) text: &'a [u8],
    /// Whether it is found in any letter case.
    pub(crate) any_case: bool,
}

/// Looks for literals, which are known by their position in the list that it was made from.
pub(crate) struct Finder {
    /// By pair of bytes: the groups of the literals that begin with it, and those of the literals
    /// whose second and third byte it is.
    groups: Box<[u16; PAIRS]>,
    literals: Vec<(Vec<u8>, bool)>,
    /// The literals by their first two bytes, as `slot` has them.
    slots: Vec<Vec<Start>>,
}

/// How a literal begins: its first bytes as a word, the bits of that word which count, and the
/// literal's position. Most literals are told by this alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Start {
    word: u64,
    mask: u64,
    index: usize,
}

impl Finder {
    /// Takes the literals in order of their rank. None may be empty.
    pub(crate) fn new<'a>(literals: impl IntoIterator<Item = Literal<'a>>) -> Self {
        #[expect(
            clippy::large_stack_arrays,
            reason = "made where it stays when optimized"
        )]
        let mut finder = Self {
            groups: Box::new([0; PAIRS]),
            literals: Vec::new(),
            slots: vec![Vec::new(); 1 << 10],
        };
        for literal in literals {
            finder.add(literal);
        }
        finder
    }

    fn add(&mut self, literal: Literal<'_>) {
        let [first, second, third] = [0, 1, 2].map(|at| spellings(literal, at));
        let group = 1 << (first.first().copied().unwrap_or_default() & 7);
        for (left, right, mark) in [
            (&first, &second, group),
            (&second, &third, group << GOES_ON),
        ] {
            for (left, right) in left
                .iter()
                .flat_map(|left| right.iter().map(move |right| (left, right)))
            {
                if let Some(groups) = self
                    .groups
                    .get_mut(usize::from(u16::from_le_bytes([*left, *right])))
                {
                    *groups |= mark;
                }
            }
        }
        let start = Start::new(literal, self.literals.len());
        for (left, right) in first
            .iter()
            .flat_map(|left| second.iter().map(move |right| (left, right)))
        {
            if let Some(slot) = self.slots.get_mut(slot(*left, *right))
                && slot.last() != Some(&start)
            {
                slot.push(start);
            }
        }
        self.literals
            .push((literal.text.to_vec(), literal.any_case));
    }

    /// Hands over each place where a literal may stand, from left to right.
    pub(crate) fn each_place(&self, text: &[u8], mut take: impl FnMut(usize)) {
        let mut start = 0;
        while let Some(rest) = text.get(start..).filter(|rest| !rest.is_empty()) {
            let word = u64::from_le_bytes(first_bytes(rest));
            // The cut to two bytes is what is wanted: a pair.
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the pair is the lowest two bytes"
            )]
            let groups = |at: usize| {
                let pair = (word >> (8 * at)) as u16;
                self.groups
                    .get(usize::from(pair))
                    .copied()
                    .unwrap_or_default()
            };
            let pairs: [u16; STEP + 1] = std::array::from_fn(groups);
            let both = |at: usize| match pairs.get(at..at + 2) {
                Some([here, next]) => here & (next >> GOES_ON),
                _ => 0,
            };
            let hits: [u16; STEP] = std::array::from_fn(both);
            if hits.iter().fold(0, |all, hit| all | hit) != 0 {
                for (at, hit) in hits.iter().enumerate().take(rest.len()) {
                    if *hit != 0 {
                        take(start + at);
                    }
                }
            }
            start += STEP;
        }
    }

    /// Returns the positions of the literals that stand at `place`, by rank.
    pub(crate) fn literals_at<'a>(
        &'a self,
        text: &'a [u8],
        place: usize,
    ) -> impl Iterator<Item = usize> + use<'a> {
        let rest = text.get(place..).unwrap_or_default();
        let first = first_bytes(rest);
        let (word, [left, right, ..]) = (u64::from_le_bytes(first), first);
        let starts = self.slots.get(slot(left, right)).map(Vec::as_slice);
        starts.unwrap_or_default().iter().filter_map(move |start| {
            let may = (word ^ start.word) & start.mask == 0;
            (may && self.goes_on(start.index, rest)).then_some(start.index)
        })
    }

    /// Returns whether the text, whose first bytes are those of the literal, begins with all of it.
    fn goes_on(&self, index: usize, text: &[u8]) -> bool {
        let Some((literal, any_case)) = self.literals.get(index) else {
            return false;
        };
        match (text.get(..literal.len()), literal.get(WORD..)) {
            (Some(_), None) => true,
            (Some(found), Some(_)) => {
                found == literal || *any_case && found.eq_ignore_ascii_case(literal)
            }
            _ => false,
        }
    }
}

impl Start {
    fn new(literal: Literal<'_>, index: usize) -> Self {
        let mut bits = [0; WORD];
        for (bits, byte) in bits.iter_mut().zip(literal.text) {
            let either_case = literal.any_case && byte.is_ascii_alphabetic();
            *bits = if either_case { !CASE } else { u8::MAX };
        }
        Self {
            word: u64::from_le_bytes(first_bytes(literal.text)),
            mask: u64::from_le_bytes(bits),
            index,
        }
    }
}

/// Returns the bytes that a literal can have at a position: its own, in either case where that
/// does not matter, and any byte behind its end.
fn spellings(literal: Literal<'_>, at: usize) -> Vec<u8> {
    match literal.text.get(at) {
        Some(byte) if literal.any_case && byte.is_ascii_alphabetic() => {
            vec![byte.to_ascii_lowercase(), byte.to_ascii_uppercase()]
        }
        Some(byte) => vec![*byte],
        None => (0..=u8::MAX).collect(),
    }
}

/// Returns where the literals with these first two bytes are listed. Both letter cases are listed
/// together.
fn slot(left: u8, right: u8) -> usize {
    usize::from(left & 31) << 5 | usize::from(right & 31)
}

/// Returns the first bytes of a text, and zeros behind its end.
fn first_bytes(text: &[u8]) -> [u8; WORD] {
    text.first_chunk().copied().unwrap_or_else(|| {
        let mut bytes = [0; WORD];
        for (byte, found) in bytes.iter_mut().zip(text) {
            *byte = *found;
        }
        bytes
    })
}

#[cfg(test)]
mod tests {
    use aho_corasick::AhoCorasick;
    use proptest::prelude::*;

    use super::*;

    const LITERALS: &[&str] = &[
        "`", "://", "Q~", "key", "keyring", "MT", "sk-", "sk_live_", "pass", "_pw", "-us1", "é",
    ];

    fn text() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            prop::sample::select(LITERALS).prop_map(|literal| literal.as_bytes().to_vec()),
            prop::sample::select(LITERALS)
                .prop_map(|literal| literal.to_ascii_uppercase().into_bytes()),
            prop::sample::select(LITERALS).prop_map(|literal| literal.as_bytes()[1..].to_vec()),
            prop::collection::vec(any::<u8>(), 0..4),
            "[a-z_]{0,6}".prop_map(String::into_bytes),
        ];
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn an_automaton_finds_the_same(text in text(), any_case in any::<bool>()) {
            let finder = Finder::new(LITERALS.iter().map(|literal| Literal {
                text: literal.as_bytes(),
                any_case,
            }));
            let mut found = Vec::new();
            finder.each_place(&text, |place| {
                found.extend(finder.literals_at(&text, place).map(|index| (place, index)));
            });
            let automaton = AhoCorasick::builder()
                .ascii_case_insensitive(any_case)
                .build(LITERALS)
                .unwrap();
            let mut expected: Vec<_> = automaton
                .find_overlapping_iter(&text)
                .map(|hit| (hit.start(), hit.pattern().as_usize()))
                .collect();
            expected.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
