//! Read the change feed.

use std::time::Duration;

use contact_hub_domain::changes::{self, ChangesQuery};

use super::json::ChangeJson;
use super::shapes::CHANGE;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    CHANGES
        .on(GET, "/changes", handle)
        .operation("listChanges", "Read the change feed", Success::Feed(CHANGE))
        .details(
            "Every change of a contact, field or sync, in an order in which no entry appears before one that was \
             already returned. Continue from `meta.next`, also when `data` is empty: with types, a call searches a \
             bounded number of entries.",
        )
        .fails(&[Code::CursorExpired])
        .holds_calls()
}

async fn handle(caller: Caller, Asked(query): Asked<ChangesQuery>) -> Answer {
    let at_once = ChangesQuery { wait: Duration::ZERO, ..query.clone() };
    let cx = caller.context();
    let page = tokio::select! {
        page = changes::list(&cx, query) => page,
        () = caller.state().stopping.begun() => changes::list(&cx, at_once).await,
    }?;
    let data: Vec<_> = page.entries.iter().map(ChangeJson::from).collect();
    Ok(envelope::feed(&data, &page.next.to_string()))
}
