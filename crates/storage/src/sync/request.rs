//! Write the request of a sync.

use diesel::QueryableByName;
use diesel::sql_types::{Bool, Nullable, Text};

use contact_hub_domain::author::Author;
use contact_hub_domain::changes::NewEntry;
use contact_hub_domain::ids::{CompanyId, DeliveryId};
use contact_hub_domain::sync::{
    AssetSync, Integration, RequestFacts, RequestProblem, RequestedAsset, RequestedSync,
    SyncRequest, decide_request,
};
use contact_hub_domain::webhooks::{CancelReason, EventKind};

use super::rows::{INTEGRATION, IntegrationRow};
use super::{assets, syncs};
use crate::changes;
use crate::connection::Connection;
use crate::dialect::Lock;
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::statement::sql;
use crate::webhooks::{self, Subscriber};

pub(super) fn request(
    connection: &mut Connection,
    by: &Author,
    request: &SyncRequest,
) -> Result<Recorded<Result<RequestedSync, RequestProblem>>, Failure> {
    let company = by.company;
    let (facts, subscribers) = facts(connection, company, request)?;
    let requested = match decide_request(&facts, request) {
        Ok(requested) => requested,
        Err(problem) => return Ok(Recorded::unchanged(Err(problem))),
    };
    // The old one is closed first, since only one sync of the pair may be open.
    if let Some(superseded) = &requested.superseded {
        syncs::close(connection, company, superseded)?;
    }
    let deliveries: Vec<(DeliveryId, Subscriber)> = subscribers
        .into_iter()
        .map(|subscriber| (DeliveryId::new(request.ids.next()), subscriber))
        .collect();
    let at = requested.sync.requested_at;
    let closed = requested.superseded.iter().map(|sync| NewEntry::sync_closed(by, sync, at));
    let entries: Vec<NewEntry> =
        closed.chain([NewEntry::sync_requested(by, &requested.sync)]).collect();
    let (entries, published) = changes::insertion(connection, company, &entries).unzip();
    let sync = syncs::insertion(company, &requested.sync);
    let causes = entries.into_iter().chain([sync]).collect();
    webhooks::enqueue(connection, causes, &requested.event, &deliveries)?;
    if let Some(superseded) = &requested.superseded {
        let (syncs, at) = ([superseded.id], requested.sync.requested_at);
        let reason = CancelReason::SyncSuperseded;
        webhooks::cancel_for_syncs(connection, company, &syncs, reason, at)?;
    }
    Ok(Recorded::by(published, Ok(requested)))
}

/// Gathers the facts, with locks on the asset, the integration and the subscribed webhooks.
fn facts(
    connection: &mut Connection,
    company: CompanyId,
    request: &SyncRequest,
) -> Result<(RequestFacts, Vec<Subscriber>), Failure> {
    let asset = assets::lock(connection, company, request.asset)?;
    let integration = integration(connection, company, request)?;
    let subscribers = webhooks::lock_subscribers(connection, company, EventKind::SyncRequested)?;
    let pair = syncs::last_of_pair(connection, company, request.asset, request.integration)?;
    let (integration, shares_format, requested_by) = match integration {
        Some((integration, shares_format, email)) => (Some(integration), shares_format, email),
        None => (None, false, None),
    };
    let facts = RequestFacts {
        company,
        asset: asset.map(|asset| RequestedAsset { kind: asset.form.kind(), name: asset.name }),
        shares_format,
        integration,
        is_heard: subscribers.iter().any(|subscriber| subscriber.disabled.is_none()),
        last_map: pair.iter().find_map(AssetSync::map).cloned(),
        latest: pair.into_iter().next(),
        requested_by,
    };
    Ok((facts, subscribers))
}

#[derive(QueryableByName)]
struct IntegrationFacts {
    #[diesel(embed)]
    integration: IntegrationRow,
    #[diesel(sql_type = Bool)]
    shares_format: bool,
    #[diesel(sql_type = Nullable<Text>)]
    email: Option<String>,
}

/// Locks the integration; also returns whether another one has its format, and the email of the user.
fn integration(
    connection: &mut Connection,
    company: CompanyId,
    request: &SyncRequest,
) -> Result<Option<(Integration, bool, Option<String>)>, Failure> {
    let select = sql!(
        "SELECT {}, EXISTS (SELECT 1 FROM integrations AS others WHERE others.company_id = integrations.company_id \
         AND others.merge_tag_format = integrations.merge_tag_format AND others.id <> integrations.id) AS shares_format, \
         (SELECT email FROM users WHERE users.id = ? AND users.company_id = integrations.company_id) AS email \
         FROM integrations WHERE id = ? AND company_id = ?{}",
        INTEGRATION,
        Lock::ForShare.on(connection)
    );
    let select = select.bind(request.user).bind(request.integration).bind(company);
    let row: Option<IntegrationFacts> = connection.first(select)?;
    let facts = row.map(|row| {
        let integration = row.integration.into_integration()?;
        Ok((integration, row.shares_format, row.email))
    });
    facts.transpose()
}
