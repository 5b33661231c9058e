//! Decimal numbers as people write them, read and printed without a floating-point step.

/// The most digits that a number may have before its decimal point. Longer ones are beyond what
/// any other program that reads the same text could hold, and count as no number, like `inf`.
const WHOLE_DIGITS: i64 = 309;

/// An exponent beyond this is cut to it. No text is long enough for its digits to make up for it.
const EXPONENT: i64 = 1_000_000_000;

/// A decimal number, exactly: `0.d1d2d3… × 10^point`, without zeros at either end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    point: i64,
}

impl Decimal {
    /// Reads digits with at most one decimal point, an optional sign, an optional exponent and
    /// blanks around all of it. Everything else is no number, `nan` and `inf` included.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (negative, unsigned) = without_sign(text.trim());
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: Vec<u8> = whole
            .bytes()
            .chain(fraction.bytes())
            .map(|byte| byte.is_ascii_digit().then(|| byte - b'0'))
            .collect::<Option<_>>()?;
        if digits.is_empty() {
            return None;
        }
        let point = exponent.saturating_add(i64::try_from(whole.len()).ok()?);
        let number = Self::normal(negative, &digits, point);
        (number.point <= WHOLE_DIGITS).then_some(number)
    }

    /// Takes a whole number of units of `10^-places`.
    pub(crate) fn of_units(units: u128, places: u8) -> Self {
        let digits: Vec<u8> = units.to_string().bytes().map(|byte| byte - b'0').collect();
        // A u128 has at most 39 digits.
        let whole = i64::try_from(digits.len()).unwrap_or(i64::MAX);
        Self::normal(false, &digits, whole - i64::from(places))
    }

    fn normal(negative: bool, digits: &[u8], point: i64) -> Self {
        let leading = digits.iter().take_while(|digit| **digit == 0).count();
        let mut digits: Vec<u8> = digits.iter().skip(leading).copied().collect();
        while digits.last() == Some(&0) {
            digits.pop();
        }
        if digits.is_empty() {
            return Self {
                negative: false,
                digits,
                point: 0,
            };
        }
        let leading = i64::try_from(leading).unwrap_or(i64::MAX);
        Self {
            negative,
            digits,
            point: point.saturating_sub(leading),
        }
    }

    /// Returns whether the number is greater than zero.
    pub(crate) fn is_positive(&self) -> bool {
        !self.negative && !self.digits.is_empty()
    }

    /// Returns how many whole units of `10^-places` the number's size holds, and whether something
    /// is left over. A size that is too large is the largest number there is.
    pub(crate) fn units(&self, places: u8) -> (u128, bool) {
        let kept = self.kept(usize::from(places));
        let units = self
            .digits
            .iter()
            .chain(std::iter::repeat(&0))
            .take(kept)
            .try_fold(0_u128, |units, digit| {
                units.checked_mul(10)?.checked_add(u128::from(*digit))
            });
        (units.unwrap_or(u128::MAX), self.digits.len() > kept)
    }

    /// Writes the number's size with this many digits after the point, a half to the even
    /// neighbour.
    pub(crate) fn rounded(&self, places: usize) -> String {
        let kept = self.kept(places);
        let mut digits: Vec<u8> = self.digits.iter().copied().take(kept).collect();
        digits.resize(kept, 0);
        // A number whose first digit lies further behind than the first one left out is below a
        // half.
        let next_is_first = self.point >= -i64::try_from(places).unwrap_or(i64::MAX);
        let rest = self.digits.get(kept..).unwrap_or_default();
        let up = next_is_first
            && match rest {
                [] => false,
                [5] => digits.last().is_some_and(|digit| digit % 2 == 1),
                [first, ..] => *first >= 5,
            };
        if up {
            increment(&mut digits);
        }
        let missing = (places + 1).saturating_sub(digits.len());
        let mut text: String = std::iter::repeat_n(0, missing)
            .chain(digits)
            .map(|digit| char::from(b'0' + digit))
            .collect();
        if places > 0 {
            text.insert(text.len() - places, '.');
        }
        text
    }

    /// Writes the number's size exactly, with at least this many digits after the point.
    pub(crate) fn exact(&self, least: usize) -> String {
        let length = i64::try_from(self.digits.len()).unwrap_or(i64::MAX);
        let places = usize::try_from(length.saturating_sub(self.point)).unwrap_or(0);
        self.rounded(places.max(least))
    }

    /// Returns how many leading digits stand before the end of the given place.
    fn kept(&self, places: usize) -> usize {
        let places = i64::try_from(places).unwrap_or(i64::MAX);
        usize::try_from(self.point.saturating_add(places)).unwrap_or(0)
    }
}

fn without_sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

fn parse_exponent(text: &str) -> Option<i64> {
    let (negative, digits) = without_sign(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.bytes().fold(0, |size: i64, byte| {
        (size * 10 + i64::from(byte - b'0')).min(EXPONENT)
    });
    Some(if negative { -size } else { size })
}

/// Adds one to a number of decimal digits.
fn increment(digits: &mut Vec<u8>) {
    for digit in digits.iter_mut().rev() {
        if *digit < 9 {
            *digit += 1;
            return;
        }
        *digit = 0;
    }
    digits.insert(0, 1);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn reads_what_people_write() {
        let table = [
            ("0.5", "0.5"),
            (" 0.50\t", "0.5"),
            ("+0.5", "0.5"),
            (".5", "0.5"),
            ("5.", "5"),
            ("1e-3", "0.001"),
            ("1E+3", "1000"),
            ("12.5e1", "125"),
            ("0e999999999999999999999", "0"),
            ("-0", "0"),
            ("000.000", "0"),
            ("1e308", &format!("1{}", "0".repeat(308))),
        ];
        for (text, exact) in table {
            let number = Decimal::parse(text).unwrap_or_else(|| panic!("{text} is a number"));
            assert_eq!(number.exact(0), exact, "{text}");
            assert!(!number.negative, "{text}");
        }
        assert!(Decimal::parse("-1").unwrap().negative);
        assert!(!Decimal::parse("-1").unwrap().is_positive());
        assert!(Decimal::parse("1e-400").unwrap().is_positive());
        assert!(
            Decimal::parse("1e-99999999999999999999")
                .unwrap()
                .is_positive()
        );
    }

    #[test]
    fn refuses_what_is_no_number() {
        let texts = [
            "",
            " ",
            ".",
            "+",
            "-",
            "e5",
            "1e",
            "1e+",
            "--1",
            "+-1",
            "1.2.3",
            "1,5",
            "1_000",
            "0x10",
            "nan",
            "NaN",
            "inf",
            "-inf",
            "Infinity",
            "1e400",
            "1e99999999999999999999",
            "$1",
            "1 2",
            "1e1.5",
            "٣",
            "1f",
        ];
        for text in texts {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
        assert_eq!(Decimal::parse(&"9".repeat(5000)), None);
    }

    #[test]
    fn thousands_of_digits_are_kept() {
        let text = format!("0.5{}1", "0".repeat(5000));
        let number = Decimal::parse(&text).unwrap();
        assert_eq!(number.exact(0), text);
        assert_eq!(number.rounded(0), "1", "it is above the half");
        assert_eq!(number.units(3), (500, true));
    }

    #[test]
    fn a_half_goes_to_the_even_neighbour() {
        let table = [
            ("0.00005", "0.0000"),
            ("0.00015", "0.0002"),
            ("0.00025", "0.0002"),
            ("0.000250000001", "0.0003"),
            ("0.00004999", "0.0000"),
            ("0.000009", "0.0000"),
            ("0.99995", "1.0000"),
            ("9.99999", "10.0000"),
            ("0.5", "0.5000"),
            ("0", "0.0000"),
            ("123", "123.0000"),
            ("1e-400", "0.0000"),
        ];
        for (text, rounded) in table {
            assert_eq!(Decimal::parse(text).unwrap().rounded(4), rounded, "{text}");
        }
    }

    proptest! {
        /// Integers of 128 bits are the wider arithmetic that the digits are held against.
        #[test]
        fn agrees_with_integer_arithmetic(
            units in 0_u128..=u128::from(u64::MAX),
            written_places in 0_usize..=19,
            places in 0_u8..=12,
            shift in -30_i64..=30,
        ) {
            let digits = format!("{units:020}");
            let (whole, fraction) = digits.split_at(digits.len() - written_places);
            // The same number again, with its point moved and the exponent moved back.
            let plain = format!("{whole}.{fraction}");
            let number = Decimal::parse(&plain).unwrap();
            let shifted = Decimal::of_units(units, 0);
            let shifted = Decimal { point: shifted.point - shift, ..shifted };
            let written = format!("{}e{shift}", shifted.exact(0));
            prop_assert_eq!(Decimal::parse(&written).unwrap(), Decimal::of_units(units, 0));

            let scale = 10_u128.pow(u32::try_from(written_places).unwrap());
            let target = 10_u128.pow(u32::from(places));
            let product = units * target;
            prop_assert_eq!(
                number.units(places),
                (product / scale, !product.is_multiple_of(scale))
            );

            let (floor, rest) = (product / scale, product % scale);
            let up = rest * 2 > scale || (rest * 2 == scale && floor % 2 == 1);
            let nearest = floor + u128::from(up);
            let expected = if places == 0 {
                nearest.to_string()
            } else {
                let width = usize::from(places);
                format!("{}.{:0width$}", nearest / target, nearest % target)
            };
            prop_assert_eq!(number.rounded(usize::from(places)), expected);
            prop_assert_eq!(Decimal::parse(&number.exact(4)).unwrap(), number);
        }

        #[test]
        fn reads_anything_without_a_panic(text in "\\PC*") {
            if let Some(number) = Decimal::parse(&text) {
                number.rounded(4);
                number.units(15);
            }
        }

        #[test]
        fn reads_anything_like_a_number_without_a_panic(text in "[-+]?[0-9]{0,4}[.]?[0-9]{0,4}([eE][-+]?[0-9]{0,25})?") {
            if let Some(number) = Decimal::parse(&text) {
                number.rounded(4);
                number.units(15);
            }
        }
    }
}
