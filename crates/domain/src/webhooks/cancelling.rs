//! Why deliveries are cancelled.

/// Why a delivery was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CancelReason {
    /// The result of its sync was reported.
    SyncReported,
    /// A newer request superseded its sync.
    SyncSuperseded,
    /// The asset was deleted.
    AssetDeleted,
    /// The integration was deleted.
    IntegrationDeleted,
    /// Its webhook was deleted.
    WebhookDeleted,
}

impl CancelReason {
    /// A sentence for people.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::SyncReported => "The sync was reported.",
            Self::SyncSuperseded => "The sync was superseded by a newer request.",
            Self::AssetDeleted => "The asset was deleted.",
            Self::IntegrationDeleted => "The integration was deleted.",
            Self::WebhookDeleted => "The webhook was deleted.",
        }
    }
}
