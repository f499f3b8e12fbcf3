//! Alerts of users, and the emails that wait.
//!
//! A transaction that raises alerts writes them for each recipient, and then touches the recipients' rows of
//! `alert_mails` in the order of the companies and users. A claim locks such a row before it looks for alerts. So a row
//! is never deleted as idle while an alert of its user is being written.

mod announce;
mod choices;
mod claim;
mod keys;
mod raise;
mod recipients;
mod store;

pub(crate) use raise::raise;
