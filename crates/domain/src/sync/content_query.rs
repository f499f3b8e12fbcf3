//! What a request asks of the content of an asset.

use super::{MappingChoice, Platform, SyncError};
use crate::ids::IntegrationId;
use crate::input::FromText;
use crate::query::{Parameter, Query};
use crate::violations::{Problem, Violations};

/// In whose syntax, and with whose texts for tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContentQuery {
    platform: Option<Platform>,
    integration: Option<IntegrationId>,
}

impl ContentQuery {
    /// Reads the query of a request, as it was sent. Of a parameter that is given more than once the last counts.
    /// Without a platform the integration makes no difference.
    pub fn parse(raw: &str) -> Result<Self, SyncError> {
        let query = Query::parse(raw);
        let last = |name| query.named(name).last();
        let platform = last("platform").map(|it| platform(&it)).transpose()?;
        let named = platform.and_then(|_| last("integration_id"));
        Ok(Self { platform, integration: named.map(|it| integration(&it)).transpose()? })
    }

    /// The platform in whose syntax the content is written.
    #[must_use]
    pub const fn platform(self) -> Option<Platform> {
        self.platform
    }

    /// The integration whose texts count.
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

/// Any text that is no id is that of an unknown integration.
fn integration(input: &Parameter<'_>) -> Result<IntegrationId, SyncError> {
    let id = input.value().ok().and_then(|text| IntegrationId::parse(&text));
    id.ok_or(SyncError::IntegrationNotFound)
}
