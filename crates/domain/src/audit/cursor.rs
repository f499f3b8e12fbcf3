//! Where a page of the audit continues.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::changes::Position;
use crate::time::Timestamp;

/// The place of an entry among those of its company, the newest first.
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
        let at = URL_SAFE_NO_PAD.decode(at).ok()?.try_into().ok()?;
        let at = Timestamp::from_micros(i64::from_be_bytes(at))?;
        Some(Self { at, position: Position::parse(position)? })
    }
}

impl fmt::Display for AuditCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = URL_SAFE_NO_PAD.encode(self.at.micros().to_be_bytes());
        write!(f, "{at}.{}", self.position)
    }
}

#[cfg(test)]
mod tests {
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
}
