//! The headers of an attempt's request and of its answer.

/// The maximum number of headers that are kept of a request or an answer.
const MAX: usize = 40;

/// The maximum number of bytes of all names and values together, and of one value.
const MAX_BYTES: usize = 4096;
const MAX_OF_VALUE: usize = 512;

/// Parts of the names of headers that may have secrets, which are not kept.
const SECRET: [&str; 6] = ["cookie", "auth", "token", "secret", "key", "session"];

/// Names and values in their order. Those of an answer are untrusted text: they may be shown, but never rendered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers(Vec<(String, String)>);

impl Headers {
    /// Takes the first headers, without those that may have secrets. Long values are cut off; control characters and
    /// invalid UTF-8 become U+FFFD.
    pub fn kept<'a>(headers: impl Iterator<Item = (&'a str, &'a [u8])>) -> Self {
        let is_secret = |name: &str| {
            let name = name.to_lowercase();
            SECRET.iter().any(|part| name.contains(part))
        };
        let mut left = MAX_BYTES;
        let kept =
            headers.filter(|(name, _)| !is_secret(name)).take(MAX).map_while(|(name, value)| {
                let value = shown(value.get(..MAX_OF_VALUE).unwrap_or(value));
                left = left.checked_sub(name.len() + value.len())?;
                Some((name.to_owned(), value))
            });
        Self(kept.collect())
    }

    /// Restores headers from a store.
    #[must_use]
    pub const fn from_stored(headers: Vec<(String, String)>) -> Self {
        Self(headers)
    }

    /// The names and values.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn shown(value: &[u8]) -> String {
    String::from_utf8_lossy(value).replace(|letter: char| letter.is_control(), "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::{Headers, MAX, MAX_BYTES, MAX_OF_VALUE};

    fn kept(headers: &[(&str, &[u8])]) -> Vec<(String, String)> {
        let kept = Headers::kept(headers.iter().copied());
        kept.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    #[test]
    fn headers_that_may_contain_secrets_are_omitted() {
        let headers: [(&str, &[u8]); 6] = [
            ("Set-Cookie", b"a=b"),
            ("content-type", b"text/plain"),
            ("WWW-Authenticate", b"Bearer"),
            ("x-api-key", b"k"),
            ("x-session-id", b"s"),
            ("x-request-id", b"a\xff\x01b"),
        ];
        let owned = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            kept(&headers),
            [owned("content-type", "text/plain"), owned("x-request-id", "a\u{fffd}\u{fffd}b")]
        );
    }

    #[test]
    fn headers_are_bounded() {
        let long = vec![b'x'; MAX_OF_VALUE + 1];
        let many: Vec<(&str, &[u8])> = vec![("a", b"b"); MAX + 1];
        assert_eq!(kept(&many).len(), MAX);
        assert_eq!(kept(&[("a", &long)])[0].1.len(), MAX_OF_VALUE);
        let much: Vec<(&str, &[u8])> = vec![("a", &long); MAX];
        assert_eq!(kept(&much).len(), MAX_BYTES / (MAX_OF_VALUE + 1));
    }
}
