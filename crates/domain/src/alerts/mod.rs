//! Alerts: what people have to know although they do not look, such as a webhook that was switched off.
//!
//! An alert is stored in the transaction of its cause, for each user who chose it. Those of a user are collected for a
//! while and sent in one email. So a cause never waits for a mail server, and many causes make one email. An alert that
//! somebody wants webhooks to get becomes an event too.

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

/// A key is alerted of when it expires within so many seconds. One that lived no longer than that from the beginning
/// never is.
pub const KEY_NOTICE_SECONDS: i64 = 7 * 24 * 60 * 60;
