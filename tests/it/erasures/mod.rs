//! The rights of a person: erasing a contact.

mod erase;
mod sample;
mod traces;
