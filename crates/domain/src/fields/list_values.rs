//! List the values in use for a field.

use super::{FieldValue, FieldsError, ValuesQuery};
use crate::context::{ContactPorts, Context};
use crate::ids::FieldId;
use crate::page::Page;

/// The requested page of the distinct values that active contacts of the company have for a field.
pub async fn list_values(
    cx: &Context<'_, ContactPorts>,
    field: FieldId,
    query: ValuesQuery,
) -> Result<Page<FieldValue>, FieldsError> {
    let page = cx.ports.fields.list_values(cx.caller.company.id, field, query).await?;
    page.ok_or(FieldsError::NotFound)
}
