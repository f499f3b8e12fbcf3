//! Who makes a change, as it is recorded with the change.

use std::net::IpAddr;
use std::sync::Arc;

use crate::ids::{ApiKeyId, CompanyId, UserId};

/// The call that a use case serves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// The key that authenticated it; `None` for a session or an embedding program.
    pub key: Option<ApiKeyId>,
    /// The client's address.
    pub address: Option<IpAddr>,
    /// The id under which the call is logged.
    pub request_id: Option<Arc<str>>,
    /// The client's browser in plain words, in calls that sign in.
    pub browser: Option<Arc<str>>,
}

/// The author of a change, and the company in which it is made. A writing method of a store port is limited to this
/// company.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// The company.
    pub company: CompanyId,
    /// The user; `None` for the service itself and its operator.
    pub user: Option<UserId>,
    /// The call in which the change is made.
    pub call: Call,
}

impl From<CompanyId> for Author {
    /// The service itself.
    fn from(company: CompanyId) -> Self {
        Self { company, user: None, call: Call::default() }
    }
}
