//! List all fields.

use contact_hub_domain::fields;

use super::json::FieldJson;
use super::shapes::FIELD;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    FIELDS
        .on(GET, "/fields", handle)
        .operation("listFields", "List all fields", Success::List(FIELD))
        .details("In the order of their creation, all in one answer.")
}

async fn handle(caller: Caller) -> Answer {
    let directory = fields::list(&caller.context()).await?;
    let data: Vec<_> = directory.fields().iter().map(FieldJson::from).collect();
    Ok(envelope::ok(&data))
}
