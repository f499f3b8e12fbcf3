//! The query of the content of an asset.

use super::{MappingChoice, Platform};
use crate::ids::IntegrationId;

/// The platform of the syntax, and the integration of the mapping.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContentQuery {
    /// The platform of the syntax.
    pub platform: Option<Platform>,
    /// The integration of the mapping. It is ignored without a platform.
    pub integration: Option<IntegrationId>,
}

impl ContentQuery {
    /// The integration of the mapping.
    #[must_use]
    pub fn choice(self) -> MappingChoice {
        match (self.platform, self.integration) {
            (None, _) => MappingChoice::Nothing,
            (Some(platform), None) => MappingChoice::Of(platform),
            (Some(_), Some(id)) => MappingChoice::By(id),
        }
    }
}
