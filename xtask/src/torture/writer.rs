//! A client that writes its own contacts and records what was acknowledged.
//!
//! After a call with an unknown outcome its contacts are not changed again: they may be in the state before or after
//! the call, and all contacts of a bulk must be in the same one.

use std::time::Duration;

use serde_json::{Value, json};

use super::client::{Client, Outcome, contacts, manage};
use super::person::{Person, Seen, State, body, seen, values};
use super::tally::Violation;

/// How many contacts a writer creates in a round; then it changes them.
const MAX_PEOPLE: usize = 120;

/// How many rows of a bulk are new, changed and invalid.
const NEW_ROWS: usize = 8;
const CHANGED_ROWS: usize = 6;
const INVALID_ROWS: usize = 2;

/// How many contacts a bulk deletes.
const DELETED_ROWS: usize = 5;

/// The pause between two calls.
const PAUSE: Duration = Duration::from_millis(2);

/// A client and its contacts.
pub(super) struct Writer {
    client: Client,
    rng: fastrand::Rng,
    prefix: String,
    made: u64,
    people: Vec<Person>,
}

impl Writer {
    /// A writer whose contacts' addresses begin like this.
    pub(super) fn new(client: Client, prefix: String, seed: u64) -> Self {
        Self { client, rng: fastrand::Rng::with_seed(seed), prefix, made: 0, people: Vec::new() }
    }

    /// Writes until the client is stopped; returns its contacts.
    pub(super) async fn run(mut self) -> Vec<Person> {
        while !self.client.is_stopped() {
            // When every outcome is unknown no contact is left to call.
            tokio::time::sleep(PAUSE).await;
            let is_full = self.people.len() >= MAX_PEOPLE;
            match self.rng.u8(0..20) {
                0..=3 if !is_full => self.create().await,
                4 if !is_full => self.upsert_many().await,
                5..=9 => self.put().await,
                10..=12 => self.delete().await,
                13 => self.delete_many().await,
                14 => self.restore().await,
                15 => self.erase().await,
                _ => self.read().await,
            }
        }
        self.people
    }

    /// Numbers the writer's calls and the versions of contacts.
    fn next(&mut self) -> u64 {
        self.made += 1;
        self.made
    }

    async fn call(&mut self, method: &str, path: &str, body: Option<&Value>) -> Outcome {
        self.call_at(method, &contacts(path), body).await
    }

    async fn call_at(&mut self, method: &str, address: &str, body: Option<&Value>) -> Outcome {
        if method == "POST" && self.rng.bool() {
            let key = format!("{}-{}", self.prefix, self.rng.u64(..));
            return self.client.call_once(&mut self.rng, address, body, &key).await;
        }
        let instance = self.rng.usize(..);
        self.client.call(instance, method, address, body).await
    }

    fn wrong(&self, what: &str, status: u16, body: &Value) {
        let what = format!("{what} was answered {status}: {body}");
        self.client.tally.note(Violation::Answer, what);
    }

    async fn create(&mut self) {
        let version = self.next();
        let email = format!("{}-{version}@torture.example", self.prefix);
        let (before, after) = (None, Some(Seen { name: version, value: version }));
        let outcome = self.call("POST", "/contacts", Some(&body(&email, version))).await;
        let mut person = Person { email, id: None, state: State::Certain(after) };
        match outcome {
            Outcome::Answered(201, body) => person.id = id_of(&body),
            Outcome::Answered(status, body) => {
                return self.wrong(&format!("creating {}", person.email), status, &body);
            }
            Outcome::NotSent => return,
            Outcome::Unknown => person.state = State::Either { before, after, call: version },
        }
        self.people.push(person);
    }

    /// Creates a deleted contact again.
    async fn restore(&mut self) {
        let is_deleted = |person: &Person| person.state == State::Certain(None);
        let Some((place, person)) = self.pick(is_deleted) else { return };
        let version = self.next();
        let after = Some(Seen { name: version, value: version });
        let body = body(&person.email, version);
        let outcome = self.call("POST", "/contacts", Some(&body)).await;
        if let Outcome::Answered(201, body) = &outcome
            && person.id.is_some()
            && id_of(body) != person.id
        {
            self.wrong("restoring with the id that it had", 201, body);
        }
        self.settle(place, outcome, 201, after, version);
    }

    async fn put(&mut self) {
        let Some((place, person)) = self.pick(is_active) else { return };
        let (Some(id), State::Certain(Some(before))) = (person.id, person.state) else { return };
        let version = self.next();
        let body = json!({ "field_values": values(version) });
        let path = format!("/contacts/{id}/field-values");
        let outcome = self.call("PUT", &path, Some(&body)).await;
        self.settle(place, outcome, 200, Some(Seen { value: version, ..before }), version);
    }

    async fn delete(&mut self) {
        let Some((place, person)) = self.pick(is_active) else { return };
        let Some(id) = person.id else { return };
        let version = self.next();
        let outcome = self.call("DELETE", &format!("/contacts/{id}"), None).await;
        self.settle(place, outcome, 204, None, version);
    }

    /// Erases a contact; one that is created with its address is another one.
    async fn erase(&mut self) {
        let Some((place, person)) = self.pick(is_active) else { return };
        let Some(id) = person.id else { return };
        let version = self.next();
        let (path, body) = (manage(&format!("/contacts/{id}/erase")), json!({ "block": false }));
        let outcome = self.call_at("POST", &path, Some(&body)).await;
        if let Some(person) = self.people.get_mut(place)
            && !matches!(outcome, Outcome::NotSent)
        {
            person.id = None;
        }
        self.settle(place, outcome, 204, None, version);
    }

    /// Reads a contact that no other client writes.
    async fn read(&mut self) {
        let Some((_, person)) = self.pick(is_active) else { return };
        let (Some(id), State::Certain(expected)) = (person.id, person.state) else { return };
        match self.call("GET", &format!("/contacts/{id}"), None).await {
            Outcome::Answered(200, body) if seen(&body) == expected => {}
            Outcome::Answered(status, body) => {
                let what = format!("{} is {status} {body} instead of {expected:?}", person.email);
                self.client.tally.note(Violation::Lost, what);
            }
            Outcome::NotSent | Outcome::Unknown => {}
        }
    }

    async fn upsert_many(&mut self) {
        let version = self.next();
        let after = Some(Seen { name: version, value: version });
        let new = (0..NEW_ROWS).map(|row| Person {
            email: format!("{}-{version}.{row}@torture.example", self.prefix),
            id: None,
            state: State::Certain(None),
        });
        let new: Vec<_> = new.collect();
        let changed = self.choose(CHANGED_ROWS, |it| matches!(it.state, State::Certain(_)));
        let known = changed.iter().filter_map(|place| self.people.get(*place)).cloned();
        let rows: Vec<Person> = new.iter().cloned().chain(known).collect();
        let is_there = |person: &&Person| matches!(person.state, State::Certain(Some(_)));
        let active = rows.iter().filter(is_there).count();
        let mut bodies: Vec<_> = rows.iter().map(|person| body(&person.email, version)).collect();
        bodies.extend((0..INVALID_ROWS).map(|_| body("no address", version)));
        let body = json!({ "contacts": bodies });
        let outcome = self.call("POST", "/contacts/bulk", Some(&body)).await;
        if let Outcome::Answered(200, body) = &outcome {
            let expected = [rows.len() - active, active, INVALID_ROWS];
            let reported = ["created", "updated", "failed"]
                .map(|name| body.pointer("/data")?.get(name)?.as_u64());
            if !reported
                .iter()
                .zip(expected)
                .all(|(reported, expected)| *reported == u64::try_from(expected).ok())
            {
                self.wrong(&format!("a bulk that has to count {expected:?}"), 200, body);
            }
        }
        if matches!(outcome, Outcome::NotSent) {
            return;
        }
        let first = self.people.len();
        self.people.extend(new);
        let places = changed.into_iter().chain(first..self.people.len());
        self.settle_all(places.collect(), outcome, 200, after, version);
        self.learn_ids(&format!("{}-{version}.", self.prefix)).await;
    }

    /// Looks up the ids of the contacts that a bulk created.
    async fn learn_ids(&mut self, beginning: &str) {
        let path = format!("/contacts?filter[email][startsWith]={beginning}&page[size]=100");
        let Outcome::Answered(200, list) = self.call("GET", &path, None).await else { return };
        for found in list.get("data").and_then(Value::as_array).into_iter().flatten() {
            let email = found.get("email").and_then(Value::as_str).unwrap_or_default();
            if let Some(person) = self.people.iter_mut().find(|person| person.email == email) {
                person.id = found.get("id").and_then(Value::as_str).map(str::to_owned);
            }
        }
    }

    async fn delete_many(&mut self) {
        let places = self.choose(DELETED_ROWS, is_active);
        let ids = places.iter().filter_map(|place| self.people.get(*place)?.id.clone());
        let ids: Vec<_> = ids.collect();
        if ids.is_empty() {
            return;
        }
        let version = self.next();
        let body = json!({ "ids": ids });
        let outcome = self.call("POST", "/contacts/bulk-delete", Some(&body)).await;
        if let Outcome::Answered(200, body) = &outcome
            && body.pointer("/data/deleted").and_then(Value::as_u64)
                != u64::try_from(ids.len()).ok()
        {
            self.wrong(&format!("deleting {} contacts", ids.len()), 200, body);
        }
        self.settle_all(places, outcome, 200, None, version);
    }

    /// Records the outcome of a call that changes one contact.
    fn settle(
        &mut self,
        place: usize,
        outcome: Outcome,
        expected: u16,
        after: Option<Seen>,
        call: u64,
    ) {
        self.settle_all(vec![place], outcome, expected, after, call);
    }

    /// Records the outcome of a call that changes these contacts.
    fn settle_all(
        &mut self,
        places: Vec<usize>,
        outcome: Outcome,
        expected: u16,
        after: Option<Seen>,
        call: u64,
    ) {
        let is_known = match outcome {
            Outcome::Answered(status, _) if status == expected => true,
            Outcome::Answered(status, body) => {
                return self.wrong(&format!("a call for {expected}"), status, &body);
            }
            Outcome::NotSent => return,
            Outcome::Unknown => false,
        };
        for place in places {
            let Some(person) = self.people.get_mut(place) else { continue };
            let State::Certain(before) = person.state else { continue };
            let unknown = State::Either { before, after, call };
            person.state = if is_known { State::Certain(after) } else { unknown };
        }
    }

    /// One of the contacts that match.
    fn pick(&mut self, fits: impl Fn(&Person) -> bool) -> Option<(usize, Person)> {
        let place = self.choose(1, fits).first().copied()?;
        Some((place, self.people.get(place)?.clone()))
    }

    /// The indexes of up to this many distinct contacts that match.
    fn choose(&mut self, count: usize, fits: impl Fn(&Person) -> bool) -> Vec<usize> {
        let fitting = self.people.iter().enumerate().filter(|(_, person)| fits(person));
        let mut places: Vec<_> = fitting.map(|(place, _)| place).collect();
        self.rng.shuffle(&mut places);
        places.truncate(count);
        places
    }
}

/// Whether a contact is known to exist, and its id.
fn is_active(person: &Person) -> bool {
    person.id.is_some() && matches!(person.state, State::Certain(Some(_)))
}

fn id_of(body: &Value) -> Option<String> {
    body.pointer("/data/id").and_then(Value::as_str).map(str::to_owned)
}
