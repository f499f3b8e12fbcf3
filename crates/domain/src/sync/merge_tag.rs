//! What a merge tag is: a name, and what to show where there is nothing.

use std::fmt;

use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};
use unicode_normalization::UnicodeNormalization;

use crate::fields::{FieldKey, MAX_KEY};
use crate::text;

const FIELD_PREFIX: &str = "field:";

/// What a tag stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MergeTagName {
    /// The contact's first name.
    FirstName,
    /// The contact's last name.
    LastName,
    /// The contact's email address.
    Email,
    /// The contact's value for a field. The field need not exist.
    Field(FieldKey),
    /// The address under which the contact unsubscribes.
    UnsubscribeUrl,
    /// The address under which the email is seen in a browser.
    ViewOnlineUrl,
}

impl MergeTagName {
    /// Reads a name as it stands in a tag, such as `first_name` or `field:jobTitle`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "first_name" => Some(Self::FirstName),
            "last_name" => Some(Self::LastName),
            "email" => Some(Self::Email),
            "unsubscribe_url" => Some(Self::UnsubscribeUrl),
            "view_online_url" => Some(Self::ViewOnlineUrl),
            _ => text.strip_prefix(FIELD_PREFIX).and_then(field_key).map(Self::Field),
        }
    }

    /// Takes a name that a store kept.
    #[must_use]
    pub fn from_stored(text: &str) -> Option<Self> {
        match text.strip_prefix(FIELD_PREFIX) {
            Some(key) => Some(Self::Field(FieldKey::from_stored(key.to_owned()))),
            None => Self::parse(text),
        }
    }
}

impl fmt::Display for MergeTagName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FirstName => f.write_str("first_name"),
            Self::LastName => f.write_str("last_name"),
            Self::Email => f.write_str("email"),
            Self::Field(key) => write!(f, "{FIELD_PREFIX}{key}"),
            Self::UnsubscribeUrl => f.write_str("unsubscribe_url"),
            Self::ViewOnlineUrl => f.write_str("view_online_url"),
        }
    }
}

/// The key in the normal form that derived keys have.
fn field_key(text: &str) -> Option<FieldKey> {
    let text = text::bounded(text, MAX_KEY).ok()?;
    let categories = CodePointMapData::<GeneralCategory>::new();
    let in_keys = GeneralCategoryGroup::Letter
        .union(GeneralCategoryGroup::Mark)
        .union(GeneralCategoryGroup::Number);
    let is_key = !text.is_empty() && text.chars().all(|c| in_keys.contains(categories.get(c)));
    is_key.then(|| FieldKey::from_stored(text.nfc().collect()))
}

/// A tag: what it stands for, and what to show where there is nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeTag {
    name: MergeTagName,
    fallback: Option<String>,
}

impl MergeTag {
    /// What the tag stands for.
    #[must_use]
    pub const fn name(&self) -> &MergeTagName {
        &self.name
    }

    /// What to show where there is nothing: not empty, without `{{` and `}}`, and not ending in a brace.
    #[must_use]
    pub fn fallback(&self) -> Option<&str> {
        self.fallback.as_deref()
    }

    /// Reads what stands between the braces and has no two like braces in a row.
    pub(super) fn read(inside: &str) -> Option<Self> {
        let (name, fallback) = match inside.split_once('|') {
            Some((name, fallback)) => (name, text::trimmed(fallback)),
            None => (inside, ""),
        };
        if fallback.ends_with(is_brace) {
            return None;
        }
        Some(Self {
            name: MergeTagName::parse(text::trimmed(name))?,
            fallback: Some(fallback.to_owned()).filter(|fallback| !fallback.is_empty()),
        })
    }
}

const fn is_brace(c: char) -> bool {
    matches!(c, '{' | '}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::MergeTagName;
    use crate::fields::FieldKey;

    proptest! {
        #[test]
        fn every_derived_key_can_stand_in_a_tag(name in "\\PC{1,40}") {
            if let Ok(key) = FieldKey::derive(&name) {
                let written = format!("field:{key}");
                prop_assert_eq!(MergeTagName::parse(&written), Some(MergeTagName::Field(key)));
            }
        }
    }
}
