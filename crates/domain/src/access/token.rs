//! The secret text of an API key.
//!
//! `hub_` identifies the service for secret scanners. 43 characters encode 256 random bits. The last 6 encode the
//! CRC-32 of the text before them, so that a mistyped token is rejected without a look-up.

use std::fmt;

use sha2::{Digest, Sha256};

const PREFIX: &str = "hub_";
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH: usize = 43;
const CHECKSUM_LENGTH: usize = 6;
const SHOWN_LENGTH: usize = 8;

/// A whole token. It exists only until it is hashed. Its `Debug` output does not contain it. Tokens cannot be compared,
/// only their hashes.
#[derive(Clone)]
pub struct Token(String);

/// The SHA-256 of a token, which is all that a store keeps. The token has 256 random bits, so no slow hash is needed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenHash([u8; 32]);

impl Token {
    /// Creates a token from 32 random bytes.
    #[must_use]
    pub fn from_random(bytes: [u8; 32]) -> Self {
        let body: String = PREFIX.chars().chain(base62::<RANDOM_LENGTH>(bytes)).collect();
        let checksum = checksum(&body);
        Self(body.chars().chain(checksum).collect())
    }

    /// Parses a token; `None` when the text cannot be one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let body_length = PREFIX.len() + RANDOM_LENGTH;
        let (body, sum) = text.split_at_checked(body_length)?;
        (body.starts_with(PREFIX) && sum.chars().eq(checksum(body))).then(|| Self(text.to_owned()))
    }

    /// The secret, to show it once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The first characters, by which people recognize the key.
    #[must_use]
    pub fn start(&self) -> &str {
        self.0.get(..SHOWN_LENGTH).unwrap_or_default()
    }

    /// The stored form.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash::of(&self.0)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl TokenHash {
    pub(super) fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }

    /// The hash as bytes, for stores.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(…)")
    }
}

fn checksum(body: &str) -> [char; CHECKSUM_LENGTH] {
    base62(crc32fast::hash(body.as_bytes()).to_be_bytes())
}

/// The bytes as a big-endian number in base 62, the highest digit first.
fn base62<const DIGITS: usize>(mut number: impl AsMut<[u8]>) -> [char; DIGITS] {
    let mut digits = ['0'; DIGITS];
    for place in digits.iter_mut().rev() {
        let remainder = number.as_mut().iter_mut().fold(0_u32, |carry, byte| {
            let current = carry * 256 + u32::from(*byte);
            *byte = u8::try_from(current / 62).unwrap_or(u8::MAX);
            current % 62
        });
        let digit = usize::try_from(remainder).ok().and_then(|at| ALPHABET.get(at));
        *place = char::from(*digit.unwrap_or(&b'0'));
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::{Token, base62};

    #[test]
    fn writes_base_62() {
        assert_eq!(base62([0]), ['0', '0']);
        assert_eq!(base62([61]), ['0', 'z']);
        assert_eq!(base62([1, 0]), ['4', '8']);
        assert_eq!(base62(u32::MAX.to_be_bytes()), ['4', 'g', 'f', 'F', 'C', '3']);
    }

    #[test]
    fn only_parses_what_it_generated() {
        let token = Token::from_random([7; 32]);
        let text = token.reveal();
        assert_eq!(Token::parse(text).expect("a token").reveal(), text);
        assert_eq!(text.len(), 53);
        assert_eq!(format!("{token:?} {:?}", token.hash()), "Token(…) TokenHash(…)");
        for at in 0..text.len() {
            let mut mistyped = text.to_owned();
            let other = if text.as_bytes()[at] == b'x' { "y" } else { "x" };
            mistyped.replace_range(at..=at, other);
            assert!(Token::parse(&mistyped).is_none(), "{at}");
        }
        for other in ["", "hub_", "é", &format!("{text}0"), &"é".repeat(40)] {
            assert!(Token::parse(other).is_none());
        }
    }
}
