//! Alerts: events that people must learn of even if they do not look at the pages, such as a webhook that was switched
//! off.
//!
//! An alert is stored in the transaction of its cause, for each user who chose it. Those of a user are collected for a
//! while and sent in one email. So a cause never waits for a mail server, and many causes make one email. If a user
//! wants webhooks to get an alert, it also becomes an event.

mod alert;
mod choice;
mod choose;
mod import_ended;
mod kind;
mod mailer;
mod port;
mod recipient;

pub use alert::{Alert, NewAlert, raised_by_health};
pub use choice::{AlertChoice, AlertChoices};
pub use choose::{choices, choose};
pub use import_ended::{EndedImport, import_ended};
pub use kind::AlertKind;
#[cfg(any(test, feature = "mocks"))]
pub use mailer::MockMailer;
pub use mailer::{MailError, Mailer};
pub use port::{AlertQueue, AlertStore, AnnounceAlerts, ClaimMails, DueMail, HeldMail};
#[cfg(any(test, feature = "mocks"))]
pub use port::{MockAlertQueue, MockAlertStore};
pub use recipient::{MAX_RECIPIENTS, MAX_WAITING, Recipient, Recipients};

/// An alert is raised for a key that expires within this many seconds. A key whose whole lifetime is no longer than
/// that never gets one.
pub const KEY_NOTICE_SECONDS: i64 = 7 * 24 * 60 * 60;
