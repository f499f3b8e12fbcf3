//! Parts of a list whose contacts are not counted.

use super::{Contact, Place};

/// Where a part begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// After this many contacts.
    Skipping(u64),
    /// After a place, whose contact may no longer exist.
    Behind(Place),
}

/// A part of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartRequest {
    /// Its beginning.
    pub start: Start,
    /// The maximum number of contacts that it has.
    pub contacts: u32,
    /// The part ends with the contact at which its stored values reach this many bytes.
    pub bytes: u32,
}

/// The contacts of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The contacts; at least one, unless none follow.
    pub contacts: Vec<Contact>,
    /// Whether others follow.
    pub goes_on: bool,
}
