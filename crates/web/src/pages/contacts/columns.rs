//! The targets of a file's columns, and the target that the name of a column suggests.

use std::collections::HashMap;

use contact_hub_domain::fields::{Directory, Field};

use crate::pages::excerpt::shortened;

/// The attributes of a contact, with the names that columns have for them.
pub(super) const ATTRIBUTES: [(&str, &str, &[&str]); 4] = [
    ("email", "Email", &["email", "emailaddress", "mail"]),
    ("first_name", "First name", &["firstname", "givenname", "first"]),
    ("last_name", "Last name", &["lastname", "surname", "familyname", "last"]),
    ("avatar_url", "Avatar URL", &["avatarurl", "avatar", "picture"]),
];

/// A field by its place among the company's, which never changes and is shorter than a key.
pub(super) fn target(place: usize) -> String {
    format!("field:{place}")
}

/// The field of a target.
pub(super) fn field_at<'a>(target: &str, directory: &'a Directory) -> Option<&'a Field> {
    let place: usize = target.strip_prefix("field:")?.parse().ok()?;
    directory.fields().get(place)
}

/// The fields that take values, with their places.
fn placed(directory: &Directory) -> impl DoubleEndedIterator<Item = (usize, &Field)> + Clone {
    directory.fields().iter().enumerate().filter(|(_, field)| !field.archived)
}

/// Every target with its name, cut to this many characters.
pub(super) fn targets(directory: &Directory, max: usize) -> Vec<(String, String)> {
    let attributes = ATTRIBUTES.map(|(target, label, _)| (target.to_owned(), label.to_owned()));
    let of_fields = placed(directory);
    let of_fields = of_fields.map(|(place, field)| (target(place), shortened(&field.name, max)));
    attributes.into_iter().chain(of_fields).collect()
}

/// The fields by the possible names of their columns, so that finding the target of a column does not search all
/// fields.
pub(super) struct Guesses {
    by_key: HashMap<String, usize>,
    by_letters: HashMap<String, usize>,
}

impl Guesses {
    pub(super) fn new(directory: &Directory) -> Self {
        let fields = placed(directory);
        let by_key = fields.clone().map(|(place, field)| (field.key.to_string(), place)).collect();
        // Of two fields whose names differ only in their spelling, the older one is used.
        let by_letters = fields.rev().map(|(place, field)| (letters(&field.name), place)).collect();
        Self { by_key, by_letters }
    }

    /// The likely target of a column with this name; empty if there is none.
    pub(super) fn of(&self, name: &str) -> String {
        let letters = letters(name);
        let known = ATTRIBUTES.iter().find(|(_, _, names)| names.contains(&letters.as_str()));
        if let Some((target, _, _)) = known {
            return (*target).to_owned();
        }
        let place = self.by_key.get(name).or_else(|| self.by_letters.get(&letters));
        place.map_or_else(String::new, |place| target(*place))
    }
}

fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::{Directory, Guesses};

    #[test]
    fn guesses_columns_by_their_names() {
        let guesses = Guesses::new(&Directory::default());
        for (name, target) in [
            ("E-Mail", "email"),
            ("First Name", "first_name"),
            ("surname", "last_name"),
            ("Phone", ""),
        ] {
            assert_eq!(guesses.of(name), target, "{name}");
        }
    }
}
