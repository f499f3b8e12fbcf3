//! The rights of a data subject: erasing a contact.

mod block;
mod erase;
mod everything;
mod look_ups;
mod overdue;
mod sample;
mod traces;
