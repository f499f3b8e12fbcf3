//! Which contacts a list has, for stores without their own query language.

use std::collections::HashMap;

use super::{
    Condition, Contact, ListQuery, MomentAttribute, MomentTest, SearchTerm, TextAttribute, TextTest,
};
use crate::fields::{Field, FieldValue};
use crate::ids::FieldId;
use crate::time::Timestamp;

/// A contact with the folded texts by which it is matched.
#[derive(Clone, Debug)]
pub(crate) struct Matchable {
    pub(crate) contact: Contact,
    email: String,
    first_name: String,
    last_name: String,
    values: HashMap<FieldId, FieldValue>,
}

impl Matchable {
    /// The contact, of a company with these fields.
    pub(crate) fn of(contact: Contact, fields: &[Field]) -> Self {
        let of_field =
            |field: &Field| Some((field.id, contact.field_values.get(&field.key)?.clone()));
        let values = fields.iter().filter_map(of_field).collect();
        let (email, first_name) = (contact.email.folded(), contact.first_name.folded());
        let last_name = contact.last_name.folded();
        Self { contact, email, first_name, last_name, values }
    }

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
            Condition::Value { field, test } => test.passes(self.values.get(field)),
        }
    }

    fn has(&self, term: &SearchTerm) -> bool {
        let mut texts = [&self.email, &self.first_name, &self.last_name].into_iter();
        match term {
            SearchTerm::Within(part) => texts.any(|text| text.contains(part.as_str())),
            SearchTerm::Beginning(prefix) => texts.any(|text| text.starts_with(prefix.as_str())),
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
