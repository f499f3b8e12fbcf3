//! Create or update many contacts.

use utoipa::openapi::path::Parameter;

use contact_hub_domain::access::Bucket;
use contact_hub_domain::contacts::{self, BulkRun};
use contact_hub_domain::violations::{Problem, Violations};

use super::json::{BulkResultJson, bulk_draft};
use super::request::flag;
use super::shapes::{BULK_INPUT, BULK_RESULT};
use crate::endpoint::prelude::*;
use crate::extract::query::{Described, FromQuery, Query};
use crate::openapi::parameters;

pub(crate) fn endpoint() -> Endpoint {
    CONTACTS
        .on(POST, "/contacts/bulk", handle)
        .counts_in(Bucket::Bulk)
        .operation("upsertContacts", "Create or update many contacts", Success::One(BULK_RESULT))
        .details(
            "Contacts are matched by email; rows count as if one by one in their order. Valid \
             rows are processed even if others fail. An update leaves an absent `avatar_url` \
             and absent field values as they are. With `dry_run=true` nothing is written, and the \
             answer is what it would be.",
        )
        .reads(BULK_INPUT)
}

/// Whether a bulk is written.
pub(crate) struct BulkRequest(BulkRun);

impl FromQuery for BulkRequest {
    type Error = Violations;

    fn from_query(raw: &str) -> Result<Self, Violations> {
        let query = Query::parse(raw);
        let mut sent = query.named("dry_run");
        let Some(parameter) = sent.next() else { return Ok(Self(BulkRun::Written)) };
        if sent.next().is_some() {
            return Err(Violations::one("dry_run", Problem::new("must be given once")));
        }
        let is_plain = parameter.segments().is_some_and(|segments| segments.is_empty());
        let named = if is_plain { Ok(()) } else { Err(Problem::new("must be written as dry_run")) };
        match named.and_then(|()| flag(&parameter)) {
            Ok(true) => Ok(Self(BulkRun::Dry)),
            Ok(false) => Ok(Self(BulkRun::Written)),
            Err(problem) => Err(Violations::one("dry_run", problem)),
        }
    }
}

impl Described for BulkRequest {
    fn parameters() -> Vec<Parameter> {
        parameters::bulk()
    }
}

async fn handle(
    caller: Caller,
    Asked(BulkRequest(run)): Asked<BulkRequest>,
    body: Body<BULK_BODY>,
) -> Answer {
    let outcome = caller.work(body.weight(), |caller| async move {
        let draft = bulk_draft(&body.object()?);
        drop(body);
        let result = contacts::upsert_many(&caller.context(), draft, run).await?;
        envelope::written(&BulkResultJson::from(&result))
    });
    Ok(envelope::ok_written(outcome.await?))
}
