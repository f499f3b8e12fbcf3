//! Restore deleted contacts as they were.

use super::{ContactsError, DeletedContact, WantedDeleted};
use crate::context::{Context, ErasurePorts};
use crate::email::Email;
use crate::ids::ContactId;

/// The maximum number of contacts of one call.
pub const MAX_RESTORE: usize = 1000;

/// How many deleted contacts a page of their list has.
pub const DELETED_PAGE: u32 = 50;

/// Makes deleted contacts active again, with the attributes and values that they had, and returns their number. Others
/// among the ids are ignored.
///
/// As on a create, an email of a domain that is not allowed and one that is blocked are rejected; then nothing is
/// restored. No other contact can have the email of a deleted one.
pub async fn restore(
    cx: &Context<'_, ErasurePorts>,
    mut ids: Vec<ContactId>,
) -> Result<u64, ContactsError> {
    ids.truncate(MAX_RESTORE);
    let company = &cx.caller.company;
    let deleted = cx.ports.erasures.deleted(company.id, WantedDeleted::Ids(ids)).await?;
    let emails: Vec<&Email> = deleted.iter().map(|it| &it.email).collect();
    if !emails.iter().all(|email| company.allowed_domains.permits(email.domain())) {
        return Err(ContactsError::DomainNotAllowed);
    }
    if !cx.ports.blocked_emails.among(company, &emails).await?.is_empty() {
        return Err(ContactsError::Erased);
    }
    let ids: Vec<ContactId> = deleted.iter().map(|it| it.id).collect();
    let at = cx.ports.environment.clock.now();
    match cx.ports.erasures.restore(cx.author(), ids, at).await? {
        0 => Err(ContactsError::NotFound),
        restored => Ok(restored),
    }
}

/// The deleted contacts after one in the list, those that were deleted last first.
pub async fn list_deleted(
    cx: &Context<'_, ErasurePorts>,
    after: Option<ContactId>,
) -> Result<Vec<DeletedContact>, ContactsError> {
    let company = cx.caller.company.id;
    let wanted = WantedDeleted::After(after, DELETED_PAGE);
    Ok(cx.ports.erasures.deleted(company, wanted).await?)
}
