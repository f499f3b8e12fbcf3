//! The certificates and keys of an address, from their files.
//!
//! They are read for each connection, so that a file can be replaced while the process runs.

use std::sync::Arc;

use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ClientConfig, client::Resumption};
use webpki_root_certs::TLS_SERVER_ROOT_CERTS;

use crate::error::TlsError;
use crate::mode::Mode;
use crate::settings::{Authorities, Identity, Settings};
use crate::verifier::Verifier;

/// The protocol that servers since PostgreSQL 17 look for.
const PROTOCOL: &[u8] = b"postgresql";

type Certificates = Vec<CertificateDer<'static>>;

impl Settings {
    /// A configuration with what the files contain now.
    pub(crate) fn config(&self) -> Result<Arc<ClientConfig>, TlsError> {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let algorithms = provider.signature_verification_algorithms;
        let verifier = match self.authorities.read()? {
            Some(roots) => Verifier::trusting(roots, self.mode == Mode::VerifyFull, algorithms)
                .map_err(|error| self.authorities.invalid(error.to_string()))?,
            None => Verifier::trusting_all(algorithms),
        };
        let builder = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(self.versions)
            .map_err(|error| TlsError::Socket(error.to_string()))?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier));
        let mut config = match &self.identity {
            Some(identity) => {
                let (certificates, key) = identity.read()?;
                builder
                    .with_client_auth_cert(certificates, key)
                    .map_err(|error| file("sslcert", &identity.certificate, error.to_string()))?
            }
            None => builder.with_no_client_auth(),
        };
        config.alpn_protocols = vec![PROTOCOL.to_vec()];
        config.enable_sni = self.names_host;
        config.resumption = Resumption::disabled();
        Ok(Arc::new(config))
    }
}

impl Authorities {
    fn read(&self) -> Result<Option<Certificates>, TlsError> {
        match self {
            Self::Unverified => Ok(None),
            Self::System => system().map(Some),
            Self::File(path) => certificates("sslrootcert", path).map(Some),
        }
    }

    fn invalid(&self, reason: String) -> TlsError {
        match self {
            Self::File(path) => file("sslrootcert", path, reason),
            Self::Unverified | Self::System => TlsError::System(reason),
        }
    }
}

impl Identity {
    fn read(&self) -> Result<(Certificates, PrivateKeyDer<'static>), TlsError> {
        let key = PrivateKeyDer::from_pem_file(&self.key);
        let key = key.map_err(|error| file("sslkey", &self.key, error.to_string()))?;
        Ok((certificates("sslcert", &self.certificate)?, key))
    }
}

/// The authorities that the system trusts, which `SSL_CERT_FILE` and `SSL_CERT_DIR` can replace. A system without a list
/// has Mozilla's.
fn system() -> Result<Certificates, TlsError> {
    let found = rustls_native_certs::load_native_certs();
    match found.errors.first() {
        _ if !found.certs.is_empty() => Ok(found.certs),
        Some(error) => Err(TlsError::System(error.to_string())),
        None => Ok(TLS_SERVER_ROOT_CERTS.to_vec()),
    }
}

fn certificates(name: &'static str, path: &str) -> Result<Certificates, TlsError> {
    let read = CertificateDer::pem_file_iter(path).and_then(Iterator::collect);
    let read: Certificates = read.map_err(|error| file(name, path, error.to_string()))?;
    if read.is_empty() {
        return Err(file(name, path, "it has no certificate".to_owned()));
    }
    Ok(read)
}

fn file(name: &'static str, path: &str, reason: String) -> TlsError {
    TlsError::File { name, path: path.to_owned(), reason }
}
