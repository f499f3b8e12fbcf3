//! The mail server.

use std::net::Ipv4Addr;

use async_trait::async_trait;
use contact_hub_domain::alerts::{DueMail, MailError, Mailer};
use lettre::message::Mailbox;
use lettre::transport::smtp;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, CertificateStore, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use percent_encoding::percent_decode_str;
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject as _;
use url::{Host, Url};

use super::message::message;
use super::transfer::{Route, Security};

/// The settings of the mail server.
pub struct SmtpOptions {
    /// `smtps://` or `smtp://`, with the name and the password of the user if the server wants them.
    pub url: Url,
    /// The password, in place of that of the address.
    pub password: Option<String>,
    /// The certificates of the authorities that are trusted, in PEM, in place of the system's.
    pub trusted: Option<Vec<u8>>,
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
    /// The address has a query that is not known.
    #[error("the only parameter of the address of a mail server is ?tls=required")]
    Parameter,
    /// The sender is malformed.
    #[error("the sender must be an email address, such as `Contact Hub <hub@example.com>`")]
    From,
    /// There is no certificate to trust, or a malformed one.
    #[error("the file of trusted authorities needs certificates in PEM")]
    Trusted,
    /// TLS cannot be set up.
    #[error("TLS towards the mail server cannot be set up")]
    Tls(#[source] smtp::Error),
}

/// Sends over SMTP (RFC 5321), each email on its own connection.
pub struct SmtpMailer {
    route: Route,
    from: Mailbox,
    public_url: String,
}

impl SmtpMailer {
    /// A mailer with these settings. It connects to nothing yet.
    pub fn new(options: &SmtpOptions) -> Result<Self, SmtpError> {
        let from: Mailbox = options.from.parse().map_err(|_address| SmtpError::From)?;
        let url = &options.url;
        let host = url.host().ok_or(SmtpError::Host)?;
        let trusted = options.trusted.as_deref();
        let is_plain = !requires_tls(url)? && is_loopback(&host);
        let (security, port) = match url.scheme() {
            "smtps" => (Security::Wrapped(parameters(&host, trusted)?), smtp::SUBMISSIONS_PORT),
            // Only traffic that leaves the machine needs encryption, and a server for this machine rarely has a
            // certificate for it.
            "smtp" if is_plain => (Security::Plain, smtp::SMTP_PORT),
            "smtp" => (Security::StartTls(parameters(&host, trusted)?), smtp::SUBMISSION_PORT),
            _ => return Err(SmtpError::Scheme),
        };
        let route = Route {
            host: dialled(&host),
            port: url.port().unwrap_or(port),
            security,
            hello: ClientId::Domain(from.email.domain().to_owned()),
            credentials: credentials(options),
        };
        Ok(Self { route, from, public_url: options.public_url.clone() })
    }
}

fn credentials(options: &SmtpOptions) -> Option<Credentials> {
    let url = &options.url;
    let password = options.password.clone().or_else(|| url.password().map(decoded));
    let user = decoded(url.username());
    (!user.is_empty()).then(|| Credentials::new(user, password.unwrap_or_default()))
}

fn requires_tls(url: &Url) -> Result<bool, SmtpError> {
    match url.query() {
        None => Ok(false),
        Some("tls=required") => Ok(true),
        Some(_) => Err(SmtpError::Parameter),
    }
}

/// Trusts the given authorities, or the system's, or Mozilla's where the system has no list.
fn parameters(host: &Host<&str>, trusted: Option<&[u8]>) -> Result<TlsParameters, SmtpError> {
    let mut builder = TlsParameters::builder(dialled(host));
    let given: Vec<CertificateDer<'static>> = match trusted {
        Some(pem) => {
            builder = builder.certificate_store(CertificateStore::None);
            authorities(pem)?
        }
        None if rustls_native_certs::load_native_certs().certs.is_empty() => {
            webpki_root_certs::TLS_SERVER_ROOT_CERTS.to_vec()
        }
        None => Vec::new(),
    };
    for certificate in given {
        let certificate = Certificate::from_der(certificate.to_vec()).map_err(SmtpError::Tls)?;
        builder = builder.add_root_certificate(certificate);
    }
    builder.build().map_err(SmtpError::Tls)
}

fn authorities(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, SmtpError> {
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    found.ok().filter(|found| !found.is_empty()).ok_or(SmtpError::Trusted)
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
        // The parser recognizes IPv4 addresses only in URLs of http and similar schemes.
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
        self.route.transfer(&message).await
    }
}

#[cfg(test)]
mod tests {
    use super::{SmtpError, SmtpMailer, SmtpOptions};

    fn made_with(url: &str, from: &str, trusted: Option<&str>) -> Result<(), SmtpError> {
        let options = SmtpOptions {
            url: url.parse().expect("an address"),
            password: None,
            trusted: trusted.map(|pem| pem.as_bytes().to_vec()),
            from: from.to_owned(),
            public_url: "https://hub.example".to_owned(),
        };
        SmtpMailer::new(&options).map(drop)
    }

    fn made(url: &str, from: &str) -> Result<(), SmtpError> {
        made_with(url, from, None)
    }

    #[test]
    fn invalid_settings_are_rejected_before_anything_is_sent() {
        for url in [
            "smtps://ann:p%40ss@mail.example",
            "smtp://mail.example:2525",
            "smtp://[::1]",
            "smtp://localhost?tls=required",
        ] {
            assert!(made(url, "Contact Hub <hub@hub.example>").is_ok(), "{url}");
        }
        assert!(matches!(made("https://mail.example", "hub@hub.example"), Err(SmtpError::Scheme)));
        assert!(matches!(made("smtp:mail", "hub@hub.example"), Err(SmtpError::Host)));
        assert!(matches!(made("smtp://mail.example", "hub"), Err(SmtpError::From)));
    }

    #[test]
    fn an_unknown_parameter_and_a_file_without_certificates_are_rejected() {
        for url in ["smtp://localhost?tls=none", "smtp://mail.example?tls", "smtps://m.example?a=b"]
        {
            assert!(matches!(made(url, "hub@hub.example"), Err(SmtpError::Parameter)), "{url}");
        }
        let malformed = "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n";
        for pem in ["", "no PEM", malformed] {
            let made = made_with("smtps://mail.example", "hub@hub.example", Some(pem));
            assert!(matches!(made, Err(SmtpError::Trusted)), "{pem}");
        }
    }
}
