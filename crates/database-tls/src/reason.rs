//! Says why there is no TLS with a server.

use std::io;

use tokio_rustls::rustls::{CertificateError, Error};

/// How webpki names two faults for which rustls has no name.
pub(crate) const CA_AS_SERVER: &str = "CaUsedAsEndEntity";
const OLD_VERSION: &str = "UnsupportedCertVersion";

/// The reason in words on which an operator can act.
pub(crate) fn reason(error: &io::Error) -> String {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>());
    match inner {
        Some(Error::InvalidCertificate(fault)) => {
            format!("the certificate of the server was rejected: {}", of_certificate(fault))
        }
        Some(Error::AlertReceived(alert)) => {
            format!("the server ended it with the alert {alert:?}")
        }
        Some(error) => error.to_string(),
        None => error.to_string(),
    }
}

fn of_certificate(fault: &CertificateError) -> String {
    match fault {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "it has expired".to_owned()
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "it is not valid yet".to_owned()
        }
        CertificateError::UnknownIssuer => {
            "it was not signed by an authority of sslrootcert".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "it is for another host; its subjectAltName must have the host of the address"
                .to_owned()
        }
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
            "it is not for servers".to_owned()
        }
        CertificateError::Other(other) => match format!("{:?}", other.0).as_str() {
            CA_AS_SERVER => "it may sign others, and is not in sslrootcert itself".to_owned(),
            OLD_VERSION => "it has version 1 of X.509, and needs version 3".to_owned(),
            other => other.to_owned(),
        },
        other => other.to_string(),
    }
}
