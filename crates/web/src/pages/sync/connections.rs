//! The connections of the company, for choosing one and for naming those of syncs.

use contact_hub_domain::sync::{self, Integration};

use crate::error::ApiError;
use crate::pages::caller::PageCaller;

/// How many connections are offered and named.
const ALL: &str = "page[size]=100";

/// The first connections.
pub(crate) async fn connections(caller: &PageCaller) -> Result<Vec<Integration>, ApiError> {
    Ok(sync::list_integrations(&caller.context(), ALL).await?.items)
}
