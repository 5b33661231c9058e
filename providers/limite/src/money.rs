//! Dollars as whole numbers: a sum, the ceiling that the user sets, and the price of a token.

use std::fmt;

use aurumcode_core::text;

use crate::decimal::Decimal;

/// A sum is counted in units of 10^-15 dollars, so that the price of one token is a whole number
/// of them even where a thousand cost a billionth of a dollar.
const PLACES: u8 = 15;

/// A price of a thousand tokens in units of 10^-12 dollars is the price of one in those of a sum.
const PLACES_PER_THOUSAND: u8 = PLACES - 3;

/// How many digits a printed sum has after the point.
const PRINTED_PLACES: usize = 4;

/// A sum of US dollars. It is exact, and rounded only where it is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Money(u128);

impl Money {
    /// No money.
    pub(crate) const ZERO: Self = Self(0);

    /// Adds; what is too large stays the largest sum, which no ceiling allows.
    #[must_use]
    pub(crate) fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// Takes away, down to nothing.
    #[must_use]
    pub(crate) fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// Writes every digit of the sum.
    pub(crate) fn exact(self) -> String {
        format!(
            "${}",
            Decimal::of_units(self.0, PLACES).exact(PRINTED_PLACES)
        )
    }
}

/// `$0.1234`, a half to the even neighbour.
impl fmt::Display for Money {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Decimal::of_units(self.0, PLACES).rounded(PRINTED_PLACES);
        write!(formatter, "${text}")
    }
}

/// The most that a run may spend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ceiling {
    amount: Money,
    /// What was asked for, rounded for print: it can be larger than any sum.
    printed: String,
}

impl Ceiling {
    /// Reads the value of `--limite`. The error is the whole message.
    pub(crate) fn parse(value: &str) -> Result<Self, String> {
        if value.trim().is_empty() {
            return Err("--limite: value must not be empty".to_owned());
        }
        let Some(dollars) = Decimal::parse(value) else {
            let got = text::quoted(value);
            return Err(format!(
                "--limite: must be a number of US dollars (got {got})"
            ));
        };
        if !dollars.is_positive() {
            let got = text::quoted(value);
            return Err(format!("--limite: must be greater than zero (got {got})"));
        }
        let (units, _) = dollars.units(PLACES);
        Ok(Self {
            // The largest sum stands for everything too large to count, so it must not fit.
            amount: Money(units.min(u128::MAX - 1)),
            printed: format!("${}", dollars.rounded(PRINTED_PLACES)),
        })
    }

    /// Returns the ceiling as a sum, rounded down to what can be counted.
    pub(crate) fn amount(&self) -> Money {
        self.amount
    }
}

impl fmt::Display for Ceiling {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.printed)
    }
}

/// What one token costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Price(u128);

impl Price {
    /// Takes a price of a thousand tokens in thousandths of a dollar.
    pub(crate) const fn of_thousandths(thousandths: u128) -> Self {
        Self(thousandths * 10_u128.pow(PLACES_PER_THOUSAND as u32 - 3))
    }

    /// Reads a price of a thousand tokens in dollars, rounded up to what can be counted. What is
    /// not a number above zero is none.
    pub(crate) fn parse(value: &str) -> Option<Self> {
        let dollars = Decimal::parse(value).filter(Decimal::is_positive)?;
        let (units, more) = dollars.units(PLACES_PER_THOUSAND);
        Some(Self(units.saturating_add(u128::from(more))))
    }

    /// Returns what this many tokens cost.
    pub(crate) fn of(self, tokens: u64) -> Money {
        Money(self.0.saturating_mul(u128::from(tokens)))
    }
}

/// The price of a thousand tokens.
impl fmt::Display for Price {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.of(1000).exact())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_values_of_the_flag() {
        let ok = |amount: u128, printed: &str| {
            Ok(Ceiling {
                amount: Money(amount),
                printed: printed.to_owned(),
            })
        };
        let bad = |message: &str| Err(message.to_owned());
        let long = format!("0.{}1", "0".repeat(3000));
        let table = [
            ("", bad("--limite: value must not be empty")),
            (" \t", bad("--limite: value must not be empty")),
            (
                "abc",
                bad(r#"--limite: must be a number of US dollars (got "abc")"#),
            ),
            (
                "nan",
                bad(r#"--limite: must be a number of US dollars (got "nan")"#),
            ),
            (
                "inf",
                bad(r#"--limite: must be a number of US dollars (got "inf")"#),
            ),
            (
                "-inf",
                bad(r#"--limite: must be a number of US dollars (got "-inf")"#),
            ),
            (
                "1e400",
                bad(r#"--limite: must be a number of US dollars (got "1e400")"#),
            ),
            (
                "0,5",
                bad(r#"--limite: must be a number of US dollars (got "0,5")"#),
            ),
            (
                "a\"b",
                bad(r#"--limite: must be a number of US dollars (got "a\"b")"#),
            ),
            ("0", bad(r#"--limite: must be greater than zero (got "0")"#)),
            (
                "-0.0",
                bad(r#"--limite: must be greater than zero (got "-0.0")"#),
            ),
            (
                "-1",
                bad(r#"--limite: must be greater than zero (got "-1")"#),
            ),
            ("0.50", ok(500_000_000_000_000, "$0.5000")),
            (" +0.5 ", ok(500_000_000_000_000, "$0.5000")),
            ("1e-3", ok(1_000_000_000_000, "$0.0010")),
            ("0.0001", ok(100_000_000_000, "$0.0001")),
            (&long, ok(0, "$0.0000")),
            (
                "1e30",
                ok(u128::MAX - 1, &format!("$1{}.0000", "0".repeat(30))),
            ),
        ];
        for (value, expected) in table {
            assert_eq!(Ceiling::parse(value), expected, "{value}");
        }
    }

    #[test]
    fn prices_are_rounded_up_and_ceilings_down() {
        let price = Price::parse("0.0000000000001").unwrap();
        assert_eq!(price, Price(1));
        assert_eq!(
            Ceiling::parse("0.0000000000000001").unwrap().amount(),
            Money::ZERO
        );
        assert_eq!(Price::of_thousandths(30), Price::parse("0.03").unwrap());
        assert_eq!(Price::of_thousandths(30).to_string(), "$0.0300");
        assert_eq!(Price::parse("0.00015").unwrap().to_string(), "$0.00015");
    }

    #[test]
    fn what_cannot_be_counted_fits_nowhere() {
        let cost = Price::parse("1e300").unwrap().of(u64::MAX);
        assert!(cost > Ceiling::parse("1e300").unwrap().amount());
    }

    proptest! {
        /// A sum of many small costs is the cost of the sum, to the last digit.
        #[test]
        fn sums_do_not_drift(counts in prop::collection::vec(0_u64..1_000_000, 0..200), price in 1_u64..1_000_000) {
            let price = Price::parse(&format!("{price}e-7")).unwrap();
            let sum = counts.iter().fold(Money::ZERO, |sum, count| sum.plus(price.of(*count)));
            prop_assert_eq!(sum, price.of(counts.iter().sum()));
        }
    }
}
