//! The entries of the feed.

use std::sync::Arc;

use uuid::Uuid;

use super::{ChangeType, Position};
use crate::author::Author;
use crate::contacts::{Change, Contact};
use crate::fields::{Field, FieldKey, Filterable};
use crate::ids::{ContactId, UserId};
use crate::sync::{AssetSync, SyncState};
use crate::time::Timestamp;

/// An entry to be written in the transaction of its change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEntry {
    /// What changed.
    pub kind: ChangeType,
    /// When it changed.
    pub at: Timestamp,
    /// The id of the contact, field or sync.
    pub object: Uuid,
    /// The names of the properties that differ, and of values as `field:<key>`; of a new object those that it has.
    pub changed: Vec<String>,
    /// The user who made the change; `None` for the service itself and its operator.
    pub actor: Option<UserId>,
    /// The id of the call.
    pub request_id: Option<Arc<str>>,
}

/// An entry of the feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeEntry {
    /// Its place in the feed, which no other entry of the company has.
    pub position: Position,
    /// What it records.
    pub entry: NewEntry,
}

impl NewEntry {
    /// A contact was created.
    #[must_use]
    pub fn contact_created(by: &Author, contact: &Contact) -> Self {
        let avatar = contact.avatar_url.is_some().then_some("avatar_url");
        let names = ["email", "first_name", "last_name"].into_iter().chain(avatar);
        let values = contact.field_values.keys().map(value_name);
        let changed = names.map(str::to_owned).chain(values).collect();
        Self::new(by, ChangeType::ContactCreated, contact.created_at, contact.id.uuid(), changed)
    }

    /// A deleted contact was restored.
    #[must_use]
    pub fn contact_restored(by: &Author, before: &Contact, after: &Contact) -> Self {
        Self::between(by, ChangeType::ContactRestored, before, after)
    }

    /// A contact was changed.
    #[must_use]
    pub fn contact_updated(by: &Author, before: &Contact, after: &Contact) -> Self {
        Self::between(by, ChangeType::ContactUpdated, before, after)
    }

    /// A contact was written by a bulk.
    #[must_use]
    pub fn contact_written(by: &Author, change: &Change) -> Self {
        match change {
            Change::Insert(after) => Self::contact_created(by, after),
            Change::Restore { before, after } => Self::contact_restored(by, before, after),
            Change::Update { before, after } => Self::contact_updated(by, before, after),
        }
    }

    /// A contact was deleted.
    #[must_use]
    pub fn contact_deleted(by: &Author, id: ContactId, at: Timestamp) -> Self {
        Self::new(by, ChangeType::ContactDeleted, at, id.uuid(), Vec::new())
    }

    /// A contact was erased.
    #[must_use]
    pub fn contact_erased(by: &Author, id: ContactId, at: Timestamp) -> Self {
        Self::new(by, ChangeType::ContactErased, at, id.uuid(), Vec::new())
    }

    /// A field was created.
    #[must_use]
    pub fn field_created(by: &Author, field: &Field, at: Timestamp) -> Self {
        let is_filterable = field.filterable != Filterable::No;
        let changed =
            if is_filterable { &["name", "type", "filterable"][..] } else { &["name", "type"] };
        let changed = names(changed);
        Self::new(by, ChangeType::FieldCreated, at, field.id.uuid(), changed)
    }

    /// A field was changed; `None` if nothing differs.
    #[must_use]
    pub fn field_updated(
        by: &Author,
        before: &Field,
        after: &Field,
        at: Timestamp,
    ) -> Option<Self> {
        let names = [
            ("name", before.name != after.name),
            ("filterable", before.filterable != after.filterable),
            ("archived", before.archived != after.archived),
        ];
        let names = names.into_iter().filter(|(_, differs)| *differs);
        let changed: Vec<String> = names.map(|(name, _)| name.to_owned()).collect();
        let (kind, id) = (ChangeType::FieldUpdated, after.id.uuid());
        (!changed.is_empty()).then(|| Self::new(by, kind, at, id, changed))
    }

    /// A sync was requested.
    #[must_use]
    pub fn sync_requested(by: &Author, sync: &AssetSync) -> Self {
        let changed = names(&["integration_id"]);
        Self::new(by, ChangeType::SyncRequested, sync.requested_at, sync.id.uuid(), changed)
    }

    /// A sync was closed, as it is now.
    #[must_use]
    pub fn sync_closed(by: &Author, sync: &AssetSync, at: Timestamp) -> Self {
        let (kind, changed): (_, &[&str]) = match sync.state {
            SyncState::Completed { .. } => {
                (ChangeType::SyncCompleted, &["status", "map_id", "map_url"])
            }
            SyncState::Requested => (ChangeType::SyncFailed, &["status"]),
            // Those that the hub closed have a message too.
            SyncState::Failed { .. } | SyncState::Superseded | SyncState::Withdrawn => {
                (ChangeType::SyncFailed, &["status", "error_message"])
            }
        };
        Self::new(by, kind, at, sync.id.uuid(), names(changed))
    }

    fn between(by: &Author, kind: ChangeType, before: &Contact, after: &Contact) -> Self {
        let names = [
            ("email", before.email != after.email),
            ("first_name", before.first_name != after.first_name),
            ("last_name", before.last_name != after.last_name),
            ("avatar_url", before.avatar_url != after.avatar_url),
        ];
        let names = names.into_iter().filter(|(_, differs)| *differs);
        let gone = before.field_values.keys().filter(|key| !after.field_values.contains_key(*key));
        let set = after.field_values.iter();
        let set = set.filter(|(key, value)| before.field_values.get(*key) != Some(*value));
        let values = set.map(|(key, _)| key).chain(gone).map(value_name);
        let changed = names.map(|(name, _)| name.to_owned()).chain(values).collect();
        Self::new(by, kind, after.updated_at, after.id.uuid(), changed)
    }

    fn new(
        by: &Author,
        kind: ChangeType,
        at: Timestamp,
        object: Uuid,
        changed: Vec<String>,
    ) -> Self {
        let request_id = by.call.request_id.clone();
        Self { kind, at, object, changed, actor: by.user, request_id }
    }
}

fn value_name(key: &FieldKey) -> String {
    format!("field:{key}")
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
