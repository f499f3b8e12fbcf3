//! The limit of the values that the contacts of one answer have.

use super::ContactsError;
use crate::violations::{Problem, Violations};

/// The maximum size of the values, in MiB, of several contacts.
const MAX_MIB: u32 = 16;

/// How many bytes of values so many contacts may have. One contact is always returned, however large it is.
pub(super) const fn most_bytes(contacts: usize) -> u32 {
    if contacts > 1 { MAX_MIB << 20 } else { u32::MAX }
}

/// The error of an input by which the contacts have more.
pub(super) fn too_large(path: &str) -> ContactsError {
    let sentence = format!("has contacts with more than {MAX_MIB} MiB of values; ask for fewer");
    Violations::one(path, Problem::new(sentence)).into()
}
