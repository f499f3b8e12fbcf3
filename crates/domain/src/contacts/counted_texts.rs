//! The texts by which a store may count contacts.

use super::{Contact, SortKey};

/// The attributes by whose beginnings contacts are counted, as they are written in a counted text.
const EMAIL: &str = "email";
const FIRST_NAME: &str = "first_name";
const LAST_NAME: &str = "last_name";

impl SortKey {
    /// The name of the attribute in the [counted texts](Contact::count_texts) of its beginnings; `None` if contacts are not
    /// counted by them.
    #[must_use]
    pub const fn counted_as(self) -> Option<&'static str> {
        match self {
            Self::Email => Some(EMAIL),
            Self::FirstName => Some(FIRST_NAME),
            Self::LastName => Some(LAST_NAME),
            Self::CreatedAt | Self::Field(_) => None,
        }
    }
}

impl Contact {
    /// Calls `count` once for each text by which a store may count contacts, so that it need not count the matches of common
    /// searches, nor scan a list up to a page in its middle:
    ///
    /// - the characters with which the folded email, first name and last name begin, each once;
    /// - the domain of the folded email, with its `@`;
    /// - the character with which each of the three begins, after the name of the attribute, as in `email:a`. A name that is
    ///   empty has no character: `last_name:`.
    pub fn count_texts(&self, mut count: impl FnMut(&str)) {
        let texts = [self.email.folded(), self.first_name.folded(), self.last_name.folded()];
        let [email, first_name, last_name] = texts.each_ref().map(|text| beginning(text));
        for beginning in [
            Some(email),
            Some(first_name).filter(|it| *it != email),
            Some(last_name).filter(|it| *it != email && *it != first_name),
        ] {
            if let Some(beginning) = beginning.filter(|it| !it.is_empty()) {
                count(beginning);
            }
        }
        let [folded, ..] = &texts;
        if let Some(domain) = folded.find('@').and_then(|at| folded.get(at..)) {
            count(domain);
        }
        let mut text = String::new();
        for (attribute, beginning) in
            [(EMAIL, email), (FIRST_NAME, first_name), (LAST_NAME, last_name)]
        {
            text.clear();
            text.extend([attribute, ":", beginning]);
            count(&text);
        }
    }
}

/// The first character, or nothing of an empty text.
fn beginning(text: &str) -> &str {
    text.char_indices().nth(1).map_or(text, |(end, _)| text.split_at(end).0)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::Contact;
    use crate::contacts::PersonName;
    use crate::email::Email;
    use crate::fields::FieldValues;
    use crate::ids::ContactId;
    use crate::time::Timestamp;

    fn counted(email: &str, first_name: &str, last_name: &str) -> Vec<String> {
        let name = |text: &str| PersonName::from_stored(text.to_owned());
        let contact = Contact {
            id: ContactId::new(Uuid::nil()),
            email: Email::from_stored(email.to_owned()),
            first_name: name(first_name),
            last_name: name(last_name),
            avatar_url: None,
            field_values: FieldValues::new(),
            created_at: Timestamp::MIN,
            updated_at: Timestamp::MIN,
        };
        let mut texts = Vec::new();
        contact.count_texts(|text| texts.push(text.to_owned()));
        texts
    }

    #[test]
    fn a_contact_is_counted_by_its_prefixes_and_its_domain() {
        assert_eq!(
            counted("Ann@example.com", "ANN", "Lee"),
            ["a", "l", "@example.com", "email:a", "first_name:a", "last_name:l"]
        );
        assert_eq!(
            counted("Xu@example.com", "徐明", "徐"),
            ["x", "徐", "@example.com", "email:x", "first_name:徐", "last_name:徐"]
        );
        assert_eq!(
            counted("x@ÄB.example", "Émile", ""),
            ["x", "é", "@äb.example", "email:x", "first_name:é", "last_name:"]
        );
    }
}
