//! The transfer of one email over SMTP (RFC 5321), step by step: a failure names its step.

use std::error::Error;
use std::time::Duration;

use contact_hub_domain::alerts::MailError;
use lettre::Message;
use lettre::transport::smtp;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};
use tokio::time::timeout;

/// How long one step may take.
const STEP: Duration = Duration::from_secs(15);

/// How long the end of the session may take.
const QUIT: Duration = Duration::from_secs(5);

/// How the connection is encrypted.
pub(super) enum Security {
    /// Not at all.
    Plain,
    /// By STARTTLS (RFC 3207), before anything else is sent.
    StartTls(TlsParameters),
    /// From the beginning (RFC 8314).
    Wrapped(TlsParameters),
}

/// How emails reach the server. Each email has its own connection.
pub(super) struct Route {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) security: Security,
    pub(super) hello: ClientId,
    pub(super) credentials: Option<Credentials>,
}

impl Route {
    /// Transfers an email.
    pub(super) async fn transfer(&self, message: &Message) -> Result<(), MailError> {
        let mut connection = self.connect().await?;
        if let Some(credentials) = &self.credentials {
            let authenticated = connection.auth(DEFAULT_MECHANISMS, credentials);
            step("authentication", authenticated).await?;
        }
        submit(&mut connection, message).await?;
        // The server has already accepted the email. To wait for its answer to this could exceed the deadline of the email, which
        // would then be sent again.
        tokio::spawn(async move { timeout(QUIT, connection.quit()).await.ok() });
        Ok(())
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Failure> {
        let server = (self.host.as_str(), self.port);
        let wrapped = match &self.security {
            Security::Wrapped(parameters) => Some(parameters.clone()),
            Security::Plain | Security::StartTls(_) => None,
        };
        let connected =
            AsyncSmtpConnection::connect_tokio1(server, Some(STEP), &self.hello, wrapped, None);
        let mut connection = step("connecting", connected).await?;
        if let Security::StartTls(parameters) = &self.security {
            step("STARTTLS", connection.starttls(parameters.clone(), &self.hello)).await?;
        }
        Ok(connection)
    }
}

async fn submit(connection: &mut AsyncSmtpConnection, message: &Message) -> Result<(), MailError> {
    let (envelope, text) = (message.envelope(), message.formatted());
    let mut parameters = Vec::new();
    let mut mailboxes = envelope.from().into_iter().chain(envelope.to());
    if mailboxes.any(|mailbox| !AsRef::<str>::as_ref(mailbox).is_ascii()) {
        if !connection.server_info().supports_feature(Extension::SmtpUtfEight) {
            return Err(MailError::Rejected);
        }
        parameters.push(MailParameter::SmtpUtfEight);
    }
    if !text.is_ascii() {
        parameters.push(MailParameter::Body(MailBodyParameter::EightBitMime));
    }
    let sender = Mail::new(envelope.from().cloned(), parameters);
    step("naming the sender", connection.command(sender)).await?;
    for to in envelope.to() {
        let recipient = Rcpt::new(to.clone(), Vec::new());
        let named = step("naming the recipient", connection.command(recipient)).await;
        named.map_err(Failure::of_mailbox)?;
    }
    step("announcing the email", connection.command(Data)).await?;
    step("the email", connection.message(&text)).await.map_err(Failure::of_mailbox)?;
    Ok(())
}

/// Runs a step within its time.
async fn step<T>(
    name: &'static str,
    work: impl Future<Output = Result<T, smtp::Error>>,
) -> Result<T, Failure> {
    let done = timeout(STEP, work).await;
    done.map_err(|_late| Failure { step: name, error: None })?
        .map_err(|error| Failure { step: name, error: Some(error) })
}

/// A step that failed; without an error it took too long.
struct Failure {
    step: &'static str,
    error: Option<smtp::Error>,
}

impl Failure {
    /// The error of a step that says whether the mailbox takes emails.
    fn of_mailbox(self) -> MailError {
        if self.error.as_ref().is_some_and(rejects_the_mailbox) {
            MailError::Rejected
        } else {
            self.into()
        }
    }
}

impl From<Failure> for MailError {
    fn from(Failure { step, error }: Failure) -> Self {
        let late = || format!("no answer within {} seconds", STEP.as_secs());
        let cause = error.map_or_else(late, |error| cause(&error));
        Self::Failed(format!("{step} failed: {cause}"))
    }
}

/// Whether the reply says that the mailbox does not exist or takes no emails. A rejection by a policy (X.7.X of RFC 3463),
/// such as to relay, is about the service.
fn rejects_the_mailbox(error: &smtp::Error) -> bool {
    let code = error.status().map(u16::from);
    let is_policy = enhanced(error).is_some_and(|status| status.starts_with("5.7."));
    code.is_some_and(|code| (550..=553).contains(&code)) && !is_policy
}

/// Why a step failed, without the text of the server, which may contain addresses.
fn cause(error: &smtp::Error) -> String {
    if let Some(code) = error.status() {
        let status = enhanced(error).map(|status| format!(" {status}")).unwrap_or_default();
        return format!("the server answered {code}{status}");
    }
    if error.is_response() {
        return "the server closed the connection or does not speak SMTP".to_owned();
    }
    let mut source = error.source();
    while let Some(inner) = source.and_then(|it| it.downcast_ref::<smtp::Error>()) {
        source = inner.source();
    }
    source.map_or_else(|| "the connection broke".to_owned(), ToString::to_string)
}

/// The enhanced status code (RFC 2034) at the beginning of a reply.
fn enhanced(error: &smtp::Error) -> Option<String> {
    let text = error.source()?.to_string();
    let word = text.split_ascii_whitespace().next()?;
    let is_number = |part: &str| {
        (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_status = word.split('.').count() == 3 && word.split('.').all(is_number);
    is_status.then(|| word.to_owned())
}
