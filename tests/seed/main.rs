//! Fills a database with made-up contacts, always the same ones for the same arguments.

mod copy;
mod people;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::Parser;
use contact_hub::output::print_line;
use contact_hub::settings::DatabaseSettings;
use contact_hub::wire::command_ports;
use contact_hub_domain::access::{
    self, CompanyDraft, CreatedKey, KeyDraft, Permission, UserDraft, authenticate,
};
use contact_hub_domain::author::Call;
use contact_hub_domain::contacts::{Contact, NewContact};
use contact_hub_domain::context::{AccessPorts, ContactPorts, Context, Ports};
use contact_hub_domain::fields::{self, Directory, FieldDraft, FieldType};
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::property::Property;
use contact_hub_domain::time::Timestamp;
use contact_hub_storage::{DatabaseUrl, Storage, migrate};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use tokio::runtime::Handle;
use uuid::Builder;

/// How many contacts one transaction writes.
const BATCH: u64 = 1000;

/// Fill a database with made-up contacts.
#[derive(Parser)]
#[command(name = "seed", bin_name = "cargo xtask seed")]
struct Options {
    #[command(flatten)]
    database: DatabaseSettings,
    /// The number of contacts
    #[arg(long, default_value_t = 1000)]
    contacts: u64,
    /// The number of fields; every contact has a value for each of the first five
    #[arg(long, default_value_t = 5)]
    fields: usize,
    /// The name of the new company for them
    #[arg(long, default_value = "Seeded company")]
    company: String,
    /// Copy the contacts into a PostgreSQL without contacts, and create the indexes afterwards
    #[arg(long)]
    copy: bool,
    /// Contacts can be filtered and sorted by all fields
    #[arg(long, requires = "copy")]
    filterable: bool,
}

#[tokio::main]
async fn main() -> Result<()> {
    let options = Options::parse();
    if options.fields > fields::MAX_FIELDS {
        bail!("a company has at most {} fields", fields::MAX_FIELDS);
    }
    migrate(&options.database.database_url).context("the database cannot be migrated")?;
    let storage = Storage::new(&options.database.storage_options(), Handle::current());
    let ports = command_ports(&storage)?;
    let (company, key) = company(&ports.access, &options.company).await?;
    let directory = directory(&ports, &key, options.fields).await?;
    if options.copy {
        copied(&options, &ports.contacts, company, &directory)?;
    } else {
        written(&ports.contacts, company, &directory, options.contacts).await?;
    }
    let summary = json!({
        "company": company.to_string(),
        "contacts": options.contacts,
        "fields": options.fields,
        "token": key.token.reveal(),
    });
    print_line(&summary.to_string())
}

/// A new company with a user that has all permissions, and the user's key.
async fn company(ports: &AccessPorts, name: &str) -> Result<(CompanyId, CreatedKey)> {
    let draft =
        CompanyDraft { name: name.into(), allowed_domains: Property::Absent, product_access: true };
    let company = access::create_company(ports, &draft).await?.id;
    let permissions = Permission::ALL.iter().map(|permission| permission.as_str().into());
    let draft =
        UserDraft { email: "seed@contact-hub.example".into(), permissions: permissions.collect() };
    let user = access::create_user(ports, company.into(), &draft).await?;
    let draft = KeyDraft { name: "Seed".into(), ..KeyDraft::default() };
    Ok((company, access::create_key(ports, Some(company.into()), user.id, &draft).await?))
}

/// The fields. Their types alternate.
async fn directory(ports: &Ports, key: &CreatedKey, count: usize) -> Result<Arc<Directory>> {
    let holder = authenticate(&ports.access, key.token.reveal()).await?;
    let cx = Context { ports: &ports.contacts, caller: &holder.caller, call: &Call::default() };
    for (number, kind) in (1..=count).zip(FieldType::ALL.into_iter().cycle()) {
        let name = format!("{kind} {number}");
        let draft = FieldDraft {
            name: name.as_str().into(),
            r#type: kind.as_str().into(),
            ..FieldDraft::default()
        };
        fields::create(&cx, &draft).await?;
    }
    Ok(fields::list(&cx).await?)
}

/// Writes the contacts as the service does.
async fn written(
    ports: &ContactPorts,
    company: CompanyId,
    directory: &Directory,
    count: u64,
) -> Result<()> {
    let progress = progress(count)?;
    for first in (0..count).step_by(usize::try_from(BATCH)?) {
        let batch = first..count.min(first + BATCH);
        let rows = batch.map(|number| made_up(ports, directory, number));
        let rows: Vec<NewContact> = rows.collect::<Result<_>>()?;
        let written = u64::try_from(rows.len())?;
        let at = ports.environment.clock.now();
        ports.contacts.upsert_many(company.into(), rows, 0, at).await?;
        progress.inc(written);
    }
    progress.finish();
    Ok(())
}

/// Copies the contacts. Each was changed at some time after it was created.
fn copied(
    options: &Options,
    ports: &ContactPorts,
    company: CompanyId,
    directory: &Directory,
) -> Result<()> {
    let DatabaseUrl::Postgres(url) = &options.database.database_url else {
        bail!("only PostgreSQL can copy");
    };
    let progress = progress(options.contacts)?;
    let contacts = (0..options.contacts).map(|number| {
        let contact = made_up(ports, directory, number)?.created();
        Ok(Contact { updated_at: people::changed(number, contact.created_at), ..contact })
    });
    let copied = copy::Copied { company, directory, are_filterable: options.filterable };
    copy::copy(url, &copied, contacts, |number| progress.inc(number))?;
    progress.finish();
    Ok(())
}

fn progress(count: u64) -> Result<ProgressBar> {
    let progress = ProgressBar::new(count).with_style(ProgressStyle::with_template(
        "{bar:40} {human_pos}/{human_len} contacts, {per_sec}, {eta} left",
    )?);
    progress.enable_steady_tick(Duration::from_millis(200));
    Ok(progress)
}

fn made_up(ports: &ContactPorts, directory: &Directory, number: u64) -> Result<NewContact> {
    let input = people::person(number, directory)
        .map_err(|violations| anyhow::anyhow!("{violations:?}"))?;
    let at = people::moment(number)?;
    Ok(NewContact { id: made_at(ports, at)?, input, at })
}

/// An id as the service would have made it at this moment: with the time, and otherwise random (RFC 9562, section 5.7).
fn made_at(ports: &ContactPorts, at: Timestamp) -> Result<ContactId> {
    let milliseconds = u64::try_from(at.micros() / 1000)?;
    let random = ports.environment.ids.next().into_bytes();
    let random = random.last_chunk().context("an id has 16 bytes")?;
    Ok(ContactId::new(Builder::from_unix_timestamp_millis(milliseconds, random).into_uuid()))
}
