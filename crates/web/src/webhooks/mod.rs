//! The webhooks of the caller's company, and what was delivered to them.

pub(crate) mod catalogue;
pub(crate) mod change;
pub(crate) mod create;
pub(crate) mod delete;
mod deliveries_query;
pub(crate) mod end_previous_secrets;
pub(crate) mod json;
pub(crate) mod list;
pub(crate) mod list_deliveries;
pub(crate) mod read;
pub(crate) mod read_delivery;
pub(crate) mod recover;
pub(crate) mod resend;
pub(crate) mod rotate_secret;
pub(crate) mod shapes;
pub(crate) mod test;
