//! Says why there is no TLS with a server.

use std::io;

use tokio_rustls::rustls::{CertificateError, Error};

/// What an operator can act on.
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
        other => other.to_string(),
    }
}
