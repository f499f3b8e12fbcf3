//! A change of the count of one value.

use sha2::{Digest, Sha256};

use contact_hub_domain::fields::FieldValue;
use contact_hub_domain::ids::FieldId;

/// How many bytes of the sort key are indexed; PostgreSQL rejects index rows above about 2,700 bytes.
pub(super) const HEAD: usize = 512;

/// A change of the number of active contacts that have a value.
#[derive(Debug)]
pub(crate) struct ValueUse {
    pub(crate) field: FieldId,
    /// The head of the bytes by which the type orders its values.
    pub(crate) sort_key: Vec<u8>,
    /// Distinguishes values with the same head: empty when the head is the whole key, else the SHA-256 of the whole.
    pub(crate) identity: Vec<u8>,
    /// The part of the key that does not fit into the head.
    pub(crate) sort_rest: Vec<u8>,
    pub(crate) value: FieldValue,
    /// The change of the count; never 0.
    pub(crate) delta: i64,
}

/// What distinguishes a value from the others of its field.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place {
    head: Vec<u8>,
    identity: Vec<u8>,
}

impl Place {
    /// The place of a value. It is short also for a long value.
    pub(super) fn of(value: &FieldValue) -> Self {
        let mut head = value.sort_key();
        if head.len() <= HEAD {
            return Self { head, identity: Vec::new() };
        }
        let identity = Sha256::digest(&head).to_vec();
        head.truncate(HEAD);
        head.shrink_to_fit();
        Self { head, identity }
    }
}

impl ValueUse {
    /// A change of the value at this place.
    pub(super) fn new(field: FieldId, place: Place, value: FieldValue, delta: i64) -> Self {
        let Place { head: sort_key, identity } = place;
        let long = !identity.is_empty();
        let sort_rest = if long { value.sort_key().split_off(HEAD) } else { Vec::new() };
        Self { field, sort_key, identity, sort_rest, value, delta }
    }

    /// About the length of the value as JSON.
    pub(super) fn value_length(&self) -> usize {
        self.sort_key.len() + self.sort_rest.len()
    }
}
