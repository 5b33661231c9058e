//! How many tokens a text is expected to have.

use aurumcode_core::limits::BYTES_PER_TOKEN;

/// Returns the tokens of a text of this size where nothing has been measured.
pub(crate) fn in_bytes(bytes: u64) -> u64 {
    (bytes / BYTES_PER_TOKEN).max(1)
}

/// How many tokens an endpoint counted for a prompt of a known size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ratio {
    tokens: u64,
    bytes: u64,
}

impl Ratio {
    /// Takes what an endpoint counted. A prompt of no bytes measures nothing.
    pub(crate) fn measured(tokens: u64, bytes: u64) -> Option<Self> {
        (bytes > 0).then_some(Self { tokens, bytes })
    }

    /// Returns the one with more tokens a byte.
    #[must_use]
    pub(crate) fn larger(self, other: Self) -> Self {
        let mine = u128::from(self.tokens) * u128::from(other.bytes);
        let others = u128::from(other.tokens) * u128::from(self.bytes);
        if others > mine { other } else { self }
    }

    /// Returns the tokens that a prompt of this size is expected to have: as many as were measured
    /// a byte, and no less than where nothing was.
    pub(crate) fn tokens_in(ratio: Option<Self>, bytes: u64) -> u64 {
        let least = in_bytes(bytes);
        ratio.map_or(least, |Self { tokens, bytes: of }| {
            let expected = (u128::from(tokens) * u128::from(bytes)).div_ceil(u128::from(of));
            u64::try_from(expected).unwrap_or(u64::MAX).max(least)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_larger_of_the_measured_and_a_quarter_counts() {
        let half = Ratio::measured(50, 100);
        let tenth = Ratio::measured(10, 100);
        assert_eq!(Ratio::tokens_in(None, 401), 100);
        assert_eq!(Ratio::tokens_in(None, 0), 1);
        assert_eq!(Ratio::tokens_in(half, 401), 201, "rounded up");
        assert_eq!(Ratio::tokens_in(tenth, 401), 100);
        assert_eq!(
            Ratio::tokens_in(Ratio::measured(u64::MAX, 1), u64::MAX),
            u64::MAX
        );
        assert_eq!(Ratio::measured(1, 0), None);
        assert_eq!(half.unwrap().larger(tenth.unwrap()), half.unwrap());
        assert_eq!(tenth.unwrap().larger(half.unwrap()), half.unwrap());
    }
}
