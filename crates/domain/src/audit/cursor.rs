//! Where a page of the audit continues.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::changes::Position;
use crate::time::Timestamp;

const CHECKSUM: usize = 4;

/// The place of an entry among those of its company, the newest first.
///
/// The text has a checksum, so that a damaged one is not mistaken for another place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuditCursor {
    /// When it was written.
    pub at: Timestamp,
    /// Tells apart the entries of one moment. It is also the entry's id.
    pub position: Position,
}

impl AuditCursor {
    /// Reads the text of a cursor.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (at, position) = text.split_once('.')?;
        let bytes = URL_SAFE_NO_PAD.decode(at).ok()?;
        let (at, sum) = bytes.split_first_chunk()?;
        let at = Timestamp::from_micros(i64::from_be_bytes(*at))?;
        let cursor = Self { at, position: Position::parse(position)? };
        (sum == cursor.checksum()).then_some(cursor)
    }

    /// That of the moment, beside the position, which has one of its own.
    fn checksum(self) -> [u8; CHECKSUM] {
        let whole = format!("{}.{}", self.at.micros(), self.position);
        crc32fast::hash(whole.as_bytes()).to_be_bytes()
    }
}

impl fmt::Display for AuditCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = [self.at.micros().to_be_bytes().as_slice(), &self.checksum()].concat();
        let at = URL_SAFE_NO_PAD.encode(at);
        write!(f, "{at}.{}", self.position)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::AuditCursor;
    use crate::changes::Position;
    use crate::time::Timestamp;

    #[test]
    fn a_cursor_survives_a_round_trip_and_other_texts_are_refused() {
        let position = Position { number: 7, ordinal: 1 };
        let cursor = AuditCursor { at: Timestamp::MIN, position };
        assert_eq!(AuditCursor::parse(&cursor.to_string()), Some(cursor));
        for text in ["", ".", "x", "AAAA.AAAA", &position.to_string(), &format!("{cursor}A")] {
            assert_eq!(AuditCursor::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_damaged_text_is_no_cursor(micros in 0..i64::from(i32::MAX), number: i64, place in 0..39_usize, other in "[A-Za-z0-9_-]") {
            let at = Timestamp::from_micros(micros).expect("a moment");
            let text = AuditCursor { at, position: Position { number, ordinal: 1 } }.to_string();
            let mut damaged = text.clone();
            damaged.replace_range(place..=place, &other);
            prop_assert_eq!(AuditCursor::parse(&damaged).is_some(), damaged == text);
        }
    }
}
