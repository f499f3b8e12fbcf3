//! The validation of one contact before it is written.

use super::{ContactDraft, ContactInput, ContactsError};
use crate::context::{ContactPorts, Context};

/// Validates a draft against the company's fields, and its email against the allowed domains.
pub(super) async fn validate(
    cx: &Context<'_, ContactPorts>,
    draft: &ContactDraft,
) -> Result<ContactInput, ContactsError> {
    let company = &cx.caller.company;
    let keys: Vec<String> = draft.field_values.keys().map(str::to_owned).collect();
    let directory = cx.ports.fields.directory(company.id, &keys).await?;
    let input = draft.validate(&directory)?;
    if !company.allowed_domains.permits(input.email.domain()) {
        return Err(ContactsError::DomainNotAllowed);
    }
    Ok(input)
}
