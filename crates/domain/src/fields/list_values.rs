//! List the values in use for a field.

use super::{FieldValue, FieldsError, ValuesQuery};
use crate::context::Context;
use crate::ids::FieldId;
use crate::page::Page;

/// The page of distinct values that active contacts of the company have for a field, as a request's query asks for it, in
/// its undecoded form.
pub async fn list_values(
    cx: &Context<'_>,
    field: FieldId,
    query: &str,
) -> Result<Page<FieldValue>, FieldsError> {
    let query = ValuesQuery::parse(query)?;
    let page = cx.ports.fields.list_values(cx.caller.company.id, field, query).await?;
    page.ok_or(FieldsError::NotFound)
}
