//! Webhooks, and what was delivered to them.

pub(crate) mod change;
pub(crate) mod create;
pub(crate) mod delete;
mod delivery_row;
pub(crate) mod end_previous_secrets;
mod event_choice;
mod form;
pub(crate) mod list;
pub(crate) mod list_deliveries;
mod names;
pub(crate) mod read;
pub(crate) mod read_delivery;
pub(crate) mod recover;
pub(crate) mod resend;
pub(crate) mod rotate_secret;
mod secret;
pub(crate) mod test;
