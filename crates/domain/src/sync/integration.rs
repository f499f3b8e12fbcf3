//! Integrations: connections to custom platforms.

use super::asset::AssetType;
use super::mapping::MergeTagMapping;
use super::platform::Platform;
use crate::ids::IntegrationId;
use crate::text;
use crate::texts::texts;
use crate::time::Timestamp;

/// The longest name of an integration, in code points.
pub const MAX_INTEGRATION_NAME: usize = 255;

texts! {
    /// An integration's name.
    IntegrationName, |text| text::name(text, MAX_INTEGRATION_NAME);
}

/// The types of assets that an integration accepts: at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssetTypes {
    emails: bool,
    landing_pages: bool,
}

impl AssetTypes {
    /// These types; `None` when there are none.
    #[must_use]
    pub fn new(types: &[AssetType]) -> Option<Self> {
        let has = |kind| types.contains(&kind);
        let set =
            Self { emails: has(AssetType::Email), landing_pages: has(AssetType::LandingPage) };
        (!types.is_empty()).then_some(set)
    }

    /// Whether the type is among them.
    #[must_use]
    pub const fn has(self, kind: AssetType) -> bool {
        match kind {
            AssetType::Email => self.emails,
            AssetType::LandingPage => self.landing_pages,
        }
    }

    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = AssetType> {
        AssetType::ALL.into_iter().filter(move |kind| self.has(*kind))
    }
}

/// A connection to one custom platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Integration {
    /// The service's id.
    pub id: IntegrationId,
    /// The label.
    pub name: IntegrationName,
    /// The types of assets that it accepts.
    pub asset_types: AssetTypes,
    /// The platform's syntax of merge tags.
    pub format: Platform,
    /// The company's own texts for merge tags in that syntax; empty when it has none.
    pub mapping: MergeTagMapping,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed. It increases with every change.
    pub updated_at: Timestamp,
}

/// An integration in a chooser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegrationChoice {
    /// The service's id.
    pub id: IntegrationId,
    /// The label.
    pub name: IntegrationName,
    /// The types of assets that it accepts.
    pub asset_types: AssetTypes,
    /// The platform's syntax of merge tags.
    pub format: Platform,
}
