//! Finds an email address in the JSON of an answer, in any spelling, but not in another address that contains it:
//! `ann@example.com` is part of `joann@example.com` and of `ann@example.com.au`.
//!
//! Where it is not clear whether an address ends, as beside a character that is not ASCII, it counts as the whole address.

use contact_hub_domain::email::{Email, MAX_EMAIL};

/// The most bytes that an address has in UTF-8.
const MAX_BYTES: usize = 4 * MAX_EMAIL;

/// Whether the text has an address with this [identity](Email::identity).
pub(super) fn has_address(text: &str, identity: &str) -> bool {
    text.match_indices('@').any(|(at, sign)| {
        let (before, domain) = (text.get(..at), text.get(at + sign.len()..));
        let (before, domain) = (before.unwrap_or_default(), domain.unwrap_or_default());
        let ends = ends(domain);
        starts(before).any(|local| ends.iter().any(|domain| is_same(local, domain, identity)))
    })
}

fn is_same(local: &str, domain: &str, identity: &str) -> bool {
    local.len() + domain.len() <= MAX_BYTES
        && Email::from_stored(format!("{local}@{domain}")).identity() == identity
}

/// The possible local parts at the end of a text (RFC 5322, atext, and the dot; RFC 6531): the longest one, the one
/// after the last character that is not ASCII, and the one after an escape of JSON.
fn starts(text: &str) -> impl Iterator<Item = &str> {
    let is_local =
        |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(c);
    let longest = text.trim_end_matches(is_local).len();
    let (before, longest) = text.split_at_checked(longest).unwrap_or_default();
    let ascii = longest.trim_end_matches(|c: char| c.is_ascii()).len();
    let escaped = before.ends_with('\\').then(|| after_escape(longest)).flatten();
    [Some(longest), longest.get(ascii..), escaped].into_iter().flatten()
}

/// The rest of a text that begins with the letter of an escape.
fn after_escape(text: &str) -> Option<&str> {
    match text.strip_prefix('u') {
        Some(code) => code.get(4..),
        None => text.strip_prefix(['b', 'f', 'n', 'r', 't']),
    }
}

/// The possible domains at the start of a text: the longest one, and the one before the first character that is not ASCII.
fn ends(text: &str) -> [&str; 2] {
    let is_domain = |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || ".-".contains(c);
    let until = |end: Option<usize>| end.and_then(|end| text.get(..end)).unwrap_or(text);
    let longest = until(text.find(|c| !is_domain(c)));
    let ascii = until(text.find(|c: char| !is_domain(c) || !c.is_ascii()));
    [longest, ascii].map(|domain| domain.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::email::Email;
    use proptest::prelude::*;

    use super::has_address;

    fn has(text: &str, address: &str) -> bool {
        has_address(text, Email::from_stored(address.to_owned()).identity())
    }

    #[test]
    fn all_spellings_of_an_address_are_found() {
        for text in [
            r#"{"email": "ünï@exämple.de"}"#,
            "Ünï@XN--EXMPLE-CUA.de",
            "u\u{308}ni\u{308}@exa\u{308}mple.de.",
            "ü\u{feff} ÜNÏ@exämple。de,",
            r"\nÜnï@exämple.de\n",
            r"\u0001Ünï@exämple.de",
        ] {
            assert!(has(text, "ünï@exämple.de"), "{text}");
        }
        for text in ["\u{212a}im@example.com", "kim@ｅｘａｍｐｌｅ.com", "kim@ex\u{ad}ample.com"] {
            assert!(has(text, "kim@example.com"), "{text}");
        }
    }

    #[test]
    fn other_addresses_that_contain_it_are_not() {
        for text in [
            "",
            "@",
            "joann@example.com ann@example.com.au",
            "ann@example.community",
            "j.ann@example.com",
            "-ann@example.com",
            "ann@@example.com",
            "ann @example.com",
            "ann@exämple.com",
        ] {
            assert!(!has(text, "ann@example.com"), "{text}");
        }
    }

    proptest! {
        #[test]
        fn an_address_between_any_other_characters_is_found(
            before in "(\\PC*[ \"<>(),:;\\\\]|\\PC*[äß例😀])?",
            after in "([ \"<>(),:;\\\\äß例😀]\\PC*)?",
        ) {
            let text = format!("{before}ann@example.com{after}");
            prop_assert!(has(&text, "Ann@example.com"), "{}", text);
        }
    }
}
