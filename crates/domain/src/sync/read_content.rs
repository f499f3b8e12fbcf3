//! Read the content of an asset in a platform's syntax.

use super::{Content, MappingChoice, MergeTagMapping, Platform, SyncError};
use crate::context::Context;
use crate::ids::{AssetId, IntegrationId};
use crate::input::FromText;
use crate::query::{Parameter, Query};
use crate::violations::{Problem, Violations};

/// The content of an asset, to be rendered: in the syntax of the platform that the request's query names, if any.
///
/// The company's own texts for tags are those of the integration that the query names, as the link in an event may, else
/// those of the oldest integration of that format that has any.
pub async fn read_content(
    cx: &Context<'_>,
    asset: AssetId,
    query: &str,
) -> Result<Content, SyncError> {
    let query = Query::parse(query);
    let platform = platform(query)?;
    let choice = match (platform, last(query, "integration_id")) {
        (None, _) => MappingChoice::Nothing,
        (Some(platform), None) => MappingChoice::Of(platform),
        (Some(_), Some(input)) => MappingChoice::By(integration(&input)?),
    };
    let source = cx.ports.sync.content(cx.caller.company.id, asset, choice).await?;
    let source = source.ok_or(SyncError::AssetNotFound)?;
    if matches!(choice, MappingChoice::By(_)) && source.integration.is_none() {
        return Err(SyncError::IntegrationNotFound);
    }
    let integration = source.integration.filter(|it| Some(it.format) == platform);
    let mapping = integration.map_or_else(MergeTagMapping::default, |it| it.mapping);
    Ok(Content { asset: source.asset, platform, mapping })
}

/// Of a parameter that is given more than once the last counts.
fn last<'a>(query: Query<'a>, name: &str) -> Option<Parameter<'a>> {
    query.named(name).last()
}

fn platform(query: Query<'_>) -> Result<Option<Platform>, Violations> {
    let Some(input) = last(query, "platform") else { return Ok(None) };
    let read = match input.segments().as_deref() {
        Some([]) => input.value().and_then(|word| Platform::from_text(&word)),
        _ => Err(Problem::new("must be written as platform")),
    };
    read.map(Some).map_err(|problem| Violations::one("platform", problem))
}

/// Any text that is no id is that of an unknown integration.
fn integration(input: &Parameter<'_>) -> Result<IntegrationId, SyncError> {
    let id = input.value().ok().and_then(|text| IntegrationId::parse(&text));
    id.ok_or(SyncError::IntegrationNotFound)
}
