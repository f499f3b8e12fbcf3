//! The query of the content of an asset.

use super::{MappingChoice, Platform, SyncError};
use crate::ids::IntegrationId;
use crate::input::FromText;
use crate::query::{Parameter, Query};
use crate::violations::{Problem, Violations};

/// The platform of the syntax, and the integration of the mapping.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContentQuery {
    platform: Option<Platform>,
    integration: Option<IntegrationId>,
}

impl ContentQuery {
    /// Parses the undecoded query of a request. Of repeated parameters the last one counts. Without a platform the
    /// integration is ignored.
    pub fn parse(raw: &str) -> Result<Self, SyncError> {
        let query = Query::parse(raw);
        let last = |name| query.named(name).last();
        let platform = last("platform").map(|it| platform(&it)).transpose()?;
        let named = platform.and_then(|_| last("integration_id"));
        Ok(Self { platform, integration: named.map(|it| integration(&it)).transpose()? })
    }

    /// The platform of the syntax.
    #[must_use]
    pub const fn platform(self) -> Option<Platform> {
        self.platform
    }

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

fn platform(input: &Parameter<'_>) -> Result<Platform, Violations> {
    let read = match input.segments().as_deref() {
        Some([]) => input.value().and_then(|word| Platform::from_text(&word)),
        _ => Err(Problem::new("must be written as platform")),
    };
    read.map_err(|problem| Violations::one("platform", problem))
}

/// A malformed id counts as that of an unknown integration.
fn integration(input: &Parameter<'_>) -> Result<IntegrationId, SyncError> {
    let id = input.value().ok().and_then(|text| IntegrationId::parse(&text));
    id.ok_or(SyncError::IntegrationNotFound)
}
