//! The background task that builds and deletes indexed values.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use contact_hub_domain::ports::StoreError;

use super::settle::wait_until_known;
use super::todo::{Todo, todos};
use super::{build, delete, statistics};
use crate::Storage;
use crate::connection::Connection;
use crate::fields::IndexState;
use crate::units::{Reading, Writing};

/// How many contacts a batch has. On SQLite it blocks all other writes, so it is short.
const BATCH: u32 = 250;

/// The factor by which batches are larger on PostgreSQL, where they block only writes of their contacts.
const TIMES_ON_POSTGRES: u32 = 4;

/// The pause after a batch is this many times as long as the batch, so that other work gets most of the database.
const REST: u32 = 2;

/// The longest pause.
const LONGEST_REST: Duration = Duration::from_secs(1);

/// How often it is checked whether further fields have pending work: they need not wait for those in progress.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Builds and deletes the indexed values of fields. Every instance may run it: a batch locks its field.
#[derive(Clone)]
pub struct ValueIndexing(Storage);

impl Storage {
    /// The task that indexes values, which a service does in the background.
    #[must_use]
    pub fn value_indexing(&self) -> ValueIndexing {
        ValueIndexing(self.clone())
    }
}

impl ValueIndexing {
    /// Waits until a field was changed by this instance since the previous call.
    pub async fn wanted(&self) {
        self.0.index_work().notified().await;
    }

    /// Does all pending work, a batch of each field in turn. A field whose batch fails does not block the others, and
    /// is left for the next call. So is a field of which a write that began long ago may not know.
    pub async fn run(&self) -> Result<(), StoreError> {
        let (mut known, mut failed) = (Vec::<Todo>::new(), Vec::<Todo>::new());
        loop {
            let mut todos = self.0.read(Reading::Few, todos).await?;
            todos.retain(|todo| !failed.contains(todo));
            known.retain(|todo| todos.contains(todo));
            let new: Vec<Todo> = todos.into_iter().filter(|todo| !known.contains(todo)).collect();
            if known.is_empty() && new.is_empty() {
                return Ok(());
            }
            let is_settled = AtomicBool::new(false);
            let settle = async {
                let are_known = new.is_empty() || wait_until_known(&self.0).await?;
                is_settled.store(true, Ordering::Relaxed);
                Ok::<bool, StoreError>(are_known)
            };
            let work = self.work_off(known.clone(), &is_settled);
            let (are_known, failures) = tokio::join!(settle, work);
            failed.extend(failures);
            if are_known? {
                known.extend(new);
            } else if known.is_empty() {
                return Ok(());
            }
        }
    }

    /// Works for a while, and longer until new fields are settled. Returns the fields whose batch failed.
    async fn work_off(&self, mut todos: Vec<Todo>, is_settled: &AtomicBool) -> Vec<Todo> {
        let mut failed = Vec::new();
        let began = Instant::now();
        let goes_on = || began.elapsed() < LOOK_EVERY || !is_settled.load(Ordering::Relaxed);
        while !todos.is_empty() && goes_on() {
            let mut left = Vec::new();
            for todo in todos {
                let started = Instant::now();
                match self.do_batch(todo).await {
                    Ok(true) => left.push(todo),
                    Ok(false) => self.end(todo).await,
                    Err(error) => {
                        failed.push(todo);
                        let (company, field) = (todo.company, todo.field);
                        tracing::warn!(%error, %company, %field, "a batch of values was not indexed");
                    }
                }
                sleep(started.elapsed().saturating_mul(REST).min(LONGEST_REST)).await;
            }
            todos = left;
        }
        failed
    }

    /// A failure to renew the statistics costs only time.
    async fn end(&self, todo: Todo) {
        self.0.directories().forget(todo.company);
        if let Err(error) = statistics::renew(&self.0, todo.company).await {
            tracing::warn!(%error, "the statistics of indexed values were not renewed");
        }
    }

    /// Does a batch; returns whether there is more.
    async fn do_batch(&self, todo: Todo) -> Result<bool, StoreError> {
        let storage = self.0.clone();
        let unit = move |connection: &mut Connection| {
            let most = match connection {
                Connection::Postgres(_) => BATCH * TIMES_ON_POSTGRES,
                Connection::Sqlite(_) => BATCH,
            };
            match todo.state {
                IndexState::Building => build::batch(&storage, connection, todo, most),
                _ => delete::batch(connection, todo, most),
            }
        };
        self.0.write_unrecorded(Writing::For(todo.company), unit).await
    }
}
