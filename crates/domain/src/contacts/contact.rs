//! Contacts, and how they change.

use super::{AvatarUrl, ContactChange, ContactInput, PersonName};
use crate::email::Email;
use crate::fields::{FieldKey, FieldValues, Replacing, ValueChanges, with_changes};
use crate::ids::ContactId;
use crate::time::Timestamp;

/// An active contact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    /// The service's id.
    pub id: ContactId,
    /// The address, one contact for each identity.
    pub email: Email,
    /// First name.
    pub first_name: PersonName,
    /// Last name.
    pub last_name: PersonName,
    /// Picture.
    pub avatar_url: Option<AvatarUrl>,
    /// Values by field key.
    pub field_values: FieldValues,
    /// When it was first created; a restore keeps it.
    pub created_at: Timestamp,
    /// When an attribute or value last changed. It increases with every change, so it is also the version.
    pub updated_at: Timestamp,
}

/// A contact about to be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewContact {
    /// The id, unless a contact is restored.
    pub id: ContactId,
    /// The validated input.
    pub input: ContactInput,
    /// The moment of the request.
    pub at: Timestamp,
}

impl Contact {
    /// The contact after a bulk row with its email. The names are replaced, the avatar address if the row has one, and
    /// the row's values are merged. The spelling of the email stays.
    #[must_use]
    pub fn updated(&self, input: &ContactInput, at: Timestamp) -> Self {
        let updated = Self {
            id: self.id,
            email: self.email.clone(),
            first_name: input.first_name.clone(),
            last_name: input.last_name.clone(),
            avatar_url: input.avatar_url.clone().unwrap_or_else(|| self.avatar_url.clone()),
            field_values: with_changes(&self.field_values, &input.values),
            created_at: self.created_at,
            updated_at: self.updated_at,
        };
        updated.moved_from(self, at)
    }

    /// The contact after a change by id. The attributes of the change are replaced, and its values are merged.
    #[must_use]
    pub fn changed(&self, change: &ContactChange, at: Timestamp) -> Self {
        let mut changed = self.clone();
        changed.email.clone_from(change.email.as_ref().unwrap_or(&self.email));
        changed.first_name.clone_from(change.first_name.as_ref().unwrap_or(&self.first_name));
        changed.last_name.clone_from(change.last_name.as_ref().unwrap_or(&self.last_name));
        changed.avatar_url.clone_from(change.avatar_url.as_ref().unwrap_or(&self.avatar_url));
        changed.field_values = with_changes(&self.field_values, &change.values);
        changed.moved_from(self, at)
    }

    /// The contact with exactly these values, besides those that are kept.
    #[must_use]
    pub fn with_values(&self, Replacing { values, kept }: &Replacing, at: Timestamp) -> Self {
        let stays = |key: &FieldKey| values.contains_key(key) || kept.contains(key);
        let kept = self.field_values.iter().filter(|(key, _)| stays(key));
        let kept = kept.map(|(key, value)| (key.clone(), value.clone())).collect();
        let changes =
            values.iter().map(|(key, value)| (key.clone(), Some(value.clone()))).collect();
        let replaced = Self { field_values: with_changes(&kept, &changes), ..self.clone() };
        replaced.moved_from(self, at)
    }

    /// The deleted contact, restored as it was.
    #[must_use]
    pub fn restored(&self, at: Timestamp) -> Self {
        Self { updated_at: at.after(self.updated_at), ..self.clone() }
    }

    /// Sets `updated_at` if anything differs from the contact before.
    fn moved_from(mut self, before: &Self, at: Timestamp) -> Self {
        if self != *before {
            self.updated_at = at.after(before.updated_at);
        }
        self
    }
}

impl NewContact {
    /// The contact to store when no row of the company has the email's identity.
    #[must_use]
    pub fn created(&self) -> Contact {
        let input = &self.input;
        let values = input.values.iter();
        Contact {
            id: self.id,
            email: input.email.clone(),
            first_name: input.first_name.clone(),
            last_name: input.last_name.clone(),
            avatar_url: input.avatar_url.clone().flatten(),
            field_values: values
                .filter_map(|(key, set)| Some((key.clone(), set.clone()?)))
                .collect(),
            created_at: self.at,
            updated_at: self.at,
        }
    }

    fn set_values(&self) -> ValueChanges {
        let set = self.input.values.iter().filter(|(_, change)| change.is_some());
        set.map(|(key, change)| (key.clone(), change.clone())).collect()
    }

    /// The contact to store when `deleted` has the email's identity. It keeps the id and the time of creation, and gets
    /// the submitted attributes; the submitted values are merged into the earlier ones. As on every create, a null
    /// value counts as absent.
    #[must_use]
    pub fn restored(&self, deleted: &Contact) -> Contact {
        Contact {
            id: deleted.id,
            created_at: deleted.created_at,
            updated_at: self.at.after(deleted.updated_at),
            field_values: with_changes(&deleted.field_values, &self.set_values()),
            ..self.created()
        }
    }
}
