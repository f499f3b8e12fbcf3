//! How a field's key is derived from its name.
//!
//! Words are runs of letters, marks and numbers in the NFKC form without default-ignorable characters. An apostrophe
//! inside a word is removed; any other character separates words. The first word is in lower case, and each further one
//! starts with an upper-case character. A run has no inner boundaries: `JobTitle` is one word.

use std::borrow::Borrow;
use std::fmt;

use compact_str::CompactString;
use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory, GeneralCategoryGroup};
use icu_properties::{CodePointMapData, CodePointSetData};
use unicode_normalization::UnicodeNormalization;

use crate::text;
use crate::violations::Problem;

/// The longest key, in code points.
pub const MAX_KEY: usize = 255;

/// Names a field inside its directory. It has only letters, marks and numbers, so it never contains a dot.
///
/// Each value of a contact has a copy. A short key is copied without an allocation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldKey(CompactString);

impl FieldKey {
    /// Derives the key of a display name. Rejected when the name has no word or the key is too long.
    pub fn derive(name: &str) -> Result<Self, Problem> {
        let words = words(name);
        let Some((first, rest)) = words.split_first() else {
            return Err(Problem::new("must contain a letter or a digit"));
        };
        let camel: String = std::iter::once(first.to_lowercase())
            .chain(rest.iter().map(|word| capitalised(word)))
            .collect();
        let key: String = camel.nfc().collect();
        text::bounded(&key, MAX_KEY).map_err(|_too_long| {
            Problem::new(format!("gives a key of more than {MAX_KEY} characters"))
        })?;
        Ok(Self(key.into()))
    }

    /// Restores a key from a store, without validation.
    #[must_use]
    pub fn from_stored(key: String) -> Self {
        Self(key.into())
    }

    /// The key.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for FieldKey {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FieldKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn words(name: &str) -> Vec<String> {
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    // NFKC can produce ignorable characters from compatibility characters, so they are removed after it.
    let characters: Vec<char> = name.nfkc().filter(|c| !ignorable.contains(*c)).collect();
    let mut words = Vec::new();
    let mut word = String::new();
    for (position, character) in characters.iter().enumerate() {
        let next = characters.get(position + 1).copied();
        if is_word_character(*character) {
            word.push(*character);
        } else if is_apostrophe(*character)
            && !word.is_empty()
            && next.is_some_and(is_word_character)
        {
            // Inside a word it is removed, and the word continues.
        } else if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

const fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{02bc}')
}

fn is_word_character(c: char) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    let in_words = GeneralCategoryGroup::Letter
        .union(GeneralCategoryGroup::Mark)
        .union(GeneralCategoryGroup::Number);
    // U+02BC is a letter by category and an apostrophe by use.
    in_words.contains(category) && !is_apostrophe(c)
}

/// The word in lower case with its first character in upper case. The whole word is lower-cased at once, because a
/// final sigma has a separate form (Unicode, `SpecialCasing.txt`).
fn capitalised(word: &str) -> String {
    let Some(first) = word.chars().next() else {
        return String::new();
    };
    let rest = word.to_lowercase();
    first.to_uppercase().chain(rest.chars().skip(first.to_lowercase().count())).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::FieldKey;

    fn derived(name: &str) -> Option<String> {
        FieldKey::derive(name).ok().map(|key| key.as_str().to_owned())
    }

    #[test]
    fn derives_the_documented_keys() {
        for (name, key) in [
            ("Department", "department"),
            ("Job Title", "jobTitle"),
            ("JOB   title", "jobTitle"),
            ("URL", "url"),
            ("Profile URL", "profileUrl"),
            ("JobTitle", "jobtitle"),
            ("userID", "userid"),
            ("T-Shirt Size", "tShirtSize"),
            ("is_active", "isActive"),
            ("employee.ID", "employeeId"),
            ("Driver's Licence", "driversLicence"),
            ("Driver’s Licence", "driversLicence"),
            ("Driverʼs Licence", "driversLicence"),
            ("rock 'n' roll", "rockNRoll"),
            ("2nd Address", "2ndAddress"),
            ("home phone NUMBER 2", "homePhoneNumber2"),
            ("Phone2", "phone2"),
            ("1 000 Steps", "1000Steps"),
            ("Prénom Usuel", "prénomUsuel"),
            ("e\u{301}tat Civil", "étatCivil"),
            ("Größe", "größe"),
            ("Maß ßeta", "maßSSeta"),
            ("İstanbul Şube", "i\u{307}stanbulŞube"),
            ("ΣΊΣΥΦΟΣ ΌΝΟΜΑ", "σίσυφοςΌνομα"),
            ("हिन्दी नाम", "हिन्दीनाम"),
            ("部署 コード", "部署コード"),
            ("می\u{200c}خواهم", "میخواهم"),
            ("ﬁrst name", "firstName"),
            ("Ｆｕｌｌ　Ｗｉｄｔｈ", "fullWidth"),
            ("m² Area", "m2Area"),
            ("Cost (USD)", "costUsd"),
            ("R&D Team", "rDTeam"),
            ("C# Skill", "cSkill"),
            ("⭐ VIP ⭐", "vip"),
            ("soft\u{ad}ware", "software"),
        ] {
            assert_eq!(derived(name).as_deref(), Some(key), "{name}");
        }
    }

    #[test]
    fn rejects_names_without_a_word_and_keys_that_become_too_long() {
        for name in ["!!!", "🎂", "'", "\u{200d}", ""] {
            assert_eq!(derived(name), None, "{name:?}");
        }
        assert_eq!(derived(&"ﷺ".repeat(255)), None);
        assert!(derived(&"a".repeat(255)).is_some());
    }

    proptest! {
        #[test]
        fn a_key_is_normalised_has_only_word_characters_and_ignores_separators(name in "\\PC{0,40}") {
            if let Some(key) = derived(&name) {
                prop_assert!(!key.contains(['.', ' ', '\'', '_']));
                prop_assert!(unicode_normalization::is_nfc(&key));
                let padded = format!(" -{}!", name.replace(' ', " _ "));
                prop_assert_eq!(derived(&padded), Some(key));
            }
        }
    }
}
