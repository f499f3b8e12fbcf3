//! Asks a large company, and a small one beside it, every kind of list, and prints how long each takes and which indexes
//! serve it. It fails if a list reads a whole table, or is not answered.

mod plans;
mod questions;

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use clap::Parser;
use contact_hub::output::print_line;
use contact_hub::settings::DatabaseSettings;
use contact_hub_domain::contacts::{ContactStore, ListDraft, ListQuery, PartRequest, Start};
use contact_hub_domain::fields::{FieldStore, FieldType, Filterable, ValuesQuery};
use contact_hub_domain::ids::{CompanyId, FieldId};
use contact_hub_domain::page::PageRequest;
use contact_hub_storage::{DatabaseUrl, ListLimits, Storage, record_plans, take_plans};
use contact_hub_web::FromQuery as _;
use tokio::runtime::Handle;
use uuid::Uuid;

use questions::{NEIGHBOUR, PARTS, PARTS_BY_VALUES, QUESTIONS, Question, VALUES};

/// The limit for a page of values, in milliseconds.
const VALUES_MARK: f64 = 20.0;

/// Ask every kind of list.
#[derive(Parser)]
#[command(name = "scale")]
struct Options {
    #[command(flatten)]
    database: DatabaseSettings,
    /// The company with many contacts
    #[arg(long)]
    company: Uuid,
    /// The company with few
    #[arg(long)]
    neighbour: Option<Uuid>,
    /// How often each question is asked
    #[arg(long, default_value_t = 7)]
    rounds: u32,
}

/// The times of one question, in milliseconds, and the indexes that served it.
struct Measured {
    median: f64,
    p95: f64,
    total: u64,
    served_by: String,
}

/// The database whose lists are measured, and the failures.
struct Scale {
    storage: Storage,
    url: DatabaseUrl,
    rounds: u32,
    failed: Vec<String>,
}

#[tokio::main]
async fn main() -> Result<()> {
    let options = Options::parse();
    let mut scale = Scale {
        storage: Storage::new(&options.database.storage_options(), Handle::current()),
        url: options.database.database_url.clone(),
        rounds: options.rounds,
        failed: Vec::new(),
    };
    if let Some(statistics) = scale.storage.statistics() {
        // As the service does soon after a company has grown.
        statistics.renew().await?;
    }
    print_line("| class | question | p50 ms | p95 ms | mark | reached | total | served by |")?;
    print_line("|---|---|---:|---:|---:|---|---:|---|")?;
    let company = CompanyId::new(options.company);
    for question in &QUESTIONS {
        scale.ask_for_contacts(company, question).await?;
    }
    for question in &PARTS {
        scale.ask_for_a_part(company, question).await?;
    }
    scale.ask_by_values(company).await?;
    if let Some(neighbour) = options.neighbour {
        for question in &NEIGHBOUR {
            scale.ask_for_contacts(CompanyId::new(neighbour), question).await?;
        }
    }
    scale.ask_for_values(company).await?;
    let failed = scale.failed;
    ensure!(failed.is_empty(), "not answered, or by reading a whole table: {failed:#?}");
    Ok(())
}

impl Scale {
    async fn ask_for_contacts(&mut self, company: CompanyId, question: &Question) -> Result<()> {
        let place =
            if question.far > 0 { format!(" at {}‰", question.far) } else { String::new() };
        let asked = format!("{}{place}", question.query);
        let measured = contacts(&self.storage, &self.url, company, question, self.rounds).await;
        self.note(question, asked, measured)
    }

    async fn ask_for_a_part(&mut self, company: CompanyId, question: &Question) -> Result<()> {
        let measured = part(&self.storage, &self.url, company, question, self.rounds).await;
        self.note(question, question.query.to_owned(), measured)
    }

    fn note(
        &mut self,
        question: &Question,
        asked: String,
        measured: Result<Measured>,
    ) -> Result<()> {
        match measured {
            Ok(measured) => {
                show(question.class, &asked, question.mark, &measured)?;
                if measured.served_by.contains(plans::WHOLE) {
                    self.failed.push(asked);
                }
            }
            Err(error) => self.failed.push(format!("{asked}: {error:#}")),
        }
        Ok(())
    }

    /// Asks for lists by the values of fields, if they are indexed.
    async fn ask_by_values(&mut self, company: CompanyId) -> Result<()> {
        let directory = FieldStore::list(&self.storage, company).await?;
        if !directory.fields().iter().all(|field| matches!(field.filterable, Filterable::Yes)) {
            return print_line(
                "lists by values of fields are not asked for: the fields are not filterable",
            );
        }
        for question in &VALUES {
            self.ask_for_contacts(company, question).await?;
        }
        for question in &PARTS_BY_VALUES {
            self.ask_for_a_part(company, question).await?;
        }
        Ok(())
    }

    async fn ask_for_values(&mut self, company: CompanyId) -> Result<()> {
        let directory = FieldStore::list(&self.storage, company).await?;
        for field in directory.fields() {
            for (descending, far) in
                [false, true].into_iter().flat_map(|it| [0, 500, 1000].map(|far| (it, far)))
            {
                let asked = (field.id, descending, far);
                let measured =
                    values(&self.storage, &self.url, company, asked, self.rounds).await?;
                let order = if descending { "descending" } else { "ascending" };
                let what = format!("{}, {order}, at {far}‰", FieldType::as_str(field.kind));
                show("values", &what, VALUES_MARK, &measured)?;
            }
        }
        Ok(())
    }
}

fn show(class: &str, what: &str, mark: f64, measured: &Measured) -> Result<()> {
    let reached = if measured.median <= mark { "yes" } else { "no" };
    let Measured { median, p95, total, served_by } = measured;
    print_line(&format!(
        "| {class} | `{what}` | {median:.1} | {p95:.1} | {mark} | {reached} | {total} | {served_by} |"
    ))
}

async fn query_of(storage: &Storage, company: CompanyId, question: &Question) -> Result<ListQuery> {
    let directory = FieldStore::list(storage, company).await?;
    let draft = ListDraft::from_query(question.query);
    let query = draft.and_then(|draft| draft.validate(&directory));
    query.map_err(|problem| anyhow::anyhow!("no valid query: {problem:?}"))
}

async fn contacts(
    storage: &Storage,
    url: &DatabaseUrl,
    company: CompanyId,
    question: &Question,
    rounds: u32,
) -> Result<Measured> {
    let mut query = query_of(storage, company, question).await?.without_values();
    let list = |query| storage.list_within(company, query, ListLimits::default());
    let total = list(query.clone()).await?.meta.total;
    query.page = page(total, question.far)?;
    record_plans(url);
    let listed = list(query.clone()).await;
    let served_by = plans::summary(&take_plans(url));
    listed?;
    let ask = || async { list(query.clone()).await.map(drop) };
    let times = times(ask, rounds).await?;
    Ok(measured(&times, total, served_by))
}

/// The first part of a list; returns its number of contacts in place of the total.
async fn part(
    storage: &Storage,
    url: &DatabaseUrl,
    company: CompanyId,
    question: &Question,
    rounds: u32,
) -> Result<Measured> {
    let query = query_of(storage, company, question).await?;
    let contacts = query.page.size();
    let request = PartRequest { start: Start::Skipping(0), contacts, bytes: u32::MAX };
    let ask = || ContactStore::list_part(storage, company, query.clone(), request.clone());
    record_plans(url);
    let listed = ask().await;
    let served_by = plans::summary(&take_plans(url));
    let found = u64::try_from(listed?.contacts.len())?;
    let times = times(|| async { ask().await.map(drop) }, rounds).await?;
    Ok(measured(&times, found, served_by))
}

async fn values(
    storage: &Storage,
    url: &DatabaseUrl,
    company: CompanyId,
    (field, descending, far): (FieldId, bool, u64),
    rounds: u32,
) -> Result<Measured> {
    let mut query = ValuesQuery { descending, ..ValuesQuery::default() };
    let listed = storage.list_values(company, field, query).await?;
    let total = listed.context("no field")?.meta.total;
    query.page = page(total, far)?;
    record_plans(url);
    let listed = storage.list_values(company, field, query).await;
    let served_by = plans::summary(&take_plans(url));
    listed?;
    let ask = || async { storage.list_values(company, field, query).await.map(drop) };
    let times = times(ask, rounds).await?;
    Ok(measured(&times, total, served_by))
}

/// The page at this share of a list, in per mille.
fn page(total: u64, far: u64) -> Result<PageRequest> {
    let size = u64::from(PageRequest::default().size());
    let last = total.div_ceil(size).max(1);
    let number = (total / 1000 * far / size + 1).min(last);
    PageRequest::new(number, PageRequest::default().size()).context("no page")
}

/// How long each round takes; the first one is not counted.
async fn times<E, F>(ask: impl Fn() -> F, rounds: u32) -> Result<Vec<Duration>>
where
    F: Future<Output = Result<(), E>>,
    anyhow::Error: From<E>,
{
    let mut times = Vec::new();
    for round in 0..=rounds {
        let began = Instant::now();
        ask().await?;
        if round > 0 {
            times.push(began.elapsed());
        }
    }
    times.sort_unstable();
    Ok(times)
}

fn measured(times: &[Duration], total: u64, served_by: String) -> Measured {
    let at = |place: usize| times.get(place).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3);
    let p95 = (times.len() * 95).div_ceil(100).saturating_sub(1);
    Measured { median: at(times.len() / 2), p95: at(p95), total, served_by }
}
