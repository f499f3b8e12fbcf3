//! Histories of single contacts, which several clients call at once through different instances, and their check for
//! linearizability.
//!
//! A call with an unknown outcome stays open: it may take effect at any later time, or never.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use stateright::semantics::{ConsistencyTester as _, LinearizabilityTester, SequentialSpec};

use super::client::{Client, Outcome, contacts};
use super::person::{Seen, body, seen, values};
use super::tally::{Tally, Violation};

/// How many clients call one contact at once, and how many calls each makes.
const CALLERS: usize = 3;
const CALLS: usize = 7;

/// With more open calls the check would take too long.
const MAX_OPEN: usize = 3;

/// The longest pause between two calls of a client, in milliseconds.
const PAUSE_MS: u64 = 400;

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Call {
    /// Create or restore the contact with this version.
    Create(u64),
    /// Replace its values with those of this version.
    Put(u64),
    /// Read it.
    Read,
    /// Delete it.
    Delete,
}

/// The result of a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reply {
    /// It was done.
    Done,
    /// An active contact has the email.
    Taken,
    /// There is no such contact.
    Absent,
    /// The contact.
    Found(Seen),
}

/// The specification of one contact.
#[derive(Clone, Debug)]
pub(super) struct Contact {
    is_active: bool,
    seen: Seen,
}

impl SequentialSpec for Contact {
    type Op = Call;
    type Ret = Reply;

    fn invoke(&mut self, call: &Call) -> Reply {
        match *call {
            Call::Create(_) if self.is_active => Reply::Taken,
            Call::Create(version) => {
                *self = Self { is_active: true, seen: Seen { name: version, value: version } };
                Reply::Done
            }
            _ if !self.is_active => Reply::Absent,
            Call::Put(version) => {
                self.seen.value = version;
                Reply::Done
            }
            Call::Read => Reply::Found(self.seen),
            Call::Delete => {
                self.is_active = false;
                Reply::Done
            }
        }
    }
}

#[derive(Clone, Debug)]
enum Event {
    Called(usize, Call),
    Returned(usize, Reply),
}

/// The events of one contact in their order.
#[derive(Default)]
struct History {
    events: Vec<Event>,
    threads: usize,
    open: usize,
    versions: u64,
}

/// Records the history of a new contact, from its creation to the end of the round or the maximum number of calls.
pub(super) async fn record(client: Client, email: String, seed: u64) {
    let created = client.call(0, "POST", &contacts("/contacts"), Some(&body(&email, 0))).await;
    let Outcome::Answered(201, created) = created else { return };
    let Some(id) = created.pointer("/data/id").and_then(Value::as_str) else { return };
    let subject = Arc::new(Subject {
        client,
        path: contacts(&format!("/contacts/{id}")),
        email,
        history: Mutex::new(History { threads: CALLERS, ..History::default() }),
    });
    let callers = (0..CALLERS).map(|caller| {
        let rng = fastrand::Rng::with_seed(seed.wrapping_add(u64::try_from(caller).unwrap_or(0)));
        tokio::spawn(Arc::clone(&subject).calls(caller, rng))
    });
    for caller in callers.collect::<Vec<_>>() {
        caller.await.ok();
    }
    // The final state.
    let last = subject.with(|history| history.threads + 1);
    subject.call(last, 0, Call::Read).await;
    subject.check().await;
}

struct Subject {
    client: Client,
    path: String,
    email: String,
    history: Mutex<History>,
}

impl Subject {
    async fn calls(self: Arc<Self>, caller: usize, mut rng: fastrand::Rng) {
        let mut thread = caller;
        for _ in 0..CALLS {
            tokio::time::sleep(Duration::from_millis(rng.u64(0..PAUSE_MS))).await;
            if self.client.is_stopped() || self.with(|history| history.open >= MAX_OPEN) {
                return;
            }
            let version = self.with(|history| {
                history.versions += 1;
                history.versions
            });
            let call = match rng.u8(0..10) {
                0 | 1 => Call::Delete,
                2 | 3 => Call::Create(version),
                4..=6 => Call::Put(version),
                _ => Call::Read,
            };
            thread = self.call(thread, rng.usize(..), call).await;
        }
    }

    /// Makes a call and records it; returns the thread of the next one.
    async fn call(&self, thread: usize, instance: usize, call: Call) -> usize {
        self.with(|history| history.events.push(Event::Called(thread, call.clone())));
        let outcome = self.send(instance, &call).await;
        match outcome {
            Outcome::Answered(status, body) => {
                if let Some(reply) = reply(&call, status, &body) {
                    self.with(|history| history.events.push(Event::Returned(thread, reply)));
                    return thread;
                }
                let what = format!("{call:?} of {} was answered {status}: {body}", self.email);
                let is_half = call == Call::Read && status == 200;
                let kind = if is_half { Violation::Half } else { Violation::Answer };
                self.client.tally.note(kind, what);
                self.forget(thread);
                thread
            }
            Outcome::Unknown if call != Call::Read => self.with(|history| {
                history.open += 1;
                history.threads += 1;
                history.threads
            }),
            // It had no effect.
            Outcome::Unknown | Outcome::NotSent => {
                self.forget(thread);
                thread
            }
        }
    }

    async fn send(&self, instance: usize, call: &Call) -> Outcome {
        let (client, path) = (&self.client, &self.path);
        match *call {
            Call::Create(version) => {
                let body = body(&self.email, version);
                client.call(instance, "POST", &contacts("/contacts"), Some(&body)).await
            }
            Call::Put(version) => {
                let body = json!({ "field_values": values(version) });
                client.call(instance, "PUT", &format!("{path}/field-values"), Some(&body)).await
            }
            Call::Read => client.call(instance, "GET", path, None).await,
            Call::Delete => client.call(instance, "DELETE", path, None).await,
        }
    }

    /// Removes a call that was not sent.
    fn forget(&self, thread: usize) {
        self.with(|history| {
            let of_thread = |event: &Event| matches!(event, Event::Called(of, _) if *of == thread);
            if let Some(place) = history.events.iter().rposition(of_thread) {
                history.events.remove(place);
            }
        });
    }

    async fn check(&self) {
        let events = self.with(|history| history.events.clone());
        let checked = events.clone();
        let is_linearizable = tokio::task::spawn_blocking(move || is_linearizable(&checked)).await;
        Tally::add(&self.client.tally.histories);
        if !is_linearizable.unwrap_or(false) {
            let what = format!("the history of {} is not linearizable: {events:?}", self.email);
            self.client.tally.note(Violation::History, what);
        }
    }

    fn with<T>(&self, change: impl FnOnce(&mut History) -> T) -> T {
        change(&mut self.history.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The result of an answer; `None` when the contract does not allow it.
fn reply(call: &Call, status: u16, body: &Value) -> Option<Reply> {
    match (call, status) {
        (Call::Create(_), 201) | (Call::Put(_), 200) | (Call::Delete, 204) => Some(Reply::Done),
        (Call::Create(_), 409) => Some(Reply::Taken),
        (Call::Put(_) | Call::Delete | Call::Read, 404) => Some(Reply::Absent),
        (Call::Read, 200) => seen(body).map(Reply::Found),
        _ => None,
    }
}

/// Whether there is an order of the calls that explains every answer.
fn is_linearizable(events: &[Event]) -> bool {
    let contact = Contact { is_active: true, seen: Seen { name: 0, value: 0 } };
    let mut tester = LinearizabilityTester::new(contact);
    for event in events.iter().cloned() {
        let noted = match event {
            Event::Called(thread, call) => tester.on_invoke(thread, call).is_ok(),
            Event::Returned(thread, reply) => tester.on_return(thread, reply).is_ok(),
        };
        if !noted {
            return false;
        }
    }
    tester.is_consistent()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: u64, value: u64) -> Reply {
        Reply::Found(Seen { name, value })
    }

    #[test]
    fn a_read_after_a_write_sees_it() {
        let write = [Event::Called(0, Call::Put(1)), Event::Returned(0, Reply::Done)];
        let read = |reply| [Event::Called(1, Call::Read), Event::Returned(1, reply)];
        assert!(is_linearizable(&[write.clone(), read(found(0, 1))].concat()));
        assert!(!is_linearizable(&[write, read(found(0, 0))].concat()));
    }

    #[test]
    fn an_open_call_may_take_effect_late_or_never() {
        let open = Event::Called(9, Call::Put(1));
        let read = |reply| [Event::Called(1, Call::Read), Event::Returned(1, reply)];
        let both = [read(found(0, 0)), read(found(0, 1))].concat();
        assert!(is_linearizable(&[std::slice::from_ref(&open), &both].concat()));
        assert!(is_linearizable(&[std::slice::from_ref(&open), &read(found(0, 0))].concat()));
        let back = [read(found(0, 1)), read(found(0, 0))].concat();
        assert!(!is_linearizable(&[std::slice::from_ref(&open), &back].concat()));
    }
}
