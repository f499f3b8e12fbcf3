//! Read and replace the values of one contact.

use super::{FieldValueEntry, FieldValues, FieldValuesDraft, ValueChanges, entries};
use crate::contacts::{self, ContactDetail, ContactsError, ExpectedVersion, ReplaceValuesOutcome};
use crate::context::{ContactPorts, Context};
use crate::ids::ContactId;
use crate::violations::{Problem, Violations};

/// The most entries of one replacement.
pub const MAX_REPLACED_VALUES: usize = 20;

/// An active contact with its values; the same entries as in the contact's detail.
pub async fn read_of_contact(
    cx: &Context<'_, ContactPorts>,
    id: ContactId,
) -> Result<ContactDetail, ContactsError> {
    contacts::read(cx, id).await
}

/// Replaces all values of a contact with 1 to [`MAX_REPLACED_VALUES`] entries. A null entry removes its value. Rejected
/// when the contact is not at the `expected` version.
pub async fn replace_of_contact(
    cx: &Context<'_, ContactPorts>,
    id: ContactId,
    draft: &FieldValuesDraft,
    expected: ExpectedVersion,
) -> Result<ContactDetail, ContactsError> {
    let company = cx.caller.company.id;
    let keys: Vec<String> = bounded(draft)?.iter().map(|(key, _)| key.clone()).collect();
    let directory = cx.ports.fields.directory(company, &keys).await?;
    let mut violations = Violations::default();
    let changes = draft.validate(&directory, &mut violations);
    violations.into_result()?;
    let (values, at) = (set_values(changes), cx.ports.environment.clock.now());
    match cx.ports.contacts.replace_values(company, id, values, expected, at).await? {
        ReplaceValuesOutcome::Replaced(contact) => {
            let field_values: Vec<FieldValueEntry> = entries(&contact.field_values, &directory);
            Ok(ContactDetail { contact, field_values })
        }
        ReplaceValuesOutcome::NotFound => Err(ContactsError::NotFound),
        ReplaceValuesOutcome::Stale => Err(ContactsError::Stale),
    }
}

fn bounded(draft: &FieldValuesDraft) -> Result<&[(String, crate::input::Input)], Violations> {
    let problem = match draft {
        FieldValuesDraft::Entries(entries)
            if (1..=MAX_REPLACED_VALUES).contains(&entries.len()) =>
        {
            return Ok(entries);
        }
        FieldValuesDraft::Entries(_) => {
            Problem::new(format!("must have 1 to {MAX_REPLACED_VALUES} entries"))
        }
        FieldValuesDraft::Absent => Problem::new("is required"),
        FieldValuesDraft::NotAnObject => Problem::new("must be an object"),
    };
    Err(Violations::one("field_values", problem))
}

fn set_values(changes: ValueChanges) -> FieldValues {
    changes.into_iter().filter_map(|(key, change)| Some((key, change?))).collect()
}
