//! How an operation succeeds.

/// The success of an operation, with the schema of its payload.
pub(super) enum Success {
    Created(&'static str),
    CreatedVersion(&'static str),
    Accepted(&'static str),
    One(&'static str),
    List(&'static str),
    Page(&'static str),
    Versioned(&'static str),
    VersionedList(&'static str),
    Replaced(&'static str),
    Nothing,
}
