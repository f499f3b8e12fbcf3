//! Webhooks, and what was delivered to them.

mod activity;
mod attempt_row;
pub(crate) mod change;
pub(crate) mod create;
mod curl;
pub(crate) mod delete;
mod delivery_row;
pub(crate) mod end_previous_secrets;
mod event_choice;
mod filter;
mod form;
mod json_text;
pub(crate) mod list;
pub(crate) mod list_deliveries;
mod names;
mod outcome;
pub(crate) mod read;
pub(crate) mod read_delivery;
pub(crate) mod recover;
pub(crate) mod resend;
pub(crate) mod resend_many;
pub(crate) mod rotate_secret;
mod secret;
mod standing;
pub(crate) mod test;
