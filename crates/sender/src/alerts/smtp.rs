//! The mail server.

use std::error::Error;
use std::net::Ipv4Addr;
use std::time::Duration;

use async_trait::async_trait;
use contact_hub_domain::alerts::{DueMail, MailError, Mailer};
use lettre::message::Mailbox;
use lettre::transport::smtp;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::response::{Category, Code, Severity};
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use percent_encoding::percent_decode_str;
use url::{Host, Url};

use super::message::message;

/// How long one command of the server may take.
const COMMAND: Duration = Duration::from_secs(15);

/// The settings of the mail server.
pub struct SmtpOptions {
    /// `smtps://` or `smtp://`, with the name and the password of the user if the server wants them.
    pub url: Url,
    /// The password, in place of that of the address.
    pub password: Option<String>,
    /// The sender of the emails, such as `Contact Hub <hub@example.com>`.
    pub from: String,
    /// The address of the service, for links.
    pub public_url: String,
}

/// The mail server cannot be used with these settings.
#[derive(Debug, thiserror::Error)]
pub enum SmtpError {
    /// The address has another scheme.
    #[error("the address of a mail server begins with smtps:// or smtp://")]
    Scheme,
    /// The address has no host.
    #[error("the address of a mail server needs a host")]
    Host,
    /// The sender is malformed.
    #[error("the sender must be an email address, such as `Contact Hub <hub@example.com>`")]
    From,
    /// TLS cannot be set up.
    #[error("TLS towards the mail server cannot be set up")]
    Tls(#[source] smtp::Error),
}

/// Sends over SMTP (RFC 5321), each email on a connection of its own.
pub struct SmtpMailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    public_url: String,
}

impl SmtpMailer {
    /// A mailer with these settings. It connects to nothing yet.
    pub fn new(options: &SmtpOptions) -> Result<Self, SmtpError> {
        let from: Mailbox = options.from.parse().map_err(|_address| SmtpError::From)?;
        let url = &options.url;
        let host = url.host().ok_or(SmtpError::Host)?;
        let (tls, port) = match url.scheme() {
            "smtps" => (Tls::Wrapper(parameters(&host)?), smtp::SUBMISSIONS_PORT),
            // What leaves the machine is encrypted.
            "smtp" if is_loopback(&host) => {
                (Tls::Opportunistic(parameters(&host)?), smtp::SMTP_PORT)
            }
            "smtp" => (Tls::Required(parameters(&host)?), smtp::SUBMISSION_PORT),
            _ => return Err(SmtpError::Scheme),
        };
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(dialled(&host))
            .port(url.port().unwrap_or(port))
            .tls(tls)
            .hello_name(ClientId::Domain(from.email.domain().to_owned()))
            .timeout(Some(COMMAND));
        if !url.username().is_empty() {
            let password = options.password.clone();
            let password = password.or_else(|| url.password().map(decoded)).unwrap_or_default();
            builder = builder.credentials(Credentials::new(decoded(url.username()), password));
        }
        let public_url = options.public_url.clone();
        Ok(Self { transport: builder.build(), from, public_url })
    }
}

fn parameters(host: &Host<&str>) -> Result<TlsParameters, SmtpError> {
    let mut builder = TlsParameters::builder(dialled(host));
    // The system may have no list.
    for certificate in webpki_root_certs::TLS_SERVER_ROOT_CERTS {
        let certificate = Certificate::from_der(certificate.to_vec()).map_err(SmtpError::Tls)?;
        builder = builder.add_root_certificate(certificate);
    }
    builder.build().map_err(SmtpError::Tls)
}

/// The host without the brackets of an address.
fn dialled(host: &Host<&str>) -> String {
    match host {
        Host::Ipv6(address) => address.to_string(),
        host => host.to_string(),
    }
}

fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        // Only of http and the like does the parser read addresses of IPv4.
        Host::Domain(name) => {
            *name == "localhost" || name.parse().is_ok_and(|it: Ipv4Addr| it.is_loopback())
        }
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    }
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, mail: &DueMail) -> Result<(), MailError> {
        let message = message(mail, &self.from, &self.public_url);
        let message = message.map_err(|_unwritable| MailError::Rejected)?;
        match self.transport.send(message).await {
            Ok(_accepted) => Ok(()),
            Err(error) if error.status().is_some_and(rejects_the_mailbox) => {
                Err(MailError::Rejected)
            }
            Err(error) => Err(MailError::Failed(cause(&error))),
        }
    }
}

/// Whether the reply says that the mailbox does not exist or takes no emails: 550 to 553.
const fn rejects_the_mailbox(code: Code) -> bool {
    matches!(code.severity, Severity::PermanentNegativeCompletion)
        && matches!(code.category, Category::MailSystem)
}

/// Why an email failed, without the text of the server, which may contain addresses.
fn cause(error: &smtp::Error) -> String {
    if let Some(code) = error.status() {
        return format!("it answered {code}");
    }
    let source = error.source().map(|source| format!(": {source}")).unwrap_or_default();
    let kind = if error.is_timeout() { "no answer in time" } else { "no connection" };
    format!("{kind}{source}")
}

#[cfg(test)]
mod tests {
    use super::{SmtpError, SmtpMailer, SmtpOptions};

    fn made(url: &str, from: &str) -> Result<(), SmtpError> {
        let options = SmtpOptions {
            url: url.parse().expect("an address"),
            password: None,
            from: from.to_owned(),
            public_url: "https://hub.example".to_owned(),
        };
        SmtpMailer::new(&options).map(drop)
    }

    #[test]
    fn wrong_settings_are_rejected_before_anything_is_sent() {
        for url in ["smtps://ann:p%40ss@mail.example", "smtp://mail.example:2525", "smtp://[::1]"] {
            assert!(made(url, "Contact Hub <hub@hub.example>").is_ok(), "{url}");
        }
        assert!(matches!(made("https://mail.example", "hub@hub.example"), Err(SmtpError::Scheme)));
        assert!(matches!(made("smtp:mail", "hub@hub.example"), Err(SmtpError::Host)));
        assert!(matches!(made("smtp://mail.example", "hub"), Err(SmtpError::From)));
    }
}
