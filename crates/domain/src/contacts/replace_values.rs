//! Replace the values of one contact.

use super::{ContactDetail, ContactsError, ExpectedVersion, ReplaceValuesOutcome};
use crate::context::{ContactPorts, Context};
use crate::fields::{FieldValuesDraft, Replacing};
use crate::ids::ContactId;
use crate::rules::{count, required, valid};

/// The maximum number of entries of one replacement.
pub const MAX_REPLACED_VALUES: usize = 20;

/// The input for a replacement.
#[derive(Clone, Debug, Default, garde::Validate)]
pub struct ReplacementDraft {
    /// The values.
    #[garde(custom(required), custom(count(1, MAX_REPLACED_VALUES, "entries")))]
    pub field_values: FieldValuesDraft,
}

/// Replaces all values of a contact with 1 to [`MAX_REPLACED_VALUES`] entries. A null entry removes its value. Values
/// of archived fields stay, unless a null entry removes them. Rejected when the contact is not at the `expected` version.
pub async fn replace_values(
    cx: &Context<'_, ContactPorts>,
    id: ContactId,
    draft: &ReplacementDraft,
    expected: ExpectedVersion,
) -> Result<ContactDetail, ContactsError> {
    let company = cx.caller.company.id;
    // An unreasonable number of names is refused before any is looked up.
    valid(draft, (), Some)?;
    let keys: Vec<&str> = draft.field_values.keys().collect();
    let directory = cx.ports.fields.directory(company, &keys).await?;
    let (changes, violations) = draft.field_values.read(&directory);
    violations.into_result()?;
    let archived = directory.fields().iter().filter(|field| field.archived);
    let archived = archived.map(|field| field.key.clone());
    let kept = archived.filter(|key| !changes.contains_key(key)).collect();
    let values = changes.into_iter().filter_map(|(key, change)| Some((key, change?))).collect();
    let values = Replacing { values, kept };
    let at = cx.ports.environment.clock.now();
    match cx.ports.contacts.replace_values(cx.author(), id, values, expected, at).await? {
        ReplaceValuesOutcome::Replaced(contact) => Ok(ContactDetail::of(contact, directory)),
        ReplaceValuesOutcome::NotFound => Err(ContactsError::NotFound),
        ReplaceValuesOutcome::Stale => Err(ContactsError::Stale),
    }
}
