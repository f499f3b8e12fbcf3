//! The rights of a person: erasing a contact.

mod block;
mod erase;
mod everything;
mod look_ups;
mod overdue;
mod sample;
mod traces;
