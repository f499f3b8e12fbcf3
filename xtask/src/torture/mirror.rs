//! The sample mirror: it is killed at random moments, and must have the contacts of the service at the end of a round.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

use super::client::{Client, contacts};
use super::proxy::Proxy;
use super::rig::Rig;
use super::tally::{Tally, Violation};

/// Within this time the mirror must be equal.
const EQUAL_WITHIN: Duration = Duration::from_mins(1);

/// The interval between comparisons.
const PAUSE: Duration = Duration::from_millis(100);

/// Contacts by id, with their values by key.
type Rows = BTreeMap<String, Value>;

/// A running mirror, and its connection to the service; killed when it is dropped.
pub(super) struct Mirror {
    program: PathBuf,
    key: String,
    directory: PathBuf,
    /// Connections go to one instance after the other, regardless of their ports.
    front: Proxy,
    /// The number of the copy.
    copy: u32,
    child: Option<Child>,
    tally: Arc<Tally>,
}

impl Mirror {
    /// Starts it without a copy.
    pub(super) async fn start(rig: &Rig, tally: Arc<Tally>) -> Result<Self> {
        let bases = Arc::clone(&rig.bases);
        let target = move |number: u64| {
            let bases = bases.read().unwrap_or_else(PoisonError::into_inner);
            let place = usize::try_from(number).ok()? % bases.len().max(1);
            bases.get(place)?.rsplit(':').next()?.parse().ok()
        };
        let mut mirror = Self {
            program: rig.program("contact-hub-mirror"),
            key: rig.key.clone(),
            directory: rig.directory().to_owned(),
            front: Proxy::to(target).await?,
            copy: 0,
            child: None,
            tally,
        };
        mirror.launch_without_copy()?;
        Ok(mirror)
    }

    /// Kills it, starts it again, and cuts its connections, until the client is stopped.
    pub(super) async fn disturb(&mut self, client: &Client, mut rng: fastrand::Rng) {
        while !client.is_stopped() {
            tokio::time::sleep(Duration::from_millis(rng.u64(100..2000))).await;
            let disturbed = match rng.u8(0..6) {
                0 => {
                    self.front.cut();
                    Ok(())
                }
                1 => self.launch_without_copy(),
                _ => self.restart(),
            };
            if let Err(error) = disturbed {
                self.tally.note(Violation::Mirror, format!("{error:#}"));
            }
        }
    }

    /// Kills it once more, and waits until it has the contacts of the service.
    pub(super) async fn check(&mut self, client: &Client, fault: &str) -> Result<()> {
        let began = Instant::now();
        self.restart()?;
        loop {
            let (stored, copied) = (stored(client).await?, self.copied().unwrap_or_default());
            if stored == copied {
                let count = u64::try_from(stored.len())?;
                self.tally.mirrored.fetch_add(count, Ordering::Relaxed);
                self.tally.mirror_caught_up(began.elapsed(), fault);
                return Ok(());
            }
            if began.elapsed() > EQUAL_WITHIN {
                let differs = |id: &&String| stored.get(*id) != copied.get(*id);
                let ids: Vec<_> = stored.keys().chain(copied.keys()).filter(differs).collect();
                let (count, first) = (ids.len(), ids.first());
                let what = format!("after {fault} {count} contacts differ, the first is {first:?}");
                self.tally.note(Violation::Mirror, what);
                return Ok(());
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    fn restart(&mut self) -> Result<()> {
        Tally::add(&self.tally.mirror_restarts);
        self.launch()
    }

    fn launch_without_copy(&mut self) -> Result<()> {
        self.copy += 1;
        Tally::add(&self.tally.mirror_copies);
        self.launch()
    }

    /// Kills it, if it runs, and starts it.
    fn launch(&mut self) -> Result<()> {
        self.kill();
        let log = self.directory.join("mirror.log");
        let log = File::options().create(true).append(true).open(log)?;
        let mut command = Command::new(&self.program);
        command.arg("--url").arg(format!("http://127.0.0.1:{}", self.front.port()));
        command.arg("--database").arg(self.path()).env("CONTACT_HUB_KEY", &self.key);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn();
        self.child = Some(child.context("the mirror does not start")?);
        Ok(())
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().ok();
            child.wait().ok();
        }
    }

    fn path(&self) -> PathBuf {
        self.directory.join(format!("copy-{}.db", self.copy))
    }

    /// The contacts of the copy; an error while it has no table.
    fn copied(&self) -> Result<Rows> {
        let copy = Connection::open_with_flags(self.path(), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let mut select = copy.prepare(
            "SELECT id, json_array(email, first_name, last_name, avatar_url, created_at, updated_at, \
             json(field_values)) FROM contacts",
        )?;
        let rows = select.query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
        let read = |row: rusqlite::Result<(String, String)>| {
            let (id, row) = row?;
            Ok((id, serde_json::from_str(&row)?))
        };
        rows.map(read).collect()
    }
}

impl Drop for Mirror {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The contacts of the service, as a copy has them.
async fn stored(client: &Client) -> Result<Rows> {
    let (mut rows, mut after) = (Rows::new(), String::new());
    loop {
        let path = format!("/contacts?include=field_values&page[size]=100&page[after]={after}");
        let answer = client.get(&contacts(&path)).await?;
        let data = answer.get("data").and_then(Value::as_array).context("a list without data")?;
        rows.extend(data.iter().filter_map(row));
        match answer.pointer("/meta/next").and_then(Value::as_str) {
            Some(next) => next.clone_into(&mut after),
            None => return Ok(rows),
        }
    }
}

fn row(contact: &Value) -> Option<(String, Value)> {
    let names = ["email", "first_name", "last_name", "avatar_url", "created_at", "updated_at"];
    let values = contact.get("field_values")?.as_array()?.iter().filter_map(|entry| {
        Some((entry.get("key")?.as_str()?.to_owned(), entry.get("value")?.clone()))
    });
    let cells = names.iter().filter_map(|name| contact.get(*name).cloned());
    let row = cells.chain([values.collect()]).collect();
    Some((contact.get("id")?.as_str()?.to_owned(), row))
}
