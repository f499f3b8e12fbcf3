//! List webhooks.

use super::{Webhook, WebhooksError};
use crate::context::Context;
use crate::page::{Page, PageRequest};
use crate::query::Query;
use crate::violations::Violations;

/// The page of the company's webhooks, oldest first, for which a request's query asks, in its undecoded form.
pub async fn list(cx: &Context<'_>, query: &str) -> Result<Page<Webhook>, WebhooksError> {
    let mut violations = Violations::default();
    let page = PageRequest::read(Query::parse(query), &mut violations);
    violations.into_result()?;
    let now = cx.ports.clock.now();
    Ok(cx.ports.webhooks.list(cx.caller.company.id, page, now).await?)
}
