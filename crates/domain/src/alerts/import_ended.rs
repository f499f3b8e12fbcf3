//! Alert a user that an import has ended.

use super::{AlertKind, NewAlert};
use crate::context::{AlertPorts, Context};
use crate::ports::StoreError;

/// The longest name of a file that an alert has, in characters.
const MAX_NAME: usize = 100;

/// An import that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedImport {
    /// The name of the file.
    pub file: String,
    /// How many contacts were created.
    pub created: u64,
    /// How many contacts were updated.
    pub updated: u64,
    /// How many rows were rejected.
    pub rejected: u64,
}

/// Alerts the caller, who ran the import, if the caller chose to get such alerts.
pub async fn import_ended(
    cx: &Context<'_, AlertPorts>,
    import: &EndedImport,
) -> Result<(), StoreError> {
    let EndedImport { created, updated, rejected, .. } = import;
    let user = cx.caller.user_id;
    let alert = NewAlert {
        company: cx.caller.company.id,
        kind: AlertKind::ImportEnded,
        object: user.uuid(),
        name: import.file.chars().filter(|char| !char.is_control()).take(MAX_NAME).collect(),
        detail: format!("{created} created, {updated} updated, {rejected} rejected."),
        about: Some(user),
        at: cx.ports.environment.clock.now(),
    };
    cx.ports.alerts.raise(alert).await
}
