//! Why deliveries are cancelled.

/// Why a delivery became pointless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CancelReason {
    /// The sync that it is about was reported.
    SyncReported,
    /// A newer request took the place of its sync.
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
