//! An authority that signs certificates of servers.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// A certificate authority for a test.
pub struct Authority {
    certificate: String,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    /// Creates an authority with this name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let mut parameters = CertificateParams::default();
        parameters.distinguished_name.push(DnType::CommonName, name);
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let certificate = parameters.self_signed(&key).expect("a certificate").pem();
        Self { certificate, issuer: Issuer::new(parameters, key) }
    }

    /// Its own certificate, in PEM.
    #[must_use]
    pub fn certificate(&self) -> &str {
        &self.certificate
    }

    /// A certificate for a host, and its key, in PEM.
    #[must_use]
    pub fn sign(&self, host: &str) -> (String, String) {
        let parameters = CertificateParams::new([host.to_owned()]).expect("a host");
        let key = KeyPair::generate().expect("a key");
        let certificate = parameters.signed_by(&key, &self.issuer).expect("a certificate");
        (certificate.pem(), key.serialize_pem())
    }

    /// TLS as a server with a certificate for a host.
    #[must_use]
    pub fn acceptor(&self, host: &str) -> TlsAcceptor {
        let (certificate, key) = self.sign(host);
        let certificate = CertificateDer::from_pem_slice(certificate.as_bytes()).expect("PEM");
        let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).expect("PEM");
        let config = ServerConfig::builder().with_no_client_auth();
        let config = config.with_single_cert(vec![certificate], key).expect("a certificate");
        TlsAcceptor::from(Arc::new(config))
    }
}
