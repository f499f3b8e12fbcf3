//! The spelling of a field's key, such as `jobTitle`, in other naming styles.
//!
//! An upper-case letter starts a word, as in derived keys; a number that started one (`2nd`) is not distinguished.

use crate::fields::FieldKey;

/// `job_title`
pub(super) fn snake(key: &FieldKey) -> String {
    words(key).join("_").to_lowercase()
}

/// `JOB_TITLE`
pub(super) fn screaming(key: &FieldKey) -> String {
    words(key).join("_").to_uppercase()
}

/// `Job Title`
pub(super) fn titled(key: &FieldKey) -> String {
    capitalised(&words(key).join(" "))
}

/// `JobTitle`
pub(super) fn pascal(key: &FieldKey) -> String {
    capitalised(key.as_str())
}

/// A member of an object, in brackets unless its name is a plain one.
pub(super) fn member(object: &str, name: &str) -> String {
    if is_plain_name(name) {
        [object, ".", name].concat()
    } else {
        [object, "['", name, "']"].concat()
    }
}

/// True for an ASCII letter or underscore followed by ASCII letters, underscores and digits: a name in every language.
pub(super) fn is_plain_name(name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.chars().all(is_word) && name.starts_with(|c: char| !c.is_ascii_digit())
}

fn words(key: &FieldKey) -> Vec<String> {
    let mut words = vec![String::new()];
    for character in key.as_str().chars() {
        match words.last_mut() {
            Some(word) if word.is_empty() || !character.is_uppercase() => word.push(character),
            _ => words.push(character.into()),
        }
    }
    words
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::{is_plain_name, pascal, screaming, snake, titled};
    use crate::fields::FieldKey;

    #[test]
    fn spells_keys_in_each_style() {
        for (key, spelled) in [
            ("city", ["city", "CITY", "City", "City"]),
            ("jobTitle", ["job_title", "JOB_TITLE", "Job Title", "JobTitle"]),
            ("rDTeam", ["r_d_team", "R_D_TEAM", "R D Team", "RDTeam"]),
            ("étatCivil", ["état_civil", "ÉTAT_CIVIL", "État Civil", "ÉtatCivil"]),
            ("2ndAddress", ["2nd_address", "2ND_ADDRESS", "2nd Address", "2ndAddress"]),
            ("部署コード", ["部署コード"; 4]),
        ] {
            let key = FieldKey::from_stored(key.to_owned());
            assert_eq!([snake(&key), screaming(&key), titled(&key), pascal(&key)], spelled);
        }
    }

    #[test]
    fn recognises_plain_names() {
        assert!(is_plain_name("job_title2"));
        for name in ["", "2nd", "état", "job title"] {
            assert!(!is_plain_name(name), "{name}");
        }
    }
}
