//! Delete many contacts.

use super::ContactsError;
use crate::context::{ContactPorts, Context};
use crate::ids::ContactId;
use crate::input::{Input, InputList};
use crate::violations::{Problem, Violations};

/// The most ids of one bulk delete.
pub const MAX_BULK_DELETE: usize = 1000;

/// Deletes the contacts that exist and returns their number. Unknown, malformed and already deleted ids are ignored,
/// and repeated ids count once.
pub async fn delete_many(
    cx: &Context<'_, ContactPorts>,
    ids: &InputList<Input>,
) -> Result<u64, ContactsError> {
    let mut ids = validate(ids)?;
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        return Ok(0);
    }
    let at = cx.ports.environment.clock.now();
    Ok(cx.ports.contacts.delete_many(cx.caller.company.id, ids, at).await?)
}

fn validate(ids: &InputList<Input>) -> Result<Vec<ContactId>, Violations> {
    let mut violations = Violations::default();
    let mut known = Vec::new();
    for (index, input) in ids.bounded("ids", MAX_BULK_DELETE)?.iter().enumerate() {
        match input {
            Input::Text(text) => known.extend(ContactId::parse(text)),
            _ => violations.add(format!("ids.{index}"), Problem::new("must be a string")),
        }
    }
    violations.into_result().map(|()| known)
}
