//! The query of the content of an asset.

use contact_hub_domain::ids::IntegrationId;
use contact_hub_domain::input::FromText as _;
use contact_hub_domain::sync::{ContentQuery, Platform, SyncError};
use contact_hub_domain::violations::{Problem, Violations};

use crate::extract::query::{FromQuery, Parameter, Query};

impl FromQuery for ContentQuery {
    type Error = SyncError;

    /// If a parameter is repeated, the last one counts. Without a platform the integration is ignored.
    fn from_query(raw: &str) -> Result<Self, SyncError> {
        let query = Query::parse(raw);
        let last = |name| query.named(name).last();
        let platform = last("platform").map(|it| platform(&it)).transpose()?;
        let named = platform.and_then(|_| last("integration_id"));
        Ok(Self { platform, integration: named.map(|it| integration(&it)).transpose()? })
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
