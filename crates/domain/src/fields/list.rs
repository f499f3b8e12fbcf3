//! List the fields of a company.

use std::sync::Arc;

use super::{Directory, FieldsError};
use crate::context::{ContactPorts, Context};

/// Every field of the caller's company, oldest first.
pub async fn list(cx: &Context<'_, ContactPorts>) -> Result<Arc<Directory>, FieldsError> {
    Ok(cx.ports.fields.list(cx.caller.company.id).await?)
}
