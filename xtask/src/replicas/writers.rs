//! Clients that write at one instance and read their writes at the other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, ensure};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use super::client::Client;

/// How many clients write at once.
const WRITERS: usize = 16;

/// Running clients.
pub(super) struct Writers {
    tasks: JoinSet<Result<u64>>,
    stopped: Arc<AtomicBool>,
}

impl Writers {
    pub(super) fn start(client: &Client, runtime: &Runtime) -> Self {
        let (mut tasks, stopped) = (JoinSet::new(), Arc::<AtomicBool>::default());
        for number in 0..WRITERS {
            let writer = Writer { client: client.clone(), number };
            let stopped = Arc::clone(&stopped);
            tasks.spawn_on(
                async move {
                    let mut rounds = 0;
                    while rounds == 0 || !stopped.load(Ordering::Relaxed) {
                        writer.round(rounds).await?;
                        rounds += 1;
                    }
                    Ok(rounds)
                },
                runtime.handle(),
            );
        }
        Self { tasks, stopped }
    }

    /// Stops them; returns how often they wrote and read, or their first failure.
    pub(super) async fn finish(mut self) -> Result<u64> {
        self.stopped.store(true, Ordering::Relaxed);
        let mut rounds = 0;
        while let Some(ended) = self.tasks.join_next().await {
            rounds += ended??;
        }
        Ok(rounds)
    }
}

struct Writer {
    client: Client,
    number: usize,
}

impl Writer {
    /// Creates, changes and deletes a contact, and reads after each write.
    async fn round(&self, round: u64) -> Result<()> {
        let (here, there) = (self.number, self.number + 1);
        let email = format!("writer{}@example.com", self.number);
        let person = json!({"email": email, "first_name": "Ada", "last_name": "New"});
        let created = self.client.call(here, Method::POST, "/contacts", Some(&person)).await?;
        let id = created.pointer("/data/id").and_then(Value::as_str).context("no id")?.to_owned();
        let listed = self.list(there, &email).await?;
        ensure!(listed.pointer("/data/0/id") == created.pointer("/data/id"), "created: {listed}");

        let path = format!("/contacts/{id}");
        let last_name = json!(format!("Last{round}"));
        let change = json!({"last_name": last_name});
        let _ = self.client.call(here, Method::PATCH, &path, Some(&change)).await?;
        let wanted = json!({"ids": [id]});
        let found =
            self.client.call(there, Method::POST, "/contacts/lookup", Some(&wanted)).await?;
        ensure!(found.pointer("/data/0/last_name") == Some(&last_name), "changed: {found}");

        let _ = self.client.call(here, Method::DELETE, &path, None).await?;
        let listed = self.list(there, &email).await?;
        ensure!(listed.pointer("/meta/total") == Some(&json!(0)), "deleted: {listed}");
        Ok(())
    }

    async fn list(&self, instance: usize, email: &str) -> Result<Value> {
        let path = format!("/contacts?filter[email]={email}");
        self.client.call(instance, Method::GET, &path, None).await
    }
}
