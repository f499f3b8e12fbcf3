//! Which contacts a list has, and in which order, for stores without a query language of their own.

use std::cmp::Ordering;

use super::{
    Condition, Contact, ListQuery, MomentAttribute, MomentTest, SearchTerm, SortKey, Sorts,
    TextAttribute, TextTest,
};
use crate::time::Timestamp;

/// A contact with the folded texts by which it is matched and sorted.
#[derive(Clone, Debug)]
pub(crate) struct Matchable {
    pub(crate) contact: Contact,
    email: String,
    first_name: String,
    last_name: String,
}

impl From<Contact> for Matchable {
    fn from(contact: Contact) -> Self {
        let (email, first_name) = (contact.email.folded(), contact.first_name.folded());
        let last_name = contact.last_name.folded();
        Self { contact, email, first_name, last_name }
    }
}

impl Matchable {
    fn text(&self, attribute: TextAttribute) -> &str {
        match attribute {
            TextAttribute::Email => &self.email,
            TextAttribute::FirstName => &self.first_name,
            TextAttribute::LastName => &self.last_name,
        }
    }

    const fn moment(&self, attribute: MomentAttribute) -> Timestamp {
        match attribute {
            MomentAttribute::CreatedAt => self.contact.created_at,
            MomentAttribute::UpdatedAt => self.contact.updated_at,
        }
    }

    fn meets(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Text { attribute, test } => test.passes(self.text(*attribute)),
            Condition::Moment { attribute, test } => test.passes(self.moment(*attribute)),
        }
    }

    fn has(&self, term: &SearchTerm) -> bool {
        let mut texts = [&self.email, &self.first_name, &self.last_name].into_iter();
        match term {
            SearchTerm::Within(part) => texts.any(|text| text.contains(part.as_str())),
            SearchTerm::Beginning(prefix) => texts.any(|text| text.starts_with(prefix.as_str())),
        }
    }

    fn compare(&self, other: &Self, key: SortKey) -> Ordering {
        match key {
            SortKey::Email => self.email.cmp(&other.email),
            SortKey::FirstName => self.first_name.cmp(&other.first_name),
            SortKey::LastName => self.last_name.cmp(&other.last_name),
            SortKey::CreatedAt => self.contact.created_at.cmp(&other.contact.created_at),
        }
    }
}

impl ListQuery {
    /// Whether the contact meets all conditions and has all terms.
    pub(crate) fn finds(&self, row: &Matchable) -> bool {
        self.conditions.iter().all(|condition| row.meets(condition))
            && self.search.terms().iter().all(|term| row.has(term))
    }
}

impl Sorts {
    /// The order of two contacts in a list.
    pub(crate) fn compare(&self, one: &Matchable, other: &Matchable) -> Ordering {
        let turned = |descending: bool, order: Ordering| {
            if descending { order.reverse() } else { order }
        };
        let by_keys = self.keys().iter().fold(Ordering::Equal, |order, sort| {
            order.then_with(|| turned(sort.descending, one.compare(other, sort.key)))
        });
        by_keys.then_with(|| turned(self.id_descending(), one.contact.id.cmp(&other.contact.id)))
    }
}

impl TextTest {
    fn passes(&self, text: &str) -> bool {
        match self {
            Self::Equal(other) => text == other.as_str(),
            Self::NotEqual(other) => text != other.as_str(),
            Self::StartsWith(prefix) => text.starts_with(prefix.as_str()),
            Self::Contains(part) => text.contains(part.as_str()),
            Self::NotContains(part) => !text.contains(part.as_str()),
            Self::Greater(other) => text > other.as_str(),
            Self::Less(other) => text < other.as_str(),
            Self::Between(lower, upper) => text >= lower.as_str() && text <= upper.as_str(),
        }
    }
}

impl MomentTest {
    fn passes(self, moment: Timestamp) -> bool {
        match self {
            Self::After(other) => moment > other,
            Self::Before(other) => moment < other,
            Self::Between(first, last) => first <= moment && moment <= last,
        }
    }
}
