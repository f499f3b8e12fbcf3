//! The worker on an in-memory queue, with paused time.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use contact_hub_domain::ids::{CompanyId, DeliveryId, EventId, InstanceId, LeaseId, WebhookId};
use contact_hub_domain::ports::{MockClock, MockIds, MockRandomness, StoreError};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{
    Announced, Announcement, AttemptOutcome, AttemptResult, Backlog, Claim, Claimed, Dead,
    DeliveryQueue, DeliverySignal, EventKind, Follower, Followers, Headers, Look, PayloadUrl,
    Recorded, RetrySchedule, Taken, Trigger, Walk, WebhookNotice, WebhookSender,
};
use uuid::Uuid;

use crate::{Heartbeat, Worker, WorkerOptions, WorkerPorts, WorkerSignal};

#[derive(Default)]
struct State {
    waiting: VecDeque<u128>,
    recorded: Vec<DeliveryId>,
    released: Vec<DeliveryId>,
    claims: usize,
    looks: usize,
    claims_take: Duration,
    is_left_to_others: bool,
    is_away: bool,
}

#[derive(Default)]
struct Memory(Mutex<State>);

impl Memory {
    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn asked<T>(&self, act: impl FnOnce(&mut State) -> T) -> Result<T, StoreError> {
        self.with(|state| {
            if state.is_away { Err(StoreError::Unavailable("away".into())) } else { Ok(act(state)) }
        })
    }
}

#[async_trait]
impl DeliveryQueue for Memory {
    async fn claim(&self, claim: Claim) -> Result<Taken, StoreError> {
        tokio::time::sleep(self.with(|state| state.claims_take)).await;
        self.asked(|state| {
            state.claims += 1;
            let limit = if state.is_left_to_others { 0 } else { claim.limit };
            let count = usize::try_from(limit).expect("few").min(state.waiting.len());
            let taken = state.waiting.drain(..count);
            let claimed = taken.map(|number| claimed(number, claim.lease)).collect();
            Taken { claimed, walk: Walk::default() }
        })
    }

    async fn record(&self, attempts: Vec<Recorded>) -> Result<Vec<WebhookNotice>, StoreError> {
        self.asked(|state| {
            state.recorded.extend(attempts.iter().map(|recorded| recorded.delivery_id));
            Vec::new()
        })
    }

    async fn look(&self, _instance: InstanceId) -> Result<Look, StoreError> {
        self.asked(|state| {
            state.looks += 1;
            Look { next_due: state.waiting.front().map(|_| now()), ..Look::default() }
        })
    }

    async fn sign(&self, _instance: InstanceId, _at: Timestamp) -> Result<(), StoreError> {
        self.asked(|_state| ())
    }

    async fn leave(&self, _instance: InstanceId) -> Result<(), StoreError> {
        self.asked(|_state| ())
    }

    async fn take_over(&self, _instance: InstanceId, _dead: Dead) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn correct_due_times(&self, _now: Timestamp, _limit: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn settle(&self, _limit: u32, _within: Duration) -> Result<bool, StoreError> {
        Ok(false)
    }

    async fn backlog(&self, _now: Timestamp) -> Result<Backlog, StoreError> {
        self.asked(|_state| Backlog::default())
    }

    async fn release(&self, held: Vec<(DeliveryId, LeaseId)>) -> Result<(), StoreError> {
        self.asked(|state| state.released.extend(held.into_iter().map(|(delivery, _)| delivery)))
    }

    async fn followers(&self, _after: Option<Follower>) -> Result<Followers, StoreError> {
        Ok(Followers::default())
    }

    async fn announce(&self, _announcement: Announcement) -> Result<Announced, StoreError> {
        Ok(Announced::Nothing)
    }

    async fn purge(&self, _before: Timestamp, _limit: u32) -> Result<u64, StoreError> {
        Ok(0)
    }
}

fn now() -> Timestamp {
    Timestamp::from_micros(0).expect("in range")
}

fn claimed(number: u128, lease: LeaseId) -> Claimed {
    let id = Uuid::from_u128(number);
    Claimed {
        company: CompanyId::new(id),
        delivery_id: DeliveryId::new(id),
        lease,
        webhook_id: WebhookId::new(id),
        event_id: EventId::new(id),
        kind: EventKind::SyncRequested,
        number: 1,
        retries: 0,
        trigger: Trigger::Scheduled,
        url: PayloadUrl::from_stored(String::new()),
        secrets: Vec::new(),
        payload: String::new(),
    }
}

/// Takes this long for each attempt, and records the maximum number at once.
struct Slow(Duration, Mutex<(usize, usize)>);

#[async_trait]
impl WebhookSender for Slow {
    async fn send(&self, _claimed: &Claimed) -> AttemptResult {
        let count = |by: isize| {
            let mut counts = self.1.lock().expect("counts");
            counts.0 = counts.0.saturating_add_signed(by);
            counts.1 = counts.1.max(counts.0);
        };
        count(1);
        tokio::time::sleep(self.0).await;
        count(-1);
        let outcome = AttemptOutcome::Answered(200);
        AttemptResult {
            started_at: now(),
            duration: self.0,
            outcome,
            retry_after: None,
            answer: None,
            request_headers: Headers::default(),
            answer_headers: Headers::default(),
        }
    }
}

struct Stage {
    memory: Arc<Memory>,
    sender: Arc<Slow>,
    signal: Arc<WorkerSignal>,
    heartbeat: Arc<Heartbeat>,
    worker: Worker,
}

impl Stage {
    fn start(waiting: u128, concurrency: u32, attempt: Duration) -> Self {
        let memory = Arc::<Memory>::default();
        memory.with(|state| state.waiting.extend(1..=waiting));
        let sender = Arc::new(Slow(attempt, Mutex::default()));
        let (mut clock, mut ids, mut randomness) =
            (MockClock::new(), MockIds::new(), MockRandomness::new());
        clock.expect_now().return_const(now());
        ids.expect_next().return_const(Uuid::nil());
        randomness.expect_bytes().return_const([0; 32]);
        let ports = WorkerPorts {
            queue: memory.clone(),
            sender: sender.clone(),
            clock: Arc::new(clock),
            ids: Arc::new(ids),
            randomness: Arc::new(randomness),
        };
        let options = WorkerOptions { concurrency, schedule: RetrySchedule::default() };
        let (signal, heartbeat) = (Arc::<WorkerSignal>::default(), Arc::<Heartbeat>::default());
        let worker = Worker::start(ports, options, Arc::clone(&signal), Arc::clone(&heartbeat));
        Self { memory, sender, signal, heartbeat, worker }
    }
}

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test(start_paused = true)]
async fn all_deliveries_are_sent_within_the_concurrency_limit() {
    let stage = Stage::start(1000, 16, SECOND);
    tokio::time::sleep(70 * SECOND).await;
    assert_eq!(stage.memory.with(|state| state.recorded.len()), 1000);
    assert_eq!(stage.sender.1.lock().expect("counts").1, 16);
    stage.worker.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_idle_worker_polls_once_a_second_and_wakes_at_once() {
    let stage = Stage::start(0, 16, Duration::ZERO);
    tokio::time::sleep(100 * SECOND).await;
    let (claims, looks) = stage.memory.with(|state| (state.claims, state.looks));
    assert!(claims <= 1 && (99..=102).contains(&looks), "{claims} claims, {looks} looks");
    stage.memory.with(|state| state.waiting.push_back(7));
    stage.signal.wake();
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert_eq!(stage.memory.with(|state| state.recorded.len()), 1);
    // A delivery without a wake-up is found by the next poll.
    stage.memory.with(|state| state.waiting.push_back(8));
    tokio::time::sleep(SECOND + Duration::from_millis(5)).await;
    assert_eq!(stage.memory.with(|state| state.recorded.len()), 2);
    stage.worker.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_busy_worker_still_checks_for_dead_instances() {
    let stage = Stage::start(100_000, 16, Duration::ZERO);
    stage.memory.with(|state| state.claims_take = Duration::from_millis(10));
    tokio::time::sleep(5 * SECOND).await;
    let (waiting, looks) = stage.memory.with(|state| (state.waiting.len(), state.looks));
    assert!(waiting > 0, "it is busy all the time");
    assert!((8..=11).contains(&looks), "{looks} looks");
    stage.worker.stop().await;
}

#[tokio::test(start_paused = true)]
async fn attempts_that_end_while_the_store_is_down_are_recorded_later() {
    let stage = Stage::start(3, 16, SECOND);
    tokio::time::sleep(SECOND / 2).await;
    stage.memory.with(|state| state.is_away = true);
    tokio::time::sleep(20 * SECOND).await;
    assert_eq!(stage.memory.with(|state| state.recorded.len()), 0);
    stage.memory.with(|state| state.is_away = false);
    tokio::time::sleep(2 * SECOND).await;
    assert_eq!(stage.memory.with(|state| state.recorded.len()), 3);
    stage.worker.stop().await;
}

#[tokio::test(start_paused = true)]
async fn shutdown_waits_for_attempts_and_claims_no_more() {
    let stage = Stage::start(5, 2, 10 * SECOND);
    tokio::time::sleep(SECOND).await;
    stage.worker.stop().await;
    let done = stage.memory.with(|state| (state.recorded.len(), state.released.len()));
    assert_eq!((done, stage.memory.with(|state| state.waiting.len())), ((2, 0), 3));
}

#[tokio::test(start_paused = true)]
async fn shutdown_returns_deliveries_that_do_not_end_in_time() {
    let stage = Stage::start(5, 2, 1000 * SECOND);
    tokio::time::sleep(SECOND).await;
    let started = tokio::time::Instant::now();
    stage.worker.stop().await;
    assert!(started.elapsed() < 30 * SECOND);
    let done = stage.memory.with(|state| (state.recorded.len(), state.released.len()));
    assert_eq!(done, (0, 2));
}

#[tokio::test(start_paused = true)]
async fn deliveries_are_returned_if_the_claim_took_too_long_for_its_lease() {
    let stage = Stage::start(3, 16, SECOND);
    stage.memory.with(|state| state.claims_take = 11 * SECOND);
    tokio::time::sleep(14 * SECOND).await;
    let done = stage.memory.with(|state| (state.recorded.len(), state.released.len()));
    assert_eq!(done, (0, 3));
    stage.worker.stop().await;
}

#[tokio::test(start_paused = true)]
async fn heartbeats_continue_until_shutdown_even_while_the_store_is_down() {
    let stage = Stage::start(0, 16, SECOND);
    tokio::time::sleep(100 * SECOND).await;
    assert!(stage.heartbeat.is_alive());
    stage.memory.with(|state| state.is_away = true);
    tokio::time::sleep(100 * SECOND).await;
    assert!(stage.heartbeat.is_alive());
    stage.worker.stop().await;
    tokio::time::sleep(61 * SECOND).await;
    assert!(!stage.heartbeat.is_alive());
}

#[tokio::test(start_paused = true)]
async fn deliveries_left_to_other_instances_are_polled_with_growing_pauses() {
    let stage = Stage::start(1, 16, Duration::ZERO);
    stage.memory.with(|state| state.is_left_to_others = true);
    tokio::time::sleep(SECOND / 5).await;
    let soon = stage.memory.with(|state| state.claims);
    assert!((4..=5).contains(&soon), "{soon}");
    tokio::time::sleep(100 * SECOND).await;
    let later = stage.memory.with(|state| state.claims) - soon;
    assert!((98..=106).contains(&later), "{later}");
    stage.memory.with(|state| state.is_left_to_others = false);
    tokio::time::sleep(SECOND + Duration::from_millis(10)).await;
    assert_eq!(stage.memory.with(|state| state.recorded.len()), 1);
    stage.worker.stop().await;
}
