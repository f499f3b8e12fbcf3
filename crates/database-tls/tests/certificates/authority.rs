//! Certificates, and the files that have them.

use rcgen::{
    BasicConstraints, Certificate, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, date_time_ymd,
};
use tempfile::TempDir;

/// The host of the certificates.
pub(crate) const HOST: &str = "db.example";

/// What may be wrong with a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Right,
    Expired,
    Future,
    ForClients,
}

/// A certificate and its key.
pub(crate) type Pair = (Certificate, KeyPair);

/// Signs certificates.
pub(crate) struct Authority {
    certificate: Certificate,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    pub(crate) fn new(name: &str) -> Self {
        let mut parameters = CertificateParams::default();
        parameters.distinguished_name.push(DnType::CommonName, name);
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let certificate = parameters.self_signed(&key).expect("a certificate");
        Self { certificate, issuer: Issuer::new(parameters, key) }
    }

    /// Its own certificate.
    pub(crate) fn certificate(&self) -> String {
        self.certificate.pem()
    }

    pub(crate) fn der(&self) -> Vec<u8> {
        self.certificate.der().to_vec()
    }

    /// A certificate for a server or a client.
    pub(crate) fn sign(&self, kind: Kind) -> Pair {
        let key = KeyPair::generate().expect("a key");
        let certificate = parameters(kind).signed_by(&key, &self.issuer);
        (certificate.expect("a certificate"), key)
    }

    /// A certificate that a server signed itself, and that may sign others.
    pub(crate) fn own(kind: Kind) -> Pair {
        let mut parameters = parameters(kind);
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        (parameters.self_signed(&key).expect("a certificate"), key)
    }
}

fn parameters(kind: Kind) -> CertificateParams {
    let mut parameters = CertificateParams::new([HOST.to_owned()]).expect("a host");
    let usage = match kind {
        Kind::ForClients => ExtendedKeyUsagePurpose::ClientAuth,
        _ => ExtendedKeyUsagePurpose::ServerAuth,
    };
    parameters.extended_key_usages = vec![usage];
    match kind {
        Kind::Expired => parameters.not_after = date_time_ymd(2020, 1, 1),
        Kind::Future => parameters.not_before = date_time_ymd(4000, 1, 1),
        Kind::Right | Kind::ForClients => {}
    }
    parameters
}

/// Files of one test.
pub(crate) struct Files(TempDir);

impl Files {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().expect("a temporary directory"))
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// Writes a file and returns its path.
    pub(crate) fn write(&self, name: &str, content: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).expect("a file");
        path
    }
}
