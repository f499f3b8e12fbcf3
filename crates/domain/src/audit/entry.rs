//! The entries of the audit.

use serde_json::{Map, Value};
use uuid::Uuid;

use super::{AuditAction, AuditCursor, Settings};
use crate::author::Author;
use crate::time::Timestamp;

/// An entry to be written in the transaction of what it records.
#[derive(Clone, Debug, PartialEq)]
pub struct NewAuditEntry {
    /// What was done.
    pub action: AuditAction,
    /// When it was done.
    pub at: Timestamp,
    /// The id of what it was done to; `None` when it was done to many.
    pub object: Option<Uuid>,
    /// Who did it.
    pub by: Author,
    /// The number of things that it was done to, by outcome.
    pub counts: Option<Map<String, Value>>,
    /// The settings that differ, as they were.
    pub old: Option<Map<String, Value>>,
    /// The settings that differ, as they are; of a new thing all of them. Secrets are never among them.
    pub new: Option<Map<String, Value>>,
}

/// An entry of the audit.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditEntry {
    /// Its place, which no other entry of the company has.
    pub cursor: AuditCursor,
    /// What it records.
    pub entry: NewAuditEntry,
}

impl NewAuditEntry {
    /// Something was done to one thing.
    #[must_use]
    pub fn of(by: &Author, action: AuditAction, object: Uuid, at: Timestamp) -> Self {
        Self { object: Some(object), ..Self::of_many(by, action, at, &[]) }
    }

    /// Something was done to many things.
    #[must_use]
    pub fn of_many(
        by: &Author,
        action: AuditAction,
        at: Timestamp,
        counts: &[(&str, u64)],
    ) -> Self {
        let counts = counts.iter().map(|(name, count)| ((*name).to_owned(), Value::from(*count)));
        let counts: Map<_, _> = counts.collect();
        let counts = (!counts.is_empty()).then_some(counts);
        Self { action, at, object: None, by: by.clone(), counts, old: None, new: None }
    }

    /// With the settings of a new thing.
    #[must_use]
    pub fn with_new(self, new: &impl Settings) -> Self {
        Self { new: Some(new.settings()), ..self }
    }

    /// With the settings of a deleted thing.
    #[must_use]
    pub fn with_old(self, old: &impl Settings) -> Self {
        Self { old: Some(old.settings()), ..self }
    }

    /// With the settings that differ.
    #[must_use]
    pub fn with_changes<S: Settings>(self, old: &S, new: &S) -> Self {
        let (mut old, mut new) = (old.settings(), new.settings());
        let same: Vec<String> =
            old.keys().filter(|name| old.get(*name) == new.get(*name)).cloned().collect();
        for name in same {
            old.remove(&name);
            new.remove(&name);
        }
        Self { old: Some(old), new: Some(new), ..self }
    }
}
