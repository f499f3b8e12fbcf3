//! Whether a certificate is accepted.

use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use tokio_rustls::rustls::crypto::{
    WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{
    CertificateError, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};

use crate::reason::CA_AS_SERVER;

/// Accepts the certificates that the mode and the authorities of an address permit.
#[derive(Debug)]
pub(crate) struct Verifier {
    /// Missing if any certificate is accepted.
    authorities: Option<Trusted>,
    algorithms: WebPkiSupportedAlgorithms,
}

#[derive(Debug)]
struct Trusted {
    certificates: Vec<CertificateDer<'static>>,
    roots: RootCertStore,
    checks_name: bool,
}

impl Verifier {
    pub(crate) const fn trusting_all(algorithms: WebPkiSupportedAlgorithms) -> Self {
        Self { authorities: None, algorithms }
    }

    pub(crate) fn trusting(
        certificates: Vec<CertificateDer<'static>>,
        checks_name: bool,
        algorithms: WebPkiSupportedAlgorithms,
    ) -> Result<Self, Error> {
        let mut roots = RootCertStore::empty();
        // A list of the system may have some that are unreadable; a file in which none is usable is a mistake.
        let (usable, _) = roots.add_parsable_certificates(certificates.iter().cloned());
        if usable == 0 {
            return Err(Error::General("no certificate in it can be used".to_owned()));
        }
        let authorities = Some(Trusted { certificates, roots, checks_name });
        Ok(Self { authorities, algorithms })
    }
}

impl Trusted {
    fn verify(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        now: UnixTime,
        algorithms: &WebPkiSupportedAlgorithms,
    ) -> Result<(), Error> {
        let certificate = ParsedCertificate::try_from(end_entity)?;
        let signed = verify_server_cert_signed_by_trust_anchor(
            &certificate,
            &self.roots,
            intermediates,
            now,
            algorithms.all,
        );
        match signed {
            // A server that is its own authority, which is how many make their first certificate. Its time of validity
            // has been checked before this error.
            Err(error) if is_authority(&error) && self.certificates.contains(end_entity) => {}
            signed => signed?,
        }
        if self.checks_name { verify_server_name(&certificate, server_name) } else { Ok(()) }
    }
}

/// Whether the only fault of a server's certificate is that it may sign others.
fn is_authority(error: &Error) -> bool {
    match error {
        Error::InvalidCertificate(CertificateError::Other(other)) => {
            format!("{:?}", other.0) == CA_AS_SERVER
        }
        _ => false,
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if let Some(trusted) = &self.authorities {
            trusted.verify(end_entity, intermediates, server_name, now, &self.algorithms)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        // Without verification the signature proves nothing, and certificates that cannot be read are accepted too.
        if self.authorities.is_none() {
            return Ok(HandshakeSignatureValid::assertion());
        }
        verify_tls12_signature(message, certificate, signature, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        if self.authorities.is_none() {
            return Ok(HandshakeSignatureValid::assertion());
        }
        verify_tls13_signature(message, certificate, signature, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
