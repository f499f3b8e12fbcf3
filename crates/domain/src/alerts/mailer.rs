//! The port of a mail server.

use async_trait::async_trait;

use super::DueMail;

/// Why an email was not sent.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// The server does not accept emails for this address. Another attempt would fail too.
    #[error("the mail server rejects the recipient")]
    Rejected,
    /// Another attempt may succeed. The text has no address.
    #[error("the mail server could not be used: {0}")]
    Failed(String),
}

/// Sends emails.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait Mailer: Send + Sync {
    /// Sends one email with its alerts. Attempts of one batch have the same message id. It ends within its deadline.
    async fn send(&self, mail: &DueMail) -> Result<(), MailError>;
}
