//! Write the request of a sync.

use diesel::QueryableByName;
use diesel::sql_types::Text;

use contact_hub_domain::ids::{CompanyId, DeliveryId, UserId};
use contact_hub_domain::sync::{
    Integration, RequestFacts, RequestProblem, RequestedAsset, RequestedSync, SyncRequest,
    decide_request,
};
use contact_hub_domain::webhooks::{CancelReason, EventKind};

use super::{assets, integrations, syncs};
use crate::connection::Connection;
use crate::dialect::Lock;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::statement;
use crate::webhooks::{self, Subscriber};

pub(super) fn request(
    connection: &mut Connection,
    company: CompanyId,
    request: &SyncRequest,
) -> Result<Result<RequestedSync, RequestProblem>, Failure> {
    let (facts, subscribers) = facts(connection, company, request)?;
    let requested = match decide_request(&facts, request) {
        Ok(requested) => requested,
        Err(problem) => return Ok(Err(problem)),
    };
    // The old one is closed first, since only one sync of the pair may be open.
    if let Some(superseded) = &requested.superseded {
        syncs::close(connection, company, superseded)?;
    }
    syncs::insert(connection, company, &requested.sync)?;
    let deliveries: Vec<(DeliveryId, Subscriber)> = subscribers
        .into_iter()
        .map(|subscriber| (DeliveryId::new(request.ids.next()), subscriber))
        .collect();
    webhooks::enqueue(connection, &requested.event, &deliveries)?;
    if let Some(superseded) = &requested.superseded {
        let (syncs, at) = ([superseded.id], requested.sync.requested_at);
        let reason = CancelReason::SyncSuperseded;
        webhooks::cancel_for_syncs(connection, company, &syncs, reason, at)?;
    }
    Ok(Ok(requested))
}

/// Gathers the facts, with locks on the asset, the integration and the subscribed webhooks.
fn facts(
    connection: &mut Connection,
    company: CompanyId,
    request: &SyncRequest,
) -> Result<(RequestFacts, Vec<Subscriber>), Failure> {
    let asset = assets::lock(connection, company, request.asset)?;
    let integration = integrations::find(connection, company, request.integration, Lock::ForShare)?;
    let subscribers = webhooks::lock_subscribers(connection, company, EventKind::SyncRequested)?;
    let (asset_id, integration_id) = (request.asset, request.integration);
    let facts = RequestFacts {
        company,
        asset: asset.map(|asset| RequestedAsset { kind: asset.form.kind(), name: asset.name }),
        shares_format: match &integration {
            Some(integration) => shares_format(connection, company, integration)?,
            None => false,
        },
        integration,
        is_heard: subscribers.iter().any(|subscriber| subscriber.disabled.is_none()),
        latest: syncs::latest_of_pair(connection, company, asset_id, integration_id)?,
        last_map: syncs::last_map(connection, company, asset_id, integration_id)?,
        requested_by: email(connection, company, request.user)?,
    };
    Ok((facts, subscribers))
}

fn shares_format(
    connection: &mut Connection,
    company: CompanyId,
    integration: &Integration,
) -> Result<bool, Failure> {
    let count = statement(
        "SELECT count(*) AS total FROM integrations WHERE company_id = ? AND merge_tag_format = ?",
    );
    let count = count.bind(company).bind(integration.format.as_str());
    Ok(total(connection, count)? > 1)
}

#[derive(QueryableByName)]
struct Email {
    #[diesel(sql_type = Text)]
    email: String,
}

fn email(
    connection: &mut Connection,
    company: CompanyId,
    user: UserId,
) -> Result<Option<String>, Failure> {
    let select = statement("SELECT email FROM users WHERE id = ? AND company_id = ?");
    let row = connection.first::<Email>(select.bind(user).bind(company))?;
    Ok(row.map(|row| row.email))
}
