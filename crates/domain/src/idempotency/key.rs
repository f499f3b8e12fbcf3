//! The key by which a client marks a call that it may repeat.

use crate::violations::Problem;

/// The longest key, in characters.
pub const MAX_IDEMPOTENCY_KEY: usize = 255;

/// A key: 1 to [`MAX_IDEMPOTENCY_KEY`] visible ASCII characters. It is compared exactly.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// Reads a key.
    pub fn parse(bytes: &[u8]) -> Result<Self, Problem> {
        let is_visible = bytes.iter().all(u8::is_ascii_graphic);
        let text = std::str::from_utf8(bytes).ok();
        text.filter(|_| is_visible && (1..=MAX_IDEMPOTENCY_KEY).contains(&bytes.len()))
            .map(|text| Self(text.to_owned()))
            .ok_or_else(|| {
                Problem::new(format!(
                    "must be 1 to {MAX_IDEMPOTENCY_KEY} visible ASCII characters, and be sent once"
                ))
            })
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::IdempotencyKey;

    #[test]
    fn accepts_visible_ascii_of_bounded_length() {
        for text in ["a", "~!\"8e03978e\"", &"k".repeat(255)] {
            assert_eq!(IdempotencyKey::parse(text.as_bytes()).expect(text).as_str(), text);
        }
        for text in ["", " ", "a b", "a\tb", "ä", "a\u{7f}", &"k".repeat(256)] {
            assert!(IdempotencyKey::parse(text.as_bytes()).is_err(), "{text:?}");
        }
    }
}
