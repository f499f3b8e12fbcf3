//! The model: what a company's contacts are after a sequence of writes.

use std::collections::{BTreeMap, BTreeSet};

use contact_hub_domain::contacts::ContactsError;
use contact_hub_domain::ids::ContactId;
use contact_hub_domain::input::Input;

use crate::steps::{FIELDS, Patch, Row, Values, identity, key, named, worth};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kept {
    pub(crate) id: ContactId,
    pub(crate) name: String,
    pub(crate) avatar: Option<String>,
    pub(crate) values: BTreeMap<String, Input>,
    pub(crate) is_active: bool,
}

#[derive(Clone, Default)]
pub(crate) struct Model {
    /// By email identity.
    pub(crate) contacts: BTreeMap<String, Kept>,
    /// By email identity.
    pub(crate) blocked: BTreeSet<String>,
    pub(crate) archived: [bool; FIELDS.len()],
}

/// Why a write is rejected regardless of the other contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Refusal {
    /// It has a value for an archived field.
    Archived,
    /// Its email is blocked.
    Blocked,
}

impl Refusal {
    pub(crate) fn is<T>(self, outcome: &Result<T, ContactsError>) -> bool {
        match self {
            Self::Archived => matches!(outcome, Err(ContactsError::Invalid(_))),
            Self::Blocked => matches!(outcome, Err(ContactsError::Erased)),
        }
    }
}

fn set(values: &mut BTreeMap<String, Input>, changes: Values) {
    for (key, value) in named(changes) {
        match value {
            Input::Null => drop(values.remove(&key)),
            value => drop(values.insert(key, worth(&value))),
        }
    }
}

fn picture(n: Option<u8>) -> Option<String> {
    n.map(|n| format!("https://pictures.example/{n}"))
}

impl Model {
    pub(crate) fn refusal(&self, email: Option<usize>, values: Values) -> Option<Refusal> {
        let mut pairs = values.iter().zip(self.archived);
        if pairs.any(|(value, archived)| archived && matches!(value, Some(Some(_)))) {
            return Some(Refusal::Archived);
        }
        let is_blocked = email.is_some_and(|email| self.blocked.contains(&identity(email)));
        is_blocked.then_some(Refusal::Blocked)
    }

    pub(crate) fn active(&self) -> impl Iterator<Item = (&String, &Kept)> {
        self.contacts.iter().filter(|(_, kept)| kept.is_active)
    }

    /// Creates or restores; true when there was no active contact.
    pub(crate) fn create(&mut self, row: &Row) -> bool {
        let kept = self.contacts.entry(identity(row.email)).or_insert_with(|| Kept {
            id: ContactId::parse("00000000-0000-0000-0000-000000000000").expect("an id"),
            name: String::new(),
            avatar: None,
            values: BTreeMap::new(),
            is_active: false,
        });
        if kept.is_active {
            return false;
        }
        kept.is_active = true;
        kept.name = format!("Name {}", row.name);
        kept.avatar = picture(row.avatar.flatten());
        // On a create a null is as if it were absent.
        set(&mut kept.values, row.values.map(|value| value.filter(Option::is_some)));
        true
    }

    /// Writes the rows of a bulk; how many contacts it creates and updates, and how many rows fail.
    pub(crate) fn bulk(&mut self, rows: &[Row]) -> (u64, u64, usize) {
        let (mut created, mut updated, mut failed) = (0, 0, 0);
        for row in rows {
            if self.refusal(Some(row.email), row.values).is_some() {
                failed += 1;
            } else if self.create(row) {
                created += 1;
            } else {
                self.change(row.email, &Patch { email: None, ..Patch::from(row) });
                updated += 1;
            }
        }
        (created, updated, failed)
    }

    /// Changes an active contact.
    pub(crate) fn change(&mut self, target: usize, patch: &Patch) {
        let mut kept = self.contacts.remove(&identity(target)).expect("a contact");
        if let Some(name) = patch.name {
            kept.name = format!("Name {name}");
        }
        if let Some(avatar) = patch.avatar {
            kept.avatar = picture(avatar);
        }
        set(&mut kept.values, patch.values);
        self.contacts.insert(identity(patch.email.unwrap_or(target)), kept);
    }

    /// Replaces the values of a contact. Those of archived fields stay unless they are named.
    pub(crate) fn replace(&mut self, target: usize, values: Values) {
        let archived = (0..FIELDS.len()).filter(|field| self.archived[*field]).map(key);
        let archived: BTreeSet<String> = archived.collect();
        let kept = self.contacts.get_mut(&identity(target)).expect("a contact");
        kept.values.retain(|key, _| archived.contains(key));
        set(&mut kept.values, values);
    }
}
