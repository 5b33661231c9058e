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
    /// The positions of the literals by their first two bytes, as `slot` has them.
    slots: Vec<Vec<usize>>,
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
        let index = self.literals.len();
        for (left, right) in first
            .iter()
            .flat_map(|left| second.iter().map(move |right| (left, right)))
        {
            if let Some(slot) = self.slots.get_mut(slot(*left, *right))
                && slot.last() != Some(&index)
            {
                slot.push(index);
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
        let [left, right, ..] = first_bytes(rest);
        let slot = self.slots.get(slot(left, right)).map(Vec::as_slice);
        slot.unwrap_or_default()
            .iter()
            .copied()
            .filter(move |index| {
                self.literals
                    .get(*index)
                    .is_some_and(|(literal, any_case)| {
                        rest.get(..literal.len()).is_some_and(|found| {
                            found == literal.as_slice()
                                || *any_case && found.eq_ignore_ascii_case(literal)
                        })
                    })
            })
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
fn first_bytes(text: &[u8]) -> [u8; 8] {
    text.first_chunk().copied().unwrap_or_else(|| {
        let mut bytes = [0; 8];
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
