//! The fields and their values.

mod of_contact;
