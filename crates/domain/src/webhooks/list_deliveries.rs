//! List deliveries.

use super::{DeliveriesQuery, Delivery, WebhooksError};
use crate::context::Context;
use crate::page::Page;

/// The page of the company's deliveries, newest first, for which a request's query asks, in its undecoded form.
pub async fn list_deliveries(
    cx: &Context<'_>,
    query: &str,
) -> Result<Page<Delivery>, WebhooksError> {
    let query = DeliveriesQuery::parse(query)?;
    Ok(cx.ports.webhooks.list_deliveries(cx.caller.company.id, query).await?)
}
