//! Request syncs; concurrent requests of a company share a transaction.

use std::collections::HashSet;
use std::sync::Arc;

use contact_hub_domain::author::Author;
use contact_hub_domain::changes::NewEntry;
use contact_hub_domain::ids::{CompanyId, DeliveryId, SyncId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::sync::{
    AssetSync, RequestProblem, RequestedSync, SyncRequest, decide_request,
};
use contact_hub_domain::webhooks::CancelReason;

use super::asked::Asked;
use super::request_facts::Facts;
use super::syncs;
use crate::Storage;
use crate::changes;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::webhooks::{self, NewEvent};
use crate::write_batches::{Reply, SharedWrite, WriteBatches, Written, write_in_batch};

/// The maximum number of deliveries that the requests of a batch make, unless a single one makes more.
const MAX_DELIVERIES: usize = 1000;

/// Roughly how many bytes a request has.
const SIZE: usize = 512;

/// The outcome of a request.
type Outcome = Result<RequestedSync, RequestProblem>;

impl SharedWrite for Asked {
    type Outcome = Outcome;

    const LEAVES_WORK: bool = false;

    fn size(&self) -> usize {
        SIZE
    }

    fn batches(storage: &Storage) -> &WriteBatches<Self> {
        storage.request_batches()
    }

    fn write_together(
        _storage: &Storage,
        connection: &mut Connection,
        company: CompanyId,
        requests: &[Arc<Self>],
    ) -> Result<Recorded<Vec<Written<Outcome>>>, Failure> {
        let outcomes = request_together(connection, company, requests)?;
        outcomes.try_map(|outcomes| {
            let written = |it: Option<Outcome>| it.map_or(Written::Later, Written::Done);
            Ok(outcomes.into_iter().map(written).collect())
        })
    }
}

pub(super) async fn request(
    storage: &Storage,
    by: Author,
    request: SyncRequest,
) -> Result<Outcome, StoreError> {
    let (company, traceparent) = (by.company, contact_hub_traces::traceparent());
    let asked = Arc::new(Asked { by, request, traceparent });
    if storage.call().is_none() {
        match write_in_batch(storage, company, &asked).await? {
            Reply::Done(outcome) => return Ok(outcome),
            Reply::Failed(error) => return Err(error),
            Reply::Alone | Reply::Undone(_) => {}
        }
    }
    // A call with an idempotency key keeps its answer in the transaction of its own write.
    let alone = move |connection: &mut Connection| {
        let outcomes = request_together(connection, company, std::slice::from_ref(&asked))?;
        outcomes.try_map(|mut outcomes| outcomes.pop().flatten().ok_or(Failure::Overtaken))
    };
    storage.write(company, alone).await
}

/// Decides and writes requests, in the order of their arrival. One without an outcome must be tried again in a later
/// transaction: an earlier one is of the same asset, or has many deliveries.
fn request_together(
    connection: &mut Connection,
    company: CompanyId,
    requests: &[Arc<Asked>],
) -> Result<Recorded<Vec<Option<Outcome>>>, Failure> {
    let mut assets = HashSet::new();
    let is_first: Vec<bool> = requests.iter().map(|it| assets.insert(it.request.asset)).collect();
    let firsts = requests.iter().zip(&is_first).filter(|(_, is_first)| **is_first);
    let firsts: Vec<&Asked> = firsts.map(|(it, _)| it.as_ref()).collect();
    let mut facts = Facts::gather(connection, company, &firsts)?;
    let mut room = (MAX_DELIVERIES / facts.subscribers.len().max(1)).max(1);
    let mut accepted = Accepted::default();
    let outcome = |(asked, is_first): (&Arc<Asked>, bool)| {
        if !is_first || room == 0 {
            return None;
        }
        let outcome = decide_request(&facts.of(asked), &asked.request);
        if let Ok(requested) = &outcome {
            room -= 1;
            accepted.add(asked, requested, &facts);
        }
        Some(outcome)
    };
    let outcomes = requests.iter().zip(is_first).map(outcome).collect();
    if accepted.syncs.is_empty() {
        return Ok(Recorded::unchanged(outcomes));
    }
    let published = accepted.write(connection, company)?;
    Ok(Recorded::by(published, outcomes))
}

/// Accepted requests, with all that they write.
#[derive(Default)]
struct Accepted {
    syncs: Vec<AssetSync>,
    superseded: Vec<SyncId>,
    entries: Vec<NewEntry>,
    events: Vec<NewEvent>,
}

impl Accepted {
    fn add(&mut self, asked: &Asked, requested: &RequestedSync, facts: &Facts) {
        if let Some(superseded) = &requested.superseded {
            let at = requested.sync.requested_at;
            self.entries.push(NewEntry::sync_closed(&asked.by, superseded, at));
            self.superseded.push(superseded.id);
        }
        self.entries.push(NewEntry::sync_requested(&asked.by, &requested.sync));
        let ids = &asked.request.ids;
        let deliveries = facts.subscribers.iter().map(|it| (DeliveryId::new(ids.next()), *it));
        self.events.push(NewEvent {
            event: requested.event.clone(),
            traceparent: asked.traceparent.clone(),
            deliveries: deliveries.collect(),
        });
        self.syncs.push(requested.sync.clone());
    }

    fn write(
        self,
        connection: &mut Connection,
        company: CompanyId,
    ) -> Result<Option<changes::Published>, Failure> {
        // Old ones are closed first, since only one sync of an asset and an integration may be open.
        if !self.superseded.is_empty() {
            syncs::supersede(connection, company, &self.superseded)?;
            changes::take_later_position(connection)?;
        }
        let (entries, published) = changes::insertion(connection, company, &self.entries).unzip();
        let syncs = syncs::insertion(connection, company, &self.syncs);
        let causes = entries.into_iter().chain([syncs]).collect();
        webhooks::enqueue(connection, causes, &self.events)?;
        let latest = self.syncs.iter().map(|sync| sync.requested_at).max();
        if let Some(at) = latest.filter(|_| !self.superseded.is_empty()) {
            let reason = CancelReason::SyncSuperseded;
            webhooks::cancel_for_syncs(connection, company, &self.superseded, reason, at)?;
        }
        Ok(published)
    }
}
