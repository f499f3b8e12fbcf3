//! Claiming due deliveries, and releasing those that are not sent.

use std::time::Duration;

use contact_hub_domain::ids::LeaseId;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{Claim, DeliveryQueue, MAX_ATTEMPTS_AT_ONCE, Prefetch};
use tokio::time::Instant;

use super::{LOOK_AGAIN, Work};
use crate::metrics;
use crate::peer_heartbeats::DEAD_AFTER;
use crate::running::{Held, held};

/// How long a lease lasts: the deadline of an attempt, and time for a slow claim and a slow record.
const LEASE: Duration = Duration::from_secs(30);

/// A claim that took longer is released: other instances may meanwhile have considered this one dead.
const SLOW_CLAIM: Duration = DEAD_AFTER;

/// How many deliveries of a webhook are claimed ahead while its receiver keeps up. With too few the receiver waits while
/// ended attempts are recorded and the next deliveries are claimed.
const PREFETCH: u32 = 7 * MAX_ATTEMPTS_AT_ONCE;

/// A company, and a host, may have one in this many of the attempts in progress.
const COMPANY_SHARE: u32 = 4;
const HOST_SHARE: u32 = 2;

/// A company may have as many deliveries claimed ahead as one in this many of all attempts. A delivery that is claimed
/// ahead is attempted or released within a second, so it keeps others waiting for a short time only.
const AHEAD_SHARE: u32 = 2;

/// One in this many is reserved for companies that have nothing in progress.
const RESERVED_SHARE: u32 = 8;

/// How many claims may follow each other, each from where the previous one stopped, before ended attempts are
/// recorded.
const CLAIMS_IN_A_ROW: u32 = 16;

impl Work {
    /// Claims due deliveries; returns the time up to which it has seen everything. A claim visits a bounded number of
    /// companies, so there may be several; when there are very many, attempts are recorded in between.
    pub(super) async fn claim(&mut self) -> Option<Timestamp> {
        let seen = self.claim_in_a_row().await;
        self.running.forget_empty();
        seen
    }

    async fn claim_in_a_row(&mut self) -> Option<Timestamp> {
        let now = self.ports.clock.now();
        for _ in 0..CLAIMS_IN_A_ROW {
            let Some(claim) = self.next_claim() else { return Some(now) };
            let started = Instant::now();
            let taken = match self.ports.queue.claim(claim).await {
                Ok(taken) => taken,
                Err(error) => {
                    self.note_unavailable(&error);
                    return Some(now);
                }
            };
            self.is_unavailable = false;
            self.walk = taken.walk;
            metrics::claimed(taken.claimed.len());
            if !taken.claimed.is_empty() {
                self.look_again = LOOK_AGAIN;
            }
            if started.elapsed() > SLOW_CLAIM {
                tracing::warn!("a claim took too long");
                let held = taken.claimed.iter().map(held).collect();
                release(self.ports.queue.as_ref(), held).await;
                return Some(now);
            }
            for claimed in taken.claimed {
                self.running.start(&self.ports, &self.options, claimed, started);
            }
            self.peers.holds(self.running.len() > 0);
            if self.walk.after.is_none() {
                return Some(now);
            }
        }
        None
    }

    /// The next claim; `None` when all attempts are in use.
    fn next_claim(&self) -> Option<Claim> {
        let taken = u32::try_from(self.running.len()).unwrap_or(u32::MAX);
        let concurrency = self.options.concurrency;
        let limit = concurrency.saturating_sub(taken);
        if limit == 0 {
            return None;
        }
        let now = self.ports.clock.now();
        let per_host = (concurrency / HOST_SHARE).max(MAX_ATTEMPTS_AT_ONCE);
        Some(Claim {
            lease: LeaseId::new(self.ports.ids.next()),
            instance: self.peers.instance,
            now,
            lease_until: now.plus(LEASE),
            limit,
            reserved: concurrency / RESERVED_SHARE,
            per_webhook: MAX_ATTEMPTS_AT_ONCE,
            prefetch: Prefetch {
                webhooks: self.running.keeping_up(),
                per_webhook: PREFETCH,
                per_company: concurrency / AHEAD_SHARE,
            },
            per_company: (concurrency / COMPANY_SHARE).max(MAX_ATTEMPTS_AT_ONCE),
            per_host,
            hosts: self.running.hosts_from(per_host / 2),
            walk: self.walk.clone(),
        })
    }

    /// Releases deliveries that were not sent, because this instance was stopped after its claim, or because they were
    /// claimed ahead for a receiver that did not keep up.
    pub(super) async fn release_unsent(&mut self) {
        let unsent = std::mem::take(&mut self.running.unsent);
        release(self.ports.queue.as_ref(), unsent).await;
    }
}

/// Releases deliveries without an attempt.
pub(super) async fn release(queue: &dyn DeliveryQueue, held: Vec<Held>) {
    if held.is_empty() {
        return;
    }
    tracing::debug!(count = held.len(), "claims are released without an attempt");
    if let Err(error) = queue.release(held).await {
        tracing::warn!(
            ?error,
            "the claims were not released; they are retried when their leases expire"
        );
    }
}
