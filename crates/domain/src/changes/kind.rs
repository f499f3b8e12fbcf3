//! The types of changes.

use strum::{EnumCount, IntoStaticStr, VariantArray};

/// What changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumCount, IntoStaticStr, VariantArray)]
pub enum ChangeType {
    /// A contact is new.
    #[strum(serialize = "contact.created")]
    ContactCreated,
    /// Attributes or values of a contact differ.
    #[strum(serialize = "contact.updated")]
    ContactUpdated,
    /// A contact was deleted.
    #[strum(serialize = "contact.deleted")]
    ContactDeleted,
    /// A deleted contact is active again.
    #[strum(serialize = "contact.restored")]
    ContactRestored,
    /// A contact was erased.
    #[strum(serialize = "contact.erased")]
    ContactErased,
    /// A field is new.
    #[strum(serialize = "field.created")]
    FieldCreated,
    /// The settings of a field differ.
    #[strum(serialize = "field.updated")]
    FieldUpdated,
    /// A sync was requested.
    #[strum(serialize = "sync.requested")]
    SyncRequested,
    /// A sync succeeded.
    #[strum(serialize = "sync.completed")]
    SyncCompleted,
    /// A sync failed, or was closed without a result.
    #[strum(serialize = "sync.failed")]
    SyncFailed,
}
