//! The checks at the end of a round, when no client writes.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::client::{Client, contacts};
use super::person::{Person, Seen, State, seen};
use super::tally::Violation;

/// A call that was given up may still take effect during a check, so a failed check is repeated after a pause.
const CHECK_TIMES: u32 = 5;
const PAUSE: Duration = Duration::from_secs(2);

/// How many contacts are read at once.
const READERS: usize = 8;

type Found = Vec<(Violation, String)>;

/// Checks the contacts of all writers, and every count; then deletes them.
pub(super) async fn contacts_of_round(
    client: &Client,
    writers: &[Vec<Person>],
    tag_field: &str,
) -> Result<()> {
    let mut found = Found::new();
    for time in 0..CHECK_TIMES {
        if time > 0 {
            tokio::time::sleep(PAUSE).await;
        }
        let stored = Stored::read(client).await?;
        found = stored.counts(client, tag_field).await?;
        found.extend(writers.iter().flat_map(|people| stored.compare(people)));
        if found.is_empty() {
            break;
        }
    }
    for (violation, what) in found {
        client.tally.note(violation, what);
    }
    delete_all(client).await
}

/// All stored contacts.
struct Stored {
    /// By address, each with the versions of its parts; `None` if its parts are of different calls.
    people: BTreeMap<String, Option<Seen>>,
    rows: usize,
    total: u64,
}

impl Stored {
    async fn read(client: &Client) -> Result<Self> {
        let (rows, total) = walk(client, "/contacts?sort[]=email").await?;
        let mut stored = Self { people: BTreeMap::new(), rows: rows.len(), total };
        let mut reads = JoinSet::new();
        for row in rows {
            let text = |name: &str| row.get(name).and_then(Value::as_str).map(str::to_owned);
            let (email, id) = (text("email").context("no address")?, text("id").context("no id")?);
            let client = client.clone();
            reads.spawn(async move {
                let detail = client.get(&contacts(&format!("/contacts/{id}"))).await?;
                anyhow::Ok((email, seen(&detail)))
            });
            if reads.len() >= READERS
                && let Some(read) = reads.join_next().await
            {
                stored.people.extend([read??]);
            }
        }
        while let Some(read) = reads.join_next().await {
            stored.people.extend([read??]);
        }
        Ok(stored)
    }

    /// Compares the counts with the stored contacts.
    async fn counts(&self, client: &Client, tag_field: &str) -> Result<Found> {
        let mut found = Found::new();
        let mut differs = |what: &str, seen: String, counted: String| {
            if seen != counted {
                found.push((Violation::Count, format!("{what}: {seen}, but there are {counted}")));
            }
        };
        let counted = self.people.len().to_string();
        differs("the total of the list", self.total.to_string(), counted.clone());
        differs("the rows of the list", self.rows.to_string(), counted);
        let (values, total) = walk(client, &format!("/fields/{tag_field}/values?")).await?;
        let used = self.people.values().flatten().map(|seen| format!("V{}", seen.value));
        let used: BTreeSet<_> = used.collect();
        let seen = values.iter().filter_map(Value::as_str).map(str::to_owned);
        let seen: BTreeSet<_> = seen.collect();
        differs("the total of the values in use", total.to_string(), used.len().to_string());
        differs("the values in use", format!("{seen:?}"), format!("{used:?}"));
        Ok(found)
    }

    /// Compares a writer's contacts with the stored ones.
    fn compare(&self, people: &[Person]) -> Found {
        let mut found = Found::new();
        // For each call with an unknown outcome: whether the contacts so far are as after it.
        let mut calls: BTreeMap<u64, bool> = BTreeMap::new();
        for person in people {
            let stored = match self.people.get(&person.email) {
                Some(None) => {
                    let what = format!("{} has parts of different calls", person.email);
                    found.push((Violation::Half, what));
                    continue;
                }
                Some(Some(seen)) => Some(*seen),
                None => None,
            };
            let seen = || format!("{} is {stored:?}, but {:?}", person.email, person.state);
            match person.state {
                State::Certain(expected) if stored == expected => {}
                State::Either { before, after, call } if stored == before || stored == after => {
                    let is_after = stored == after;
                    if *calls.entry(call).or_insert(is_after) != is_after {
                        found.push((Violation::Half, seen()));
                    }
                }
                State::Certain(_) | State::Either { .. } => found.push((Violation::Lost, seen())),
            }
        }
        found
    }
}

/// Every row of a list, and its reported total.
async fn walk(client: &Client, list: &str) -> Result<(Vec<Value>, u64)> {
    let (mut rows, mut page) = (Vec::new(), 1);
    loop {
        let path = format!("{list}&page[size]=100&page[number]={page}");
        let answer = client.get(&contacts(&path)).await?;
        let data = answer.get("data").and_then(Value::as_array).context("a list without data")?;
        rows.extend(data.iter().cloned());
        let seen = |name: &str| answer.get("meta")?.get(name)?.as_u64();
        let total = seen("total").context("a list without a total")?;
        if seen("last_page").is_none_or(|last| page >= last) {
            return Ok((rows, total));
        }
        page += 1;
    }
}

/// Keeps the number of contacts small; contacts that a late call creates are left to the next round.
async fn delete_all(client: &Client) -> Result<()> {
    let (rows, _) = walk(client, "/contacts?sort[]=email").await?;
    let ids: Vec<_> = rows.iter().filter_map(|row| row.get("id")).collect();
    for part in ids.chunks(1000) {
        let body = json!({ "ids": part });
        client.expect("POST", &contacts("/contacts/bulk-delete"), Some(&body), 200).await?;
    }
    Ok(())
}
