//! What was seen so far: counts, and what must not have happened.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

/// How many violations of one kind are described.
const DESCRIBED: usize = 5;

/// What must not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Violation {
    /// What was acknowledged is not there, or what was not asked for is.
    Lost,
    /// A part of a call took effect.
    Half,
    /// A count differs from a recount.
    Count,
    /// The history of a contact is not linearizable.
    History,
    /// An event of an acknowledged request was not received, or not with a valid signature.
    Event,
    /// An answer that the contract does not allow.
    Answer,
    /// The service did not recover, or did not end, in time.
    Recovery,
}

/// The counts of one database; shared by everything that calls the service.
#[derive(Default)]
pub(super) struct Tally {
    /// Calls that were answered.
    pub(super) operations: AtomicU64,
    /// Calls of which nobody knows whether they took effect.
    pub(super) unknown: AtomicU64,
    /// Answers with status 500.
    pub(super) internal: AtomicU64,
    /// Histories that were checked.
    pub(super) histories: AtomicU64,
    /// Rounds that have ended.
    pub(super) rounds: AtomicU64,
    /// Events that acknowledged requests made.
    pub(super) events: AtomicU64,
    /// Events that were received more than once.
    pub(super) twice: AtomicU64,
    found: Mutex<Found>,
}

#[derive(Default)]
struct Found {
    violations: BTreeMap<Violation, Vec<String>>,
    longest: Option<(Duration, String)>,
}

impl Tally {
    /// Adds one.
    pub(super) fn add(count: &AtomicU64) {
        count.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes what must not have happened.
    pub(super) fn note(&self, violation: Violation, what: String) {
        self.found().violations.entry(violation).or_default().push(what);
    }

    /// Notes how long the service took to recover from a fault.
    pub(super) fn recovered(&self, took: Duration, fault: &str) {
        let mut found = self.found();
        if found.longest.as_ref().is_none_or(|(longest, _)| took > *longest) {
            found.longest = Some((took, fault.to_owned()));
        }
    }

    /// How many violations there are of this kind.
    pub(super) fn count(&self, violation: Violation) -> usize {
        self.found().violations.get(&violation).map_or(0, Vec::len)
    }

    /// Whether nothing happened that must not.
    pub(super) fn is_clean(&self) -> bool {
        self.found().violations.is_empty()
    }

    /// The violations, the first ones of each kind.
    pub(super) fn violations(&self) -> Vec<String> {
        let found = self.found();
        let of = |(kind, all): (&Violation, &Vec<String>)| {
            let described = all.iter().take(DESCRIBED).map(|what| format!("{kind:?}: {what}"));
            described.collect::<Vec<_>>()
        };
        found.violations.iter().flat_map(of).collect()
    }

    /// The longest recovery, and the fault that it followed.
    pub(super) fn longest(&self) -> (Duration, String) {
        self.found().longest.clone().unwrap_or_default()
    }

    /// The figures with their names.
    pub(super) fn figures(&self) -> Vec<(&'static str, Value)> {
        let of = |count: &AtomicU64| json!(count.load(Ordering::Relaxed));
        let (longest, fault) = self.longest();
        vec![
            ("rounds", of(&self.rounds)),
            ("operations", of(&self.operations)),
            ("unknown outcomes", of(&self.unknown)),
            ("answers 500", of(&self.internal)),
            ("histories", of(&self.histories)),
            ("events", of(&self.events)),
            ("lost", json!(self.count(Violation::Lost) + self.count(Violation::Event))),
            ("half", json!(self.count(Violation::Half))),
            ("wrong counts", json!(self.count(Violation::Count))),
            ("not linearizable", json!(self.count(Violation::History))),
            ("wrong answers", json!(self.count(Violation::Answer))),
            ("not recovered", json!(self.count(Violation::Recovery))),
            ("twice", of(&self.twice)),
            ("longest recovery, s", json!((longest.as_secs_f64() * 10.0).round() / 10.0)),
            ("after", json!(fault)),
        ]
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
