//! Finds in the JSON of an answer which contacts it names: by their ids, and by their addresses in any spelling. Another
//! address that contains one does not count: `ann@example.com` is part of `joann@example.com` and of `ann@example.com.au`.
//!
//! Where it is not clear whether an address of ASCII ends, as beside a letter that is not ASCII, it counts as the whole
//! address.

use std::collections::{HashMap, HashSet};

use unicode_normalization::char::is_combining_mark;
use uuid::Uuid;

use contact_hub_domain::email::{Email, MAX_EMAIL};
use contact_hub_domain::ids::ContactId;

/// What names a contact in an answer.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Names {
    pub(crate) id: ContactId,
    pub(crate) email: String,
}

/// The contacts that are looked for.
pub(super) struct Wanted {
    ids: HashSet<ContactId>,
    identities: HashMap<String, ContactId>,
}

impl Wanted {
    pub(super) fn of<'a>(names: impl Iterator<Item = &'a Names> + Clone) -> Self {
        let identity = |names: &Names| identity(names.email.clone());
        Self {
            ids: names.clone().map(|names| names.id).collect(),
            identities: names.map(|names| (identity(names), names.id)).collect(),
        }
    }

    /// The contacts that a text names.
    pub(super) fn named_in(&self, text: &str) -> HashSet<ContactId> {
        let ids = ids(text).map(ContactId::new).filter(|id| self.ids.contains(id));
        let with_address = addresses(text).filter_map(|it| self.identities.get(&identity(it)));
        ids.chain(with_address.copied()).collect()
    }
}

fn identity(address: String) -> String {
    Email::from_stored(address).identity().to_owned()
}

/// The ids in a text. Each begins with eight digits before its first hyphen.
fn ids(text: &str) -> impl Iterator<Item = Uuid> {
    text.match_indices('-').filter_map(|(hyphen, _)| {
        let start = hyphen.checked_sub(8)?;
        Uuid::try_parse(text.get(start..start + 36)?).ok()
    })
}

/// The most bytes that an address has in UTF-8.
const MAX_BYTES: usize = 4 * MAX_EMAIL;

/// The possible addresses in a text, valid or not.
fn addresses(text: &str) -> impl Iterator<Item = String> {
    text.match_indices('@').flat_map(|(at, sign)| {
        let domains = domains(text.get(at + sign.len()..).unwrap_or_default());
        let locals = local_parts(text.get(..at).unwrap_or_default());
        locals.into_iter().flatten().flat_map(move |local| {
            let domains = domains.into_iter().flatten();
            let bounded = domains.filter(move |it| local.len() + it.len() < MAX_BYTES);
            bounded.map(move |domain| format!("{local}@{domain}"))
        })
    })
}

/// The possible local parts at the end of a text (RFC 5322, atext, and the dot; RFC 6531): the longest one, the ones
/// after the last character that is not a letter and that is not ASCII, and the one after an escape of JSON.
fn local_parts(text: &str) -> [Option<&str>; 4] {
    let is_local =
        |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(c);
    let start = text.trim_end_matches(is_local).len();
    let (before, longest) = text.split_at_checked(start).unwrap_or_default();
    let after = |is_inside: fn(char) -> bool| {
        let start = longest.trim_end_matches(is_inside).len();
        longest.get(start..).filter(|_| start > 0)
    };
    let escaped = before.ends_with('\\').then(|| after_escape(longest)).flatten();
    [Some(longest), after(is_ascii_or_letter), after(|c| c.is_ascii()), escaped]
}

fn is_ascii_or_letter(c: char) -> bool {
    c.is_ascii() || c.is_alphanumeric() || is_combining_mark(c)
}

/// The rest of a text that begins with the letter of an escape.
fn after_escape(text: &str) -> Option<&str> {
    match text.strip_prefix('u') {
        Some(code) => code.get(4..),
        None => text.strip_prefix(['b', 'f', 'n', 'r', 't']),
    }
}

/// The possible domains at the start of a text: the longest one, and the ones before the first character that is not a letter
/// and that is not ASCII.
fn domains(text: &str) -> [Option<&str>; 3] {
    let is_domain = |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || ".-".contains(c);
    let end = text.find(|c| !is_domain(c)).unwrap_or(text.len());
    let longest = text.get(..end).unwrap_or_default();
    let before = |is_inside: fn(char) -> bool| {
        longest.find(|c| !is_inside(c)).and_then(|end| longest.get(..end))
    };
    let domains = [Some(longest), before(is_ascii_or_letter), before(|c| c.is_ascii())];
    domains.map(|domain| domain.map(|it| it.trim_end_matches('.')))
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::ids::ContactId;
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::{Names, Wanted};

    const ID: &str = "01931e3a-7c1f-7b4e-9d2a-0a1b2c3d4e5f";

    fn has(text: &str, address: &str) -> bool {
        let id = ContactId::new(Uuid::try_parse(ID).expect("an id"));
        let names = [Names { id, email: address.to_owned() }];
        Wanted::of(names.iter()).named_in(text).contains(&id)
    }

    #[test]
    fn all_spellings_of_an_address_are_found() {
        for text in [
            r#"{"email": "ünï@exämple.de"}"#,
            "Ünï@XN--EXMPLE-CUA.de",
            "u\u{308}ni\u{308}@exa\u{308}mple.de.",
            "ü ÜNÏ@exämple。de,",
            r"\nÜnï@exämple.de\n",
            r"\u0001Ünï@exämple.de",
        ] {
            assert!(has(text, "ünï@exämple.de"), "{text}");
        }
        for text in ["\u{212a}im@example.com", "kim@ｅｘａｍｐｌｅ.com", "kim@ex\u{ad}ample.com"]
        {
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

    #[test]
    fn ids_are_found_in_capital_and_small_letters() {
        for text in [ID.to_owned(), ID.to_uppercase(), format!("é-{ID}-{ID}"), format!("--{ID}x")]
        {
            assert!(has(&text, "ann@example.com"), "{text}");
        }
        let others = [ID.replace("5f", "50"), ID.replace("5f", "5"), ID.replace("01931", "1931")];
        for text in others.iter().map(String::as_str).chain(["-", "--------", "éééé-éééé"])
        {
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

        #[test]
        fn an_international_address_between_punctuation_is_found(
            before in "(\\PC*[ \"<>(),:;\\\\„（\u{a0}😀])?",
            after in "([ \"<>(),:;\\\\“）\u{a0}😀]\\PC*)?",
        ) {
            let text = format!("{before}ünï@exämple.de{after}");
            prop_assert!(has(&text, "Ünï@exämple.de"), "{}", text);
        }
    }
}
