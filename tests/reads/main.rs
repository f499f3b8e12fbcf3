//! Measures what batching concurrent reads of single contacts is worth, in the storage alone.
//!
//! The same clients read the same contacts by as many connections in two ways. In the first they share one storage, which
//! batches their reads. In the second each read has a storage with one connection to itself, so every batch has one
//! read. The ways alternate, so that what else the machine does affects both.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use clap::Parser;
use contact_hub::output::print_line;
use contact_hub::settings::DatabaseSettings;
use contact_hub_domain::contacts::{ContactStore, ListQuery};
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_storage::{Storage, StorageOptions};
use serde_json::json;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinSet;
use uuid::Uuid;

/// How often both ways are measured.
const ROUNDS: u32 = 5;

/// Reads per second, batched and one by one.
#[derive(Parser)]
#[command(name = "reads")]
struct Options {
    #[command(flatten)]
    database: DatabaseSettings,
    /// The company whose contacts are read
    #[arg(long)]
    company: Uuid,
    /// How many clients read at once
    #[arg(long, default_value_t = 16)]
    clients: usize,
    /// For how many seconds each way is measured
    #[arg(long, default_value_t = 5)]
    seconds: u32,
}

/// What is read, and for how long in each round.
struct Load {
    company: CompanyId,
    contacts: Vec<ContactId>,
    clients: usize,
    lasts: Duration,
}

#[tokio::main]
async fn main() -> Result<()> {
    let options = Options::parse();
    let settings = options.database.storage_options();
    let shared = Storage::new(&settings, Handle::current());
    let single = StorageOptions { connections: 1, ..settings.clone() };
    let singles = (0..settings.connections).map(|_| Storage::new(&single, Handle::current()));
    let singles: Vec<Storage> = singles.collect();
    let company = CompanyId::new(options.company);
    let page = shared.list(company, ListQuery::default()).await?;
    let load = Arc::new(Load {
        company,
        contacts: page.items.iter().map(|contact| contact.id).collect(),
        clients: options.clients,
        lasts: Duration::from_secs(options.seconds.into()) / ROUNDS,
    });
    ensure!(!load.contacts.is_empty(), "the company has no contacts");
    let (mut batched, mut alone) = (0.0, 0.0);
    for _round in 0..ROUNDS {
        batched += rate(&load, vec![shared.clone(); options.clients]).await?;
        alone += rate(&load, singles.clone()).await?;
    }
    let rounds = f64::from(ROUNDS);
    print_line(&json!({ "batched": batched / rounds, "alone": alone / rounds }).to_string())
}

/// Reads per second of all clients; each takes a free storage for a read, and then returns it.
async fn rate(load: &Arc<Load>, storages: Vec<Storage>) -> Result<f64> {
    let (give_back, free) = mpsc::channel(storages.len());
    for storage in storages {
        give_back.send(storage).await?;
    }
    let (free, reads) = (Arc::new(Mutex::new(free)), Arc::new(AtomicUsize::new(0)));
    let began = Instant::now();
    let mut clients = JoinSet::new();
    for _client in 0..load.clients {
        let (load, reads) = (Arc::clone(load), Arc::clone(&reads));
        let (free, give_back) = (Arc::clone(&free), give_back.clone());
        clients.spawn(async move {
            while began.elapsed() < load.lasts {
                let number = reads.fetch_add(1, Ordering::Relaxed);
                let id = load.contacts.get(number % load.contacts.len()).context("no contact")?;
                let storage = free.lock().await.recv().await.context("no storage")?;
                let contact = storage.read(load.company, *id).await?;
                ensure!(contact.is_some(), "a contact is missing");
                give_back.send(storage).await?;
            }
            Ok(())
        });
    }
    while let Some(client) = clients.join_next().await {
        client??;
    }
    let reads = u32::try_from(reads.load(Ordering::Relaxed))?;
    Ok(f64::from(reads) / began.elapsed().as_secs_f64())
}
