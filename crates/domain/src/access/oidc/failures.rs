//! Notes sign-ins by providers that failed.

use serde_json::{Map, Value};

use super::{OidcError, OidcProvider};
use crate::audit::{AuditAction, NewAuditEntry};
use crate::author::{Author, Call};
use crate::context::AccessPorts;

/// Notes a failure for the audit of the company that set the provider. Those of the operator's providers belong to no
/// company; the caller logs them all.
pub(super) fn note(ports: &AccessPorts, provider: &OidcProvider, error: &OidcError, call: &Call) {
    let Some(company) = provider.company else { return };
    let by = Author { company, user: None, call: call.clone() };
    let now = ports.environment.clock.now();
    let mut entry = NewAuditEntry::of_many(&by, AuditAction::OidcFailed, now, &[]);
    let reason = Value::from(error.reason());
    let provider = Value::from(provider.key.as_str());
    let facts = [("provider".to_owned(), provider), ("reason".to_owned(), reason)];
    entry.new = Some(facts.into_iter().collect::<Map<_, _>>());
    ports.failed_sign_ins.note([entry]);
}
