//! Read the content of an asset in a platform's syntax.

use super::{Content, ContentQuery, MappingChoice, MergeTagMapping, SyncError};
use crate::context::{Context, SyncPorts};
use crate::ids::AssetId;

/// Reads the content of an asset, to be rendered in the syntax of the requested platform, if any.
///
/// The mapping is that of the requested integration, which the link in an event may name, otherwise that of the oldest
/// integration of the format that has one.
pub async fn read_content(
    cx: &Context<'_, SyncPorts>,
    asset: AssetId,
    query: ContentQuery,
) -> Result<Content, SyncError> {
    let (platform, choice) = (query.platform, query.choice());
    let source = cx.ports.sync.content(cx.caller.company.id, asset, choice).await?;
    let source = source.ok_or(SyncError::AssetNotFound)?;
    if matches!(choice, MappingChoice::By(_)) && source.integration.is_none() {
        return Err(SyncError::IntegrationNotFound);
    }
    let integration = source.integration.filter(|it| Some(it.format) == platform);
    let mapping = integration.map_or_else(MergeTagMapping::default, |it| it.mapping);
    Ok(Content { asset: source.asset, platform, mapping })
}
