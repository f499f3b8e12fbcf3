//! Decimal numbers that keep their spelling and are compared by value.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use compact_str::CompactString;

use crate::violations::Problem;

/// The maximum number of digits that a number may be written with.
pub const MAX_DIGITS: usize = 1000;

/// The largest exponent that a number may be written with, in either direction.
pub const MAX_EXPONENT: i32 = 400;

/// A finite decimal number in its JSON spelling (RFC 8259, section 6). All spellings of a number are equal. Most values
/// are only read and shown, so the digits are parsed when two spellings are compared.
#[derive(Clone, Debug)]
pub struct Number(CompactString);

/// Sign, magnitude and digits: `0.d1d2d3… × 10^magnitude`, without leading or trailing zeros; zero has no digits.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Decimal {
    negative: bool,
    magnitude: i32,
    digits: Vec<u8>,
}

impl Number {
    /// Parses a number in JSON's spelling. Minus zero becomes zero.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let parts = Parts::split(text).ok_or_else(|| Problem::new("must be a finite number"))?;
        if parts.whole.len() + parts.fraction.len() > MAX_DIGITS {
            return Err(Problem::new(format!("must have at most {MAX_DIGITS} digits")));
        }
        let exponent = parts.exponent_value().filter(|exponent| exponent.abs() <= MAX_EXPONENT);
        if exponent.is_none() {
            return Err(Problem::new(format!("must have an exponent within ±{MAX_EXPONENT}")));
        }
        Ok(Self::new(text, &parts))
    }

    /// Restores a number of any size from a store; `None` when it is not a number.
    #[must_use]
    pub fn from_stored(text: &str) -> Option<Self> {
        let parts = Parts::split(text)?;
        parts.exponent_value()?;
        Some(Self::new(text, &parts))
    }

    fn new(text: &str, parts: &Parts<'_>) -> Self {
        let is_zero = parts.digits().all(|digit| digit == b'0');
        Self(if is_zero { text.trim_start_matches('-') } else { text }.into())
    }

    /// Whether it has neither a fraction nor an exponent, so that it has no other spelling without them.
    fn is_plain(&self) -> bool {
        self.0.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit())
    }

    fn decimal(&self) -> Decimal {
        let parsed = Parts::split(&self.0).and_then(|it| Some((it.exponent_value()?, it)));
        parsed.map_or_else(Decimal::zero, |(exponent, parts)| Decimal::of(&parts, exponent))
    }

    /// The number as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Bytes that compare as the numbers do.
    #[must_use]
    pub fn sort_key(&self) -> Vec<u8> {
        self.decimal().sort_key()
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        if self.0 == other.0 {
            return true;
        }
        let are_plain = self.is_plain() && other.is_plain();
        !are_plain && self.decimal() == other.decimal()
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sort_key().cmp(&other.sort_key())
    }
}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.sort_key().hash(state);
    }
}

struct Parts<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    exponent: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn split(text: &'a str) -> Option<Self> {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (unsigned, None),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (mantissa, None),
        };
        let leading_zero = whole.len() > 1 && whole.starts_with('0');
        let well_formed = is_digits(whole) && !leading_zero && fraction.is_none_or(is_digits);
        well_formed.then_some(Self { negative, whole, fraction: fraction.unwrap_or(""), exponent })
    }

    fn digits(&self) -> impl Iterator<Item = u8> {
        self.whole.bytes().chain(self.fraction.bytes())
    }

    /// The exponent; `None` when it does not fit.
    fn exponent_value(&self) -> Option<i32> {
        let Some(text) = self.exponent else {
            return Some(0);
        };
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        is_digits(digits).then(|| text.parse().ok()).flatten()
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl Decimal {
    const fn zero() -> Self {
        Self { negative: false, magnitude: 0, digits: Vec::new() }
    }

    fn of(parts: &Parts<'_>, exponent: i32) -> Self {
        let leading = parts.digits().take_while(|digit| *digit == b'0').count();
        let mut digits = Vec::with_capacity(parts.whole.len() + parts.fraction.len() - leading);
        digits.extend(parts.digits().skip(leading));
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        if digits.is_empty() {
            return Self::zero();
        }
        let count = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
        let magnitude =
            exponent.saturating_add(count(parts.whole.len())).saturating_sub(count(leading));
        Self { negative: parts.negative, magnitude, digits }
    }

    /// A sign byte, the magnitude in big-endian order, the digits and an end byte; all but the sign byte complemented
    /// for a negative number, so that a larger magnitude sorts lower.
    fn sort_key(&self) -> Vec<u8> {
        const NEGATIVE: u8 = 0;
        const ZERO: u8 = 1;
        const POSITIVE: u8 = 2;
        const OFFSET: i32 = 0x4000;
        if self.digits.is_empty() {
            return vec![ZERO];
        }
        let magnitude = self.magnitude.saturating_add(OFFSET).clamp(0, u16::MAX.into());
        let magnitude = u16::try_from(magnitude).unwrap_or(u16::MAX).to_be_bytes();
        let body = magnitude.into_iter().chain(self.digits.iter().copied()).chain([0]);
        if self.negative {
            std::iter::once(NEGATIVE).chain(body.map(|byte| !byte)).collect()
        } else {
            std::iter::once(POSITIVE).chain(body).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Number;

    fn number(text: &str) -> Number {
        Number::parse(text).expect(text)
    }

    #[test]
    fn keeps_the_spelling_and_normalises_minus_zero() {
        for text in
            ["0", "12.50", "1e400", "1E-400", "123456789012345678901234567890.123456789", "-5.0e+3"]
        {
            assert_eq!(number(text).as_str(), text);
        }
        assert_eq!(number("-0").as_str(), "0");
        assert_eq!(number("-0.00e5").as_str(), "0.00e5");
    }

    #[test]
    fn compares_by_numeric_value() {
        assert_eq!(number("5"), number("5.0"));
        assert_eq!(number("1e2"), number("100"));
        assert_eq!(number("0.001"), number("1e-3"));
        assert_eq!(number("-0"), number("0e7"));
        let ascending = [
            "-1e400", "-10", "-9.99", "-1", "-0.5", "-1e-400", "0", "1e-400", "0.05", "0.5",
            "0.51", "9", "10", "1e400",
        ];
        for pair in ascending.windows(2) {
            assert!(number(pair[0]) < number(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn rejects_invalid_json_numbers_and_numbers_that_are_too_large() {
        for text in [
            "",
            "-",
            "01",
            "1.",
            ".5",
            "+1",
            "1e",
            "1e+",
            "NaN",
            "0x1",
            "1 ",
            "１",
            "1e401",
            "1e-401",
            "1e99999999999",
        ] {
            assert!(Number::parse(text).is_err(), "{text}");
        }
        assert!(Number::parse(&"9".repeat(1000)).is_ok());
        assert!(Number::parse(&"9".repeat(1001)).is_err());
        assert!(Number::parse(&format!("0.{}", "0".repeat(1000))).is_err());
    }

    proptest! {
        #[test]
        fn orders_as_floating_point_does_where_that_is_exact(a in -1_000_000_i32..1_000_000, b in -1_000_000_i32..1_000_000, shift in 0_u8..7) {
            let text = |n: i32| format!("{n}e-{shift}");
            prop_assert_eq!(number(&text(a)).cmp(&number(&text(b))), a.cmp(&b));
        }

        #[test]
        fn equal_numbers_have_equal_keys_and_others_do_not(a in "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,2})?(e-?[0-3])?", b in "-?(0|[1-9][0-9]{0,3})(\\.0)?(e[0-2])?") {
            let (a, b) = (number(&a), number(&b));
            prop_assert_eq!(a == b, a.sort_key() == b.sort_key());
        }
    }
}
