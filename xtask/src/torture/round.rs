//! One round: clients call, a fault begins and ends, the clients stop, and the state is checked.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::json;
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use super::check;
use super::client::{Client, Outcome, contacts};
use super::fault::Fault;
use super::history;
use super::mirror::Mirror;
use super::person::{Person, SIZE, TAG, body};
use super::rig::Rig;
use super::syncs::Syncs;
use super::tally::{Tally, Violation};
use super::timeline::Trouble;
use super::writer::Writer;

/// How many clients write their own contacts, and how many histories are recorded at once.
const WRITERS: usize = 6;
const HISTORIES: usize = 4;

/// Within this time after a fault every instance must answer again. Detection takes seconds; the rest is for a loaded
/// machine.
const RECOVERY_WITHIN: Duration = Duration::from_secs(30);

/// The interval between checks whether an instance answers.
const PAUSE: Duration = Duration::from_millis(50);

/// How long clients call before and after a fault.
const QUIET: Duration = Duration::from_millis(1500);

/// Rounds on one rig.
pub(super) struct Rounds {
    rig: Rig,
    runtime: Handle,
    rng: fastrand::Rng,
    client: Client,
    syncs: Arc<Syncs>,
    mirror: Arc<Mutex<Mirror>>,
    tag_field: String,
    tally: Arc<Tally>,
    troubles: Vec<Trouble>,
    count: u64,
}

impl Rounds {
    /// Prepares the company of the rig's first key.
    pub(super) fn prepare(
        rig: Rig,
        runtime: &Handle,
        seed: u64,
        tally: Arc<Tally>,
    ) -> Result<Self> {
        let client = Client::new(&rig.key, Arc::clone(&rig.bases), Arc::clone(&tally))?;
        let (syncs, tag_field) = runtime.block_on(async {
            let field = |name: &str, kind: &str| json!({"name": name, "type": kind});
            let fields = contacts("/fields");
            let tag_field = client.create(&fields, &field(TAG.0, "string")).await?;
            client.create(&fields, &field(SIZE.0, "number")).await?;
            anyhow::Ok((Arc::new(Syncs::prepare(&client).await?), tag_field))
        })?;
        let mirror = runtime.block_on(Mirror::start(&rig, Arc::clone(&tally)))?;
        let mirror = Arc::new(Mutex::new(mirror));
        let rng = fastrand::Rng::with_seed(seed);
        let runtime = runtime.clone();
        Ok(Self {
            rig,
            runtime,
            rng,
            client,
            syncs,
            mirror,
            tag_field,
            tally,
            troubles: Vec::new(),
            count: 0,
        })
    }

    /// Returns the rig, which is then kept or ended.
    pub(super) fn into_rig(self) -> Rig {
        self.rig
    }

    /// Whether the fault of a full disk is possible.
    pub(super) const fn can_fill_disk(&self) -> bool {
        self.rig.can_fill_disk
    }

    /// Runs one round with this fault.
    pub(super) fn run(&mut self, fault: Fault) -> Result<()> {
        self.count += 1;
        self.client = self.client.renewed();
        let place = self.rng.usize(0..self.rig.instances.len());
        let lasts = Duration::from_millis(self.rng.u64(1000..4000));
        let (writers, others) = self.start_clients();
        self.pause(QUIET);
        let began = Instant::now();
        if let Err(error) = fault.begin(&mut self.rig, &self.syncs.receiver, place) {
            self.tally.note(Violation::Recovery, format!("{fault:?}: {error:#}"));
        }
        self.pause(lasts);
        let ended = fault.end(&mut self.rig, &self.syncs.receiver, place)?;
        if !self.recovers(fault, ended) {
            // So that the checks of this and later rounds remain meaningful.
            Fault::AllKilled.begin(&mut self.rig, &self.syncs.receiver, place)?;
            Fault::AllKilled.end(&mut self.rig, &self.syncs.receiver, place)?;
        }
        let trouble = Trouble {
            fault: format!("{fault:?}"),
            hinders_records: fault != Fault::ReceiverHostile,
            began,
            ended,
            recovered: Instant::now(),
        };
        self.troubles.push(trouble.clone());
        self.pause(QUIET);
        self.client.stop();
        self.runtime.block_on(self.check(writers, others, &trouble))?;
        self.tally.rounds.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Waits for the clients, and checks what they left.
    async fn check(
        &self,
        writers: Vec<JoinHandle<Vec<Person>>>,
        others: Vec<JoinHandle<()>>,
        trouble: &Trouble,
    ) -> Result<()> {
        let mut people = Vec::new();
        for writer in writers {
            people.push(writer.await?);
        }
        for other in others {
            other.await?;
        }
        self.mirror.lock().await.check(&self.client, &trouble.fault).await?;
        check::contacts_of_round(&self.client, &people, &self.tag_field).await?;
        self.syncs.check(&self.tally, trouble).await;
        Ok(())
    }

    /// Counts repeated events, once no more can arrive.
    pub(super) fn judge_repeated(&self) {
        self.syncs.judge_repeated(&self.tally, &self.troubles);
    }

    fn pause(&self, lasts: Duration) {
        self.runtime.block_on(async { tokio::time::sleep(lasts).await });
    }

    fn start_clients(&mut self) -> (Vec<JoinHandle<Vec<Person>>>, Vec<JoinHandle<()>>) {
        let round = self.count;
        let writers = (0..WRITERS).map(|place| {
            let prefix = format!("r{round}w{place}");
            let writer = Writer::new(self.client.clone(), prefix, self.rng.u64(..));
            self.runtime.spawn(writer.run())
        });
        let writers = writers.collect();
        let mut others = Vec::new();
        for place in 0..HISTORIES {
            let (client, mut rng) = (self.client.clone(), self.rng.fork());
            others.push(self.runtime.spawn(async move {
                let mut number = 0;
                while !client.is_stopped() {
                    number += 1;
                    let email = format!("r{round}h{place}-{number}@torture.example");
                    history::record(client.clone(), email, rng.u64(..)).await;
                }
            }));
        }
        let (syncs, client, seed) =
            (Arc::clone(&self.syncs), self.client.clone(), self.rng.u64(..));
        others.push(self.runtime.spawn(async move { syncs.request(client, seed).await }));
        let (mirror, client, rng) =
            (Arc::clone(&self.mirror), self.client.clone(), self.rng.fork());
        others.push(
            self.runtime.spawn(async move { mirror.lock().await.disturb(&client, rng).await }),
        );
        (writers, others)
    }

    /// Waits until every instance writes and reads again; returns false when one does not in time.
    fn recovers(&self, fault: Fault, ended: Instant) -> bool {
        let mut all = true;
        for instance in 0..self.rig.instances.len() {
            let recovered = self.runtime.block_on(async {
                while ended.elapsed() < RECOVERY_WITHIN {
                    if works(&self.client, instance, self.count).await {
                        return Ok(());
                    }
                    tokio::time::sleep(PAUSE).await;
                }
                Err(())
            });
            if recovered.is_err() {
                let what = format!("instance {instance} did not recover from {fault:?}");
                self.tally.note(Violation::Recovery, what);
                all = false;
            }
        }
        self.tally.recovered(ended.elapsed(), &format!("{fault:?}"));
        all
    }
}

/// Whether an instance creates a contact, or finds it, and reads it.
async fn works(client: &Client, instance: usize, round: u64) -> bool {
    let email = format!("r{round}i{instance}@torture.example");
    let path = contacts("/contacts");
    let written = client.call(instance, "POST", &path, Some(&body(&email, 0))).await;
    let read = client.call(instance, "GET", &format!("{path}?filter[email]={email}"), None).await;
    matches!(written, Outcome::Answered(201 | 409, _)) && matches!(read, Outcome::Answered(200, _))
}
