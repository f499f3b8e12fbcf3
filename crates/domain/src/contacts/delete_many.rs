//! Delete many contacts.

use super::ContactsError;
use crate::context::{ContactPorts, Context};
use crate::ids::ContactId;
use crate::input::Input;
use crate::property::Property;
use crate::rules::{count, is_text, required, valid};

/// The maximum number of ids of one bulk delete.
pub const MAX_BULK_DELETE: usize = 1000;

/// The input for a bulk delete.
#[derive(Clone, Debug, Default, garde::Validate)]
pub struct DeletionDraft {
    /// The ids of the contacts.
    #[garde(
        custom(required),
        custom(count(1, MAX_BULK_DELETE, "entries")),
        inner(custom(is_text))
    )]
    pub ids: Property<Vec<Input>>,
}

fn known(id: &Input) -> Option<ContactId> {
    match id {
        Input::Text(text) => ContactId::parse(text),
        _ => None,
    }
}

/// Deletes the contacts that exist and returns their number. Unknown, malformed and already deleted ids are ignored,
/// and repeated ids count once.
pub async fn delete_many(
    cx: &Context<'_, ContactPorts>,
    draft: &DeletionDraft,
) -> Result<u64, ContactsError> {
    let mut ids: Vec<ContactId> =
        valid(draft, (), |()| Some(draft.ids.entries().iter().filter_map(known).collect()))?;
    ids.sort_unstable();
    ids.dedup();
    let at = cx.ports.environment.clock.now();
    Ok(cx.ports.contacts.delete_many(cx.author(), ids, at).await?)
}
