//! A request of a sync that waits for its transaction.

use contact_hub_domain::author::Author;
use contact_hub_domain::sync::SyncRequest;

/// A request with its author.
pub(crate) struct Asked {
    pub(super) by: Author,
    pub(super) request: SyncRequest,
    /// The span that makes the request, which its event passes on.
    pub(super) traceparent: Option<String>,
}
