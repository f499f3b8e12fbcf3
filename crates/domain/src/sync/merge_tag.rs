//! Merge tags: a name and an optional fallback.

use std::fmt;

use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};
use unicode_normalization::UnicodeNormalization;

use crate::fields::{FieldKey, MAX_KEY};
use crate::text;

const FIELD_PREFIX: &str = "field:";

/// The variable of a tag.
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
    /// Every name but those of fields.
    pub const ATTRIBUTES: [Self; 5] =
        [Self::FirstName, Self::LastName, Self::Email, Self::UnsubscribeUrl, Self::ViewOnlineUrl];

    /// Parses a name, such as `first_name` or `field:jobTitle`.
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

    /// Restores a name from a store, without validation.
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

/// A tag: a variable and an optional fallback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeTag {
    name: MergeTagName,
    fallback: Option<String>,
}

impl MergeTag {
    /// The variable.
    #[must_use]
    pub const fn name(&self) -> &MergeTagName {
        &self.name
    }

    /// The fallback for a missing value: not empty, without `{{` and `}}`, and not ending in a brace.
    #[must_use]
    pub fn fallback(&self) -> Option<&str> {
        self.fallback.as_deref()
    }

    /// Parses the text between the braces, which contains neither `{{` nor `}}`.
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
        fn every_derived_key_can_be_used_in_a_tag(name in "\\PC{1,40}") {
            if let Ok(key) = FieldKey::derive(&name) {
                let written = format!("field:{key}");
                prop_assert_eq!(MergeTagName::parse(&written), Some(MergeTagName::Field(key)));
            }
        }
    }
}
