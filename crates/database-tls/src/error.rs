//! What is wrong with the parameters of an address.

/// Why there is no TLS with an address. It never contains a secret of the address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TlsError {
    /// A parameter has a value that it cannot have.
    #[error("in the address of the database, {name} cannot be {value:?}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// The value.
        value: String,
    },
    /// A parameter of libpq that is not supported here. Ignoring it could make a connection less safe.
    #[error("in the address of the database, {0} is not supported")]
    Unsupported(&'static str),
    /// Parameters that do not fit together.
    #[error("in the address of the database, {0}")]
    Conflict(&'static str),
    /// A file that a parameter names.
    #[error("{name}={path} cannot be used: {reason}")]
    File {
        /// The parameter.
        name: &'static str,
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The system has no list of authorities that can be read.
    #[error("sslrootcert=system: the certificates of the system cannot be read: {0}")]
    System(String),
    /// The local socket or its thread was not created.
    #[error("the local socket for TLS towards PostgreSQL was not created: {0}")]
    Socket(String),
}
