//! Measures what batching concurrent reads or creates of single contacts is worth, in the storage alone.
//!
//! The same clients make the same calls by as many connections in two ways. In the first they share one storage, which
//! batches their calls. In the second each call has a storage with one connection to itself, so every batch has one
//! call. The ways alternate, so that other load on the machine affects both.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use clap::Parser;
use contact_hub::output::print_line;
use contact_hub::settings::DatabaseSettings;
use contact_hub_domain::contacts::{
    Contact, ContactInput, ContactStore, CreateContactOutcome, ListQuery, NewContact,
};
use contact_hub_domain::email::Email;
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::input::FromText as _;
use contact_hub_storage::{ListLimits, Storage, StorageOptions};
use serde_json::json;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinSet;
use uuid::Uuid;

/// How often both ways are measured.
const ROUNDS: u32 = 5;

/// Calls per second, batched and one by one.
#[derive(Parser)]
#[command(name = "reads")]
struct Options {
    #[command(flatten)]
    database: DatabaseSettings,
    /// The company whose contacts are read, or copied with other emails
    #[arg(long)]
    company: Uuid,
    /// Create contacts instead of reading them
    #[arg(long)]
    creates: bool,
    /// How many clients call at once
    #[arg(long, default_value_t = 16)]
    clients: usize,
    /// For how many seconds each way is measured
    #[arg(long, default_value_t = 5)]
    seconds: u32,
}

/// What is called, and for how long in each round.
struct Load {
    company: CompanyId,
    contacts: Vec<Contact>,
    creates: bool,
    clients: usize,
    lasts: Duration,
}

impl Load {
    /// One call.
    async fn call(&self, storage: &Storage, number: usize) -> Result<()> {
        let contact = self.contacts.get(number % self.contacts.len()).context("no contact")?;
        if self.creates {
            let outcome = storage.create(self.company.into(), copy(contact)?).await?;
            ensure!(matches!(outcome, CreateContactOutcome::Created(_)), "an email is taken");
        } else {
            let found = storage.read(self.company, contact.id).await?;
            ensure!(found.is_some(), "a contact is missing");
        }
        Ok(())
    }
}

/// The same contact with another id and email.
fn copy(contact: &Contact) -> Result<NewContact> {
    #[expect(clippy::disallowed_methods, reason = "the ids of a measurement")]
    let id = Uuid::now_v7();
    let email = Email::from_text(&format!("{id}@bench.example"));
    let values = contact.field_values.iter();
    let input = ContactInput {
        email: email.ok().context("an email")?,
        first_name: contact.first_name.clone(),
        last_name: contact.last_name.clone(),
        avatar_url: None,
        values: values.map(|(key, value)| (key.clone(), Some(value.clone()))).collect(),
    };
    Ok(NewContact { id: ContactId::new(id), input, at: contact.created_at })
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
    let page = shared.list_within(company, ListQuery::default(), ListLimits::default()).await?;
    let load = Arc::new(Load {
        company,
        contacts: page.items,
        creates: options.creates,
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

/// Calls per second of all clients; each takes a free storage for a call, and then returns it.
async fn rate(load: &Arc<Load>, storages: Vec<Storage>) -> Result<f64> {
    let (give_back, free) = mpsc::channel(storages.len());
    for storage in storages {
        give_back.send(storage).await?;
    }
    let (free, calls) = (Arc::new(Mutex::new(free)), Arc::new(AtomicUsize::new(0)));
    let began = Instant::now();
    let mut clients = JoinSet::new();
    for _client in 0..load.clients {
        let (load, calls) = (Arc::clone(load), Arc::clone(&calls));
        let (free, give_back) = (Arc::clone(&free), give_back.clone());
        clients.spawn(async move {
            while began.elapsed() < load.lasts {
                let number = calls.fetch_add(1, Ordering::Relaxed);
                let storage = free.lock().await.recv().await.context("no storage")?;
                load.call(&storage, number).await?;
                give_back.send(storage).await?;
            }
            anyhow::Ok(())
        });
    }
    while let Some(client) = clients.join_next().await {
        client??;
    }
    let calls = u32::try_from(calls.load(Ordering::Relaxed))?;
    Ok(f64::from(calls) / began.elapsed().as_secs_f64())
}
