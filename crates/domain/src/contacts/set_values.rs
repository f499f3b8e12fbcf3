//! Set values of many contacts at once.

use super::ContactsError;
use crate::context::{ContactPorts, Context};
use crate::fields::FieldValuesDraft;
use crate::ids::ContactId;
use crate::violations::{Problem, Violations};

/// The maximum number of contacts of one call.
pub const MAX_SET_VALUES: usize = 1000;

/// Sets the same values for each of these contacts that is active, and returns their number. A null value is removed, and
/// other values stay.
pub async fn set_values(
    cx: &Context<'_, ContactPorts>,
    ids: Vec<ContactId>,
    values: &FieldValuesDraft,
) -> Result<u64, ContactsError> {
    if ids.len() > MAX_SET_VALUES {
        let sentence = format!("must have at most {MAX_SET_VALUES} entries");
        return Err(Violations::one("ids", Problem::new(sentence)).into());
    }
    let keys: Vec<&str> = values.keys().collect();
    let directory = cx.ports.fields.directory(cx.caller.company.id, &keys).await?;
    let (values, violations) = values.read(&directory);
    violations.into_result()?;
    let at = cx.ports.environment.clock.now();
    Ok(cx.ports.contacts.set_values(cx.author(), ids, values, at).await?)
}
