//! The checks of one contact before it is written.

use std::collections::HashSet;
use std::sync::Arc;

use super::{ContactDraft, ContactInput, ContactsError};
use crate::context::{ContactPorts, Context};
use crate::email::Email;
use crate::fields::Directory;

/// Validates a draft against the company's fields, and its email against the allowed domains and the blocked emails.
/// Returns the fields too.
pub(super) async fn validate(
    cx: &Context<'_, ContactPorts>,
    draft: &ContactDraft,
) -> Result<(ContactInput, Arc<Directory>), ContactsError> {
    let keys: Vec<&str> = draft.field_values.keys().collect();
    let directory = cx.ports.fields.directory(cx.caller.company.id, &keys).await?;
    let input = draft.validate(&directory)?;
    permitted(cx, &input.email).await?;
    Ok((input, directory))
}

/// Rejects an email whose domain is not allowed.
pub(super) fn in_allowed_domain(
    cx: &Context<'_, ContactPorts>,
    email: &Email,
) -> Result<(), ContactsError> {
    if cx.caller.company.allowed_domains.permits(email.domain()) {
        Ok(())
    } else {
        Err(ContactsError::DomainNotAllowed)
    }
}

/// Rejects an email whose domain is not allowed, and one that is blocked.
async fn permitted(cx: &Context<'_, ContactPorts>, email: &Email) -> Result<(), ContactsError> {
    in_allowed_domain(cx, email)?;
    if !blocked(cx, &[email]).await?.is_empty() {
        return Err(ContactsError::Erased);
    }
    Ok(())
}

/// Rejects an email that a write found blocked, unless it can be used again.
pub(super) async fn still_permitted(
    cx: &Context<'_, ContactPorts>,
    email: &Email,
) -> Result<(), ContactsError> {
    if blocked_now(cx, &[email]).await?.is_empty() { Ok(()) } else { Err(ContactsError::Erased) }
}

/// The indexes of the blocked emails among these.
pub(super) async fn blocked(
    cx: &Context<'_, ContactPorts>,
    emails: &[&Email],
) -> Result<HashSet<usize>, ContactsError> {
    match &cx.ports.blocked_emails {
        Some(blocked) => Ok(blocked.among(&cx.caller.company, emails).await?),
        None => Ok(HashSet::new()),
    }
}

/// The same, although no blocked email of the company may be known yet.
pub(super) async fn blocked_now(
    cx: &Context<'_, ContactPorts>,
    emails: &[&Email],
) -> Result<HashSet<usize>, ContactsError> {
    match &cx.ports.blocked_emails {
        Some(blocked) => Ok(blocked.among_now(cx.caller.company.id, emails).await?),
        None => Ok(HashSet::new()),
    }
}
