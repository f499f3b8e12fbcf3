//! Requests of syncs, and whether the event of each acknowledged one was received.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};

use super::client::{Client, Outcome, manage};
use super::receiver::{HOSTILE, Manner, Receiver};
use super::tally::{Tally, Violation};
use super::timeline::Trouble;

/// The secret that events are signed with.
const SECRET: &str = "a secret of the torture";

/// Within this time after the end of a fault every event must arrive.
const EVENTS_WITHIN: Duration = Duration::from_secs(75);

/// The interval between two requests, and between two checks of the receiver.
const PAUSE: Duration = Duration::from_millis(150);

/// An integration with webhooks: one has a receiver that recovers, the others have some that never do.
pub(super) struct Syncs {
    integration: String,
    /// The receiver that recovers.
    pub(super) receiver: Receiver,
    _hostile: Vec<Receiver>,
    acknowledged: Mutex<Vec<(String, Instant)>>,
}

impl Syncs {
    /// Creates all of it.
    pub(super) async fn prepare(client: &Client) -> Result<Self> {
        let integration =
            json!({"name": "Torture", "asset_types": ["email"], "merge_tag_format": "liquid"});
        let integration = client.create(&manage("/integrations"), &integration).await?;
        let receiver = Receiver::start(SECRET, Manner::Healthy).await?;
        let mut hostile = Vec::new();
        for manner in HOSTILE {
            hostile.push(Receiver::start(SECRET, manner).await?);
        }
        for receiver in std::iter::once(&receiver).chain(&hostile) {
            let webhook = json!({"name": "Torture", "url": receiver.url(), "secret": SECRET,
                "events": ["syncRequested"], "enabled": true});
            client.create(&manage("/webhooks"), &webhook).await?;
        }
        Ok(Self { integration, receiver, _hostile: hostile, acknowledged: Mutex::default() })
    }

    /// Requests syncs, each of a new asset, until the client is stopped.
    pub(super) async fn request(&self, client: Client, seed: u64) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let asset =
            json!({"name": "Torture", "type": "email", "html": "<p>Hi</p>", "subject": "Hi"});
        let body = json!({"integration_id": self.integration});
        while !client.is_stopped() {
            tokio::time::sleep(PAUSE).await;
            let outcome =
                client.call(rng.usize(..), "POST", &manage("/assets"), Some(&asset)).await;
            let Some(asset) = id(&client, outcome, 201) else { continue };
            let path = manage(&format!("/assets/{asset}/syncs"));
            let outcome = client.call(rng.usize(..), "POST", &path, Some(&body)).await;
            if let Some(sync) = id(&client, outcome, 202) {
                Tally::add(&client.tally.events);
                self.acknowledged
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push((sync, Instant::now()));
            }
        }
    }

    /// Waits for the events of every acknowledged request; records missing ones.
    pub(super) async fn check(&self, tally: &Tally, trouble: &Trouble) {
        let waited = Instant::now();
        let acknowledged =
            std::mem::take(&mut *self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner));
        let mut missing = acknowledged.clone();
        loop {
            missing.retain(|(sync, _)| self.receiver.accepted(sync).is_none());
            if missing.is_empty() || waited.elapsed() > EVENTS_WITHIN {
                break;
            }
            tokio::time::sleep(PAUSE).await;
        }
        for (sync, _) in missing {
            tally.note(Violation::Event, format!("the event of sync {sync} was not received"));
        }
        for (sync, requested) in acknowledged {
            let expected = requested.max(trouble.ended);
            let accepted = self.receiver.accepted(&sync).unwrap_or(expected);
            tally.received(accepted.saturating_duration_since(expected), &trouble.fault);
        }
        if self.receiver.unsigned() > 0 {
            let what = format!("{} events without a valid signature", self.receiver.unsigned());
            tally.note(Violation::Event, what);
        }
    }

    /// Counts repeated events, and records those that no fault explains.
    pub(super) fn judge_repeated(&self, tally: &Tally, troubles: &[Trouble]) {
        for (sync, times) in self.receiver.repeated() {
            Tally::add(&tally.twice);
            let unrecorded = times.split_last().map_or(&[][..], |(_last, before)| before);
            let explains =
                |accepted: &Instant| troubles.iter().any(|trouble| trouble.explains(*accepted));
            if unrecorded.iter().all(explains) {
                Tally::add(&tally.explained);
            } else {
                let what = format!("the event of sync {sync} came {} times", times.len());
                tally.note(Violation::Twice, what);
            }
        }
    }
}

/// The id in an answer with this status.
fn id(client: &Client, outcome: Outcome, expected: u16) -> Option<String> {
    match outcome {
        Outcome::Answered(status, body) if status == expected => {
            body.pointer("/data/id").and_then(Value::as_str).map(str::to_owned)
        }
        Outcome::Answered(status, body) => {
            let what = format!("a sync was answered {status} instead of {expected}: {body}");
            client.tally.note(Violation::Answer, what);
            None
        }
        Outcome::NotSent | Outcome::Unknown => None,
    }
}
