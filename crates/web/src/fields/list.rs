//! List all fields.

use contact_hub_domain::fields;

use super::json::FieldJson;
use super::list_query::FieldsQuery;
use super::shapes::FIELD;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    FIELDS
        .on(GET, "/fields", handle)
        .operation("listFields", "List all fields", Success::List(FIELD))
        .details("In the order of their creation, all in one answer; archived ones only if they are asked for.")
}

async fn handle(caller: Caller, Asked(query): Asked<FieldsQuery>) -> Answer {
    let directory = fields::list(&caller.context()).await?;
    let listed = directory.fields().iter().filter(|field| query.archived || !field.archived);
    let data: Vec<_> = listed.map(FieldJson::from).collect();
    Ok(envelope::ok(&data))
}
