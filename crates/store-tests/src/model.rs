//! The model: what a company's contacts are after a sequence of writes.

use std::collections::{BTreeMap, BTreeSet};

use contact_hub_domain::contacts::ContactsError;
use contact_hub_domain::ids::ContactId;
use contact_hub_domain::input::Input;
use contact_hub_domain::time::Timestamp;

use crate::steps::{EMAILS, FIELDS, Patch, Row, Values, first, identity, key, last, named, worth};

/// A contact, active or deleted.
#[derive(Clone)]
pub(crate) struct Kept {
    pub(crate) content: Content,
    pub(crate) is_active: bool,
    /// How many writes have changed its content or restored it. Each of them is a new version.
    pub(crate) versions: u32,
    /// What the adapter returned when the contact was last compared.
    pub(crate) seen: Option<Seen>,
}

/// What writes name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Content {
    pub(crate) email: String,
    pub(crate) first_name: String,
    pub(crate) last_name: String,
    pub(crate) avatar: Option<String>,
    pub(crate) values: BTreeMap<String, Input>,
}

/// What the domain chooses and the adapter keeps.
#[derive(Clone, Copy)]
pub(crate) struct Seen {
    pub(crate) id: ContactId,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
    /// How many versions the model had at that time.
    pub(crate) versions: u32,
}

impl Kept {
    /// What the adapter returned. Every contact is compared after the write that creates it.
    pub(crate) fn seen(&self) -> Seen {
        self.seen.expect("a contact that was compared")
    }

    pub(crate) fn id(&self) -> ContactId {
        self.seen().id
    }

    /// Makes a deleted contact active as it was.
    pub(crate) const fn restore(&mut self) {
        self.is_active = true;
        self.versions += 1;
    }

    /// A write that changes nothing makes no new version.
    fn edit(&mut self, edit: impl FnOnce(&mut Content)) {
        let before = self.content.clone();
        edit(&mut self.content);
        self.versions += u32::from(self.content != before);
    }
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
        let known = self.contacts.remove(&identity(row.email));
        if let Some(active) = known.as_ref().filter(|kept| kept.is_active) {
            self.contacts.insert(identity(row.email), active.clone());
            return false;
        }
        let mut values = known.as_ref().map(|kept| kept.content.values.clone()).unwrap_or_default();
        // On a create a null is as if it were absent.
        set(&mut values, row.values.map(|value| value.filter(Option::is_some)));
        let content = Content {
            email: EMAILS[row.email].to_owned(),
            first_name: first(row.first),
            last_name: last(row.last),
            avatar: picture(row.avatar.flatten()),
            values,
        };
        let versions = known.as_ref().map_or(0, |kept| kept.versions) + 1;
        let seen = known.and_then(|kept| kept.seen);
        let kept = Kept { content, is_active: true, versions, seen };
        self.contacts.insert(identity(row.email), kept);
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
        kept.edit(|content| {
            if let Some(email) = patch.email {
                EMAILS[email].clone_into(&mut content.email);
            }
            if let Some(name) = patch.first {
                content.first_name = first(name);
            }
            if let Some(name) = patch.last {
                content.last_name = last(name);
            }
            if let Some(avatar) = patch.avatar {
                content.avatar = picture(avatar);
            }
            set(&mut content.values, patch.values);
        });
        self.contacts.insert(identity(patch.email.unwrap_or(target)), kept);
    }

    /// Replaces the values of a contact. Those of archived fields stay unless they are named.
    pub(crate) fn replace(&mut self, target: usize, values: Values) {
        let archived = (0..FIELDS.len()).filter(|field| self.archived[*field]).map(key);
        let archived: BTreeSet<String> = archived.collect();
        let kept = self.contacts.get_mut(&identity(target)).expect("a contact");
        kept.edit(|content| {
            content.values.retain(|key, _| archived.contains(key));
            set(&mut content.values, values);
        });
    }
}
