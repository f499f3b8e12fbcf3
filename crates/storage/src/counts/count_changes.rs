//! What a transaction changes in the counts of one company.

use contact_hub_domain::contacts::Contact;
use contact_hub_domain::fields::Directory;

use super::ValueUses;
use super::text_counts::TextCounts;
use crate::failure::Failure;

/// Changes of the counts of one company.
#[derive(Default)]
pub(crate) struct CountChanges {
    /// By how much the number of active contacts grows.
    pub(super) contacts: i64,
    pub(super) texts: TextCounts,
    pub(super) uses: ValueUses,
}

impl CountChanges {
    /// Reserves space for the changes of this many contacts with about as many values as this one.
    pub(crate) fn reserve(&mut self, contacts: usize, sample: &Contact) {
        self.uses.reserve(contacts.saturating_mul(sample.field_values.len()));
    }

    /// Counts a contact that becomes active.
    pub(crate) fn gain(&mut self, directory: &Directory, contact: &Contact) -> Result<(), Failure> {
        self.contacts += 1;
        self.texts.add_contact(contact, 1);
        self.uses.gain(directory, &contact.field_values)
    }

    /// Stops counting a contact that is no longer active.
    pub(crate) fn lose(&mut self, directory: &Directory, contact: &Contact) -> Result<(), Failure> {
        self.contacts -= 1;
        self.texts.add_contact(contact, -1);
        self.uses.lose(directory, &contact.field_values)
    }

    /// Counts an active contact as it is after a change.
    pub(crate) fn exchange(
        &mut self,
        directory: &Directory,
        before: &Contact,
        after: &Contact,
    ) -> Result<(), Failure> {
        let stay = before.email == after.email
            && before.first_name == after.first_name
            && before.last_name == after.last_name;
        if !stay {
            self.texts.add_contact(before, -1);
            self.texts.add_contact(after, 1);
        }
        self.uses.exchange(directory, &before.field_values, &after.field_values)
    }
}
