//! The places of entries in a feed, which clients send back as cursors.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

const CHECKSUM: usize = 4;

/// The place of an entry among those of its company. Later entries have greater positions.
///
/// The text has a checksum, so that a damaged one is not mistaken for another place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The number of the transaction, which increases in the order in which entries become visible.
    pub number: i64,
    /// The place within the transaction, from 0.
    pub ordinal: i32,
}

impl Position {
    /// Reads the text of a position.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (number, rest) = bytes.split_first_chunk()?;
        let (ordinal, sum) = rest.split_first_chunk()?;
        let position =
            Self { number: i64::from_be_bytes(*number), ordinal: i32::from_be_bytes(*ordinal) };
        (sum == position.checksum()).then_some(position)
    }

    fn bytes(self) -> Vec<u8> {
        [&self.number.to_be_bytes()[..], &self.ordinal.to_be_bytes()[..]].concat()
    }

    fn checksum(self) -> [u8; CHECKSUM] {
        crc32fast::hash(&self.bytes()).to_be_bytes()
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [self.bytes().as_slice(), &self.checksum()].concat();
        f.write_str(&URL_SAFE_NO_PAD.encode(bytes))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Position;

    proptest! {
        #[test]
        fn a_text_identifies_one_position_and_a_damaged_text_none(number: i64, ordinal: i32, place in 0..22_usize, other in "[A-Za-z0-9_-]") {
            let position = Position { number, ordinal };
            let text = position.to_string();
            prop_assert_eq!(Position::parse(&text), Some(position));
            let mut damaged = text.clone();
            damaged.replace_range(place..=place, &other);
            prop_assert_eq!(Position::parse(&damaged).is_some(), damaged == text);
            let cut: String = text.chars().take(place).collect();
            prop_assert_eq!(Position::parse(&cut), None);
            prop_assert_eq!(Position::parse(&format!("{text}A")), None);
        }
    }
}
