//! The values that a form showed when it was opened. They come back with it as digests, so that saving changes only what was
//! edited: other people may have changed the rest in the meantime.

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};
use url::form_urlencoded::{Serializer, parse};

/// The hidden field with the digests.
pub(super) const SEEN: &str = "seen_values";

/// How many bytes of a digest are kept. Two texts of one field with equal digests are not expected.
const DIGEST: usize = 8;

/// The digests of these values by the name of their field. Fields without a value are left out.
pub(super) fn digests(values: &[(String, String)]) -> String {
    let mut names: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let mut digests = Serializer::new(String::new());
    // A form without any value differs from a form that does not send this.
    digests.append_pair("", "");
    for name in names {
        let of_name = values.iter().filter(|(known, _)| known == name).map(|(_, it)| it.as_str());
        if let Some(digest) = digest(of_name) {
            digests.append_pair(name, &digest);
        }
    }
    digests.finish()
}

/// The digests of some of the fields.
pub(super) fn of_fields(digests: &str, is_kept: impl Fn(&str) -> bool) -> String {
    let all = parse(digests.as_bytes());
    let kept = all.filter(|(name, _)| name.is_empty() || is_kept(name));
    Serializer::new(String::new()).extend_pairs(kept).finish()
}

/// The digests that a form sent back, parsed once: a form may have thousands of fields.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeenValues(Option<HashMap<String, String>>);

impl SeenValues {
    /// Parses the hidden field; without it nothing was shown.
    pub(super) fn parse(digests: &str) -> Self {
        let all = || parse(digests.as_bytes()).into_owned().collect();
        Self((!digests.is_empty()).then(all))
    }

    /// Whether the form showed other values of the field than these. Without digests it did.
    pub(crate) fn differ<'a>(&self, name: &str, values: impl Iterator<Item = &'a str>) -> bool {
        self.0.as_ref().is_none_or(|seen| seen.get(name) != digest(values).as_ref())
    }

    /// Whether the field has other values by now than the form showed, which are these. Without digests that is not known.
    pub(crate) fn are_outdated<'a>(
        &self,
        name: &str,
        current: impl Iterator<Item = &'a str>,
    ) -> bool {
        self.0.is_some() && self.differ(name, current)
    }
}

/// The digest of the values of a field; `None` when all of them are empty. Browsers send each line break as CR LF.
fn digest<'a>(values: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut hash = Sha256::new();
    let (mut has_value, mut empty) = (false, 0_usize);
    for value in values {
        if value.is_empty() {
            empty += 1;
            continue;
        }
        let text = value.replace("\r\n", "\n").replace('\r', "\n");
        // Empty values count if another one follows: they have places in a list.
        hash.update(format!("{empty} {}\n", text.len()));
        hash.update(text);
        (has_value, empty) = (true, 0);
    }
    let digest = hash.finalize();
    has_value.then(|| hex::encode(digest.iter().copied().take(DIGEST).collect::<Vec<u8>>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_field_is_edited_when_other_values_are_sent_than_were_shown() {
        let shown = digests(&values(&[
            ("name", "Ann"),
            ("note", "a\r\nb\rc"),
            ("tag", ""),
            ("tag", "x"),
            ("empty", ""),
        ]));
        let shown = SeenValues::parse(&shown);
        let edited = |name: &str, sent: &[&str]| shown.differ(name, sent.iter().copied());
        for (name, sent) in [
            ("name", &["Ann"][..]),
            ("note", &["a\nb\nc"]),
            ("tag", &["", "x", "", ""]),
            ("empty", &[""]),
            ("empty", &[]),
            ("other", &[]),
        ] {
            assert!(!edited(name, sent), "{name}: {sent:?}");
        }
        for (name, sent) in [
            ("name", &["Anna"][..]),
            ("name", &[""]),
            ("name", &[]),
            ("note", &["a\nb\nc "]),
            ("tag", &["x", ""]),
            ("tag", &["", "x", "y"]),
            ("empty", &["a"]),
            ("other", &["a"]),
        ] {
            assert!(edited(name, sent), "{name}: {sent:?}");
        }
    }

    #[test]
    fn without_digests_every_field_is_edited_and_with_those_of_nothing_none() {
        assert!(SeenValues::parse("").differ("name", ["Ann"].into_iter()));
        assert!(SeenValues::parse("").differ("name", std::iter::empty()));
        assert!(!SeenValues::parse(&digests(&[])).differ("name", [""].into_iter()));
    }
}
