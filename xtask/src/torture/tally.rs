//! The results so far: counts and violations.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

/// How many violations of one kind are described.
const DESCRIBED: usize = 5;

/// A violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Violation {
    /// Acknowledged data is missing, or there is data that was not requested.
    Lost,
    /// A part of a call took effect.
    Half,
    /// A count differs from a recount.
    Count,
    /// The history of a contact is not linearizable.
    History,
    /// An event of an acknowledged request was not received, or not with a valid signature.
    Event,
    /// An event was received twice although it was not in transit during a fault.
    Twice,
    /// An answer that the contract does not allow.
    Answer,
    /// The service did not recover, or did not end, in time.
    Recovery,
    /// A mirror differs from the service.
    Mirror,
}

/// The counts of one database; shared by everything that calls the service.
#[derive(Default)]
pub(super) struct Tally {
    /// Calls that were answered.
    pub(super) operations: AtomicU64,
    /// Calls with an unknown outcome.
    pub(super) unknown: AtomicU64,
    /// Calls that were repeated with their idempotency keys until they were answered.
    pub(super) repeated: AtomicU64,
    /// Answers with status 500.
    pub(super) internal: AtomicU64,
    /// Answers with status 503.
    pub(super) unavailable: AtomicU64,
    /// Histories that were checked.
    pub(super) histories: AtomicU64,
    /// Rounds that have ended.
    pub(super) rounds: AtomicU64,
    /// Events of acknowledged requests.
    pub(super) events: AtomicU64,
    /// Events that were received more than once.
    pub(super) twice: AtomicU64,
    /// Those of them that a fault explains.
    pub(super) explained: AtomicU64,
    /// How often the mirror was killed and started again.
    pub(super) mirror_restarts: AtomicU64,
    /// How many of its copies began with an export.
    pub(super) mirror_copies: AtomicU64,
    /// Contacts that were compared with a mirror's.
    pub(super) mirrored: AtomicU64,
    found: Mutex<Found>,
}

#[derive(Default)]
struct Found {
    violations: BTreeMap<Violation, Vec<String>>,
    longest: Longest,
    latest: Longest,
    mirror: Longest,
}

/// The longest duration of its kind, and the fault before it.
#[derive(Default)]
struct Longest {
    took: Duration,
    fault: String,
}

impl Longest {
    fn take(&mut self, took: Duration, fault: &str) {
        if took > self.took {
            *self = Self { took, fault: fault.to_owned() };
        }
    }

    fn seconds(&self) -> Value {
        json!((self.took.as_secs_f64() * 10.0).round() / 10.0)
    }
}

impl Tally {
    /// Adds one.
    pub(super) fn add(count: &AtomicU64) {
        count.fetch_add(1, Ordering::Relaxed);
    }

    /// Records a violation.
    pub(super) fn note(&self, violation: Violation, what: String) {
        self.found().violations.entry(violation).or_default().push(what);
    }

    /// Records how long the service took to recover from a fault.
    pub(super) fn recovered(&self, took: Duration, fault: &str) {
        self.found().longest.take(took, fault);
    }

    /// Records how long after the end of a fault an event arrived, or after its request if that was later.
    pub(super) fn received(&self, took: Duration, fault: &str) {
        self.found().latest.take(took, fault);
    }

    /// Records how long after the last write of a round the mirror was equal to the service.
    pub(super) fn mirror_caught_up(&self, took: Duration, fault: &str) {
        self.found().mirror.take(took, fault);
    }

    /// How many violations there are of this kind.
    pub(super) fn count(&self, violation: Violation) -> usize {
        self.found().violations.get(&violation).map_or(0, Vec::len)
    }

    /// Whether there are no violations.
    pub(super) fn is_clean(&self) -> bool {
        self.found().violations.is_empty()
    }

    /// The first violations of each kind.
    pub(super) fn violations(&self) -> Vec<String> {
        let found = self.found();
        let of = |(kind, all): (&Violation, &Vec<String>)| {
            let described = all.iter().take(DESCRIBED).map(|what| format!("{kind:?}: {what}"));
            described.collect::<Vec<_>>()
        };
        found.violations.iter().flat_map(of).collect()
    }

    /// The figures with their names.
    pub(super) fn figures(&self) -> Vec<(&'static str, Value)> {
        let of = |count: &AtomicU64| json!(count.load(Ordering::Relaxed));
        let (lost, half) = (self.count(Violation::Lost), self.count(Violation::Half));
        let (events, counts) = (self.count(Violation::Event), self.count(Violation::Count));
        let (histories, answers) = (self.count(Violation::History), self.count(Violation::Answer));
        let not_recovered = self.count(Violation::Recovery);
        let differs = self.count(Violation::Mirror);
        let found = self.found();
        vec![
            ("rounds", of(&self.rounds)),
            ("operations", of(&self.operations)),
            ("unknown outcomes", of(&self.unknown)),
            ("calls repeated with their keys", of(&self.repeated)),
            ("answers 500", of(&self.internal)),
            ("answers 503", of(&self.unavailable)),
            ("histories", of(&self.histories)),
            ("events", of(&self.events)),
            ("lost", json!(lost + events)),
            ("half", json!(half)),
            ("wrong counts", json!(counts)),
            ("not linearizable", json!(histories)),
            ("wrong answers", json!(answers)),
            ("not recovered", json!(not_recovered)),
            ("twice", of(&self.twice)),
            ("of these, in transit during a fault", of(&self.explained)),
            ("longest recovery, s", found.longest.seconds()),
            ("after", json!(found.longest.fault)),
            ("latest event, s", found.latest.seconds()),
            ("after it", json!(found.latest.fault)),
            ("mirror restarts", of(&self.mirror_restarts)),
            ("copies of the mirror", of(&self.mirror_copies)),
            ("rows compared with the mirror", of(&self.mirrored)),
            ("mirror differs", json!(differs)),
            ("latest mirror, s", found.mirror.seconds()),
            ("after that", json!(found.mirror.fault)),
        ]
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
