//! Revoke an API key.

use super::AccessError;
use crate::context::Ports;
use crate::ids::{ApiKeyId, CompanyId};

/// Revokes a key of the company, or of any company for an operator. Revoking twice is no error.
pub async fn revoke_key(
    ports: &Ports,
    company: Option<CompanyId>,
    id: ApiKeyId,
) -> Result<(), AccessError> {
    if ports.access.revoke_key(company, id, ports.clock.now()).await? {
        Ok(())
    } else {
        Err(AccessError::ApiKeyNotFound)
    }
}
