//! Look up many contacts by id or by email.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hash;

use super::detail::details;
use super::value_limit::{most_bytes, too_large};
use super::{Contact, ContactDetail, ContactsError};
use crate::context::{ContactPorts, Context};
use crate::email::Email;
use crate::ids::ContactId;
use crate::input::{FromText as _, Input};
use crate::property::Property;
use crate::rules::{count, is_text, optional, valid_beside};
use crate::violations::{Problem, Violations};

/// The maximum number of ids or emails of one call.
pub const MAX_LOOKUP: usize = 1000;

/// The input: ids, or else emails.
#[derive(Clone, Debug, Default, garde::Validate)]
pub struct LookupDraft {
    /// The ids of contacts.
    #[garde(custom(optional), custom(count(1, MAX_LOOKUP, "entries")), inner(custom(is_text)))]
    pub ids: Property<Vec<Input>>,
    /// The emails of contacts.
    #[garde(custom(optional), custom(count(1, MAX_LOOKUP, "entries")), inner(custom(is_text)))]
    pub emails: Property<Vec<Input>>,
}

/// Contacts that a store looks up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Those with these ids.
    Ids(Vec<ContactId>),
    /// Those with these email identities.
    Identities(Vec<String>),
}

/// The outcome of a look-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LookupOutcome {
    /// The contacts, in any order.
    Found(Vec<Contact>),
    /// Their values have more bytes than allowed.
    TooLarge,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LookedUp {
    /// Each contact once, in the order of the input.
    pub contacts: Vec<ContactDetail>,
    /// The entries that no active contact has, each once.
    pub missing: Vec<String>,
}

/// Looks up active contacts with their values. An entry that no contact can have is missing.
pub async fn look_up(
    cx: &Context<'_, ContactPorts>,
    draft: &LookupDraft,
) -> Result<LookedUp, ContactsError> {
    match draft.list()? {
        List::Ids(texts) => {
            let keys = texts.into_iter().map(|text| (text, ContactId::parse(text)));
            by_keys(cx, "ids", keys.collect(), Wanted::Ids, |contact| contact.id).await
        }
        List::Emails(texts) => {
            let keys = texts.into_iter().map(|text| (text, identity(text)));
            let identity = |contact: &Contact| contact.email.identity().to_owned();
            by_keys(cx, "emails", keys.collect(), Wanted::Identities, identity).await
        }
    }
}

async fn by_keys<K: Clone + Eq + Hash + Ord>(
    cx: &Context<'_, ContactPorts>,
    name: &str,
    entries: Vec<(&str, Option<K>)>,
    wanted: fn(Vec<K>) -> Wanted,
    key: impl Fn(&Contact) -> K,
) -> Result<LookedUp, ContactsError> {
    let keys: BTreeSet<&K> = entries.iter().filter_map(|(_, key)| key.as_ref()).collect();
    let bytes = most_bytes(keys.len());
    let wanted = wanted(keys.into_iter().cloned().collect());
    let found = match cx.ports.contacts.look_up(cx.caller.company.id, wanted, bytes).await? {
        LookupOutcome::Found(contacts) => contacts,
        LookupOutcome::TooLarge => return Err(too_large(name)),
    };
    // A contact is taken at the first entry with its key, so that further entries with the key return nothing.
    let mut found: HashMap<K, Option<Contact>> =
        found.into_iter().map(|contact| (key(&contact), Some(contact))).collect();
    let (mut contacts, mut missing) = (Vec::with_capacity(found.len()), Vec::new());
    let mut seen = HashSet::new();
    for (text, key) in entries {
        match key.and_then(|key| found.get_mut(&key)) {
            Some(contact) => contacts.extend(contact.take()),
            None if seen.insert(text) => missing.push(text.to_owned()),
            None => {}
        }
    }
    Ok(LookedUp { contacts: details(cx, contacts).await?, missing })
}

fn identity(text: &str) -> Option<String> {
    Email::from_text(text).ok().map(|email| email.identity().to_owned())
}

/// The list that is given.
enum List<'a> {
    Ids(Vec<&'a str>),
    Emails(Vec<&'a str>),
}

impl LookupDraft {
    fn list(&self) -> Result<List<'_>, Violations> {
        let (ids, emails) = (is_given(&self.ids), is_given(&self.emails));
        let mut beside = Violations::default();
        if ids == emails {
            for (name, other) in [("ids", "emails"), ("emails", "ids")] {
                let sentence = if ids { "must not be given beside" } else { "is required without" };
                beside.add(name, Problem::new(format!("{sentence} {other}")));
            }
        }
        valid_beside(self, (), beside, |()| {
            Some(if ids { List::Ids(texts(&self.ids)) } else { List::Emails(texts(&self.emails)) })
        })
    }
}

const fn is_given(list: &Property<Vec<Input>>) -> bool {
    matches!(list, Property::Given(_))
}

fn texts(list: &Property<Vec<Input>>) -> Vec<&str> {
    let texts = list.entries().iter().filter_map(|entry| match entry {
        Input::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}
