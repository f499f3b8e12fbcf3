//! A change of the count of one value.

use sha2::{Digest, Sha256};

use contact_hub_domain::fields::FieldValue;
use contact_hub_domain::ids::FieldId;

/// How many bytes of the sort key are indexed; PostgreSQL rejects index rows above about 2,700 bytes.
const HEAD: usize = 512;

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

impl ValueUse {
    /// A change of the value with this sort key.
    pub(super) fn new(
        field: FieldId,
        mut sort_key: Vec<u8>,
        value: FieldValue,
        delta: i64,
    ) -> Self {
        let long = sort_key.len() > HEAD;
        let identity = if long { Sha256::digest(&sort_key).to_vec() } else { Vec::new() };
        let sort_rest = if long { sort_key.split_off(HEAD) } else { Vec::new() };
        Self { field, sort_key, identity, sort_rest, value, delta }
    }

    /// About the length of the value as JSON.
    pub(super) fn value_length(&self) -> usize {
        self.sort_key.len() + self.sort_rest.len()
    }
}
