//! Comparison of secrets.

use subtle::ConstantTimeEq as _;

/// Whether two tokens are equal, in constant time.
pub(crate) fn is_equal(a: &str, b: &str) -> bool {
    a.as_bytes().ct_eq(b.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::is_equal;

    #[test]
    fn only_the_same_token_is_equal() {
        assert!(is_equal("a token", "a token") && is_equal("", ""));
        for (one, other) in [("a token", "a toker"), ("a token", "a"), ("", "x"), ("x", "")] {
            assert!(!is_equal(one, other), "{one:?} {other:?}");
        }
    }
}
