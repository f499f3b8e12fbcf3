//! Sends alerts by email, and creates events from them for webhooks.
//!
//! The worker claims a few emails that are due, sends them at the same time, and records each. It continues while they
//! are sent: a server that does not answer delays neither events nor other emails. An email that fails is sent again
//! later, for a day. After a crash the lease of a claim ends, and another instance sends the same alerts with the same
//! message id.

mod message;
mod smtp;
mod transfer;
mod worker;

pub use smtp::{SmtpError, SmtpMailer, SmtpOptions};
pub use worker::{AlertOptions, AlertPorts, Alerting};
