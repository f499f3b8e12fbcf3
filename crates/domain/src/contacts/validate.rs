//! The validation of one contact before it is written.

use super::{ContactDraft, ContactInput, ContactsError};
use crate::context::{ContactPorts, Context};
use crate::email::Email;

/// Validates a draft against the company's fields, and its email against the allowed domains.
pub(super) async fn validate(
    cx: &Context<'_, ContactPorts>,
    draft: &ContactDraft,
) -> Result<ContactInput, ContactsError> {
    let keys: Vec<String> = draft.field_values.keys().map(str::to_owned).collect();
    let directory = cx.ports.fields.directory(cx.caller.company.id, &keys).await?;
    let input = draft.validate(&directory)?;
    permitted(cx, &input.email)?;
    Ok(input)
}

/// Rejects an email whose domain is not allowed.
pub(super) fn permitted(
    cx: &Context<'_, ContactPorts>,
    email: &Email,
) -> Result<(), ContactsError> {
    if cx.caller.company.allowed_domains.permits(email.domain()) {
        return Ok(());
    }
    Err(ContactsError::DomainNotAllowed)
}
