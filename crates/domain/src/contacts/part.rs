//! Parts of a list, whose number of contacts nobody counts.

use super::{Contact, Place};

/// Where a part begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// Behind so many contacts.
    Skipping(u64),
    /// Behind a place, whose contact may be gone.
    Behind(Place),
}

/// A part of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartRequest {
    /// Its beginning.
    pub start: Start,
    /// The most contacts that it has.
    pub contacts: u32,
    /// The part ends with the contact by which its stored values have this many bytes.
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
