//! The contacts interface: reading one contact, and lists among few and among many.

use std::time::Duration;

use super::ContactOptions;
use super::bulk;
use super::creates;
use super::load::{self, Until, path, request};
use super::pages;
use super::pgbench;
use super::reads;
use super::sqlite;
use super::stage::Stage;
use super::table::{Mark, Row, median};
use crate::database::ThrowawayPostgres;
use crate::report;
use anyhow::Result;

/// How many different contacts are read, in random order.
const READ: usize = 500;

/// How many clients read one contact each, and the required ratio to `pgbench`.
const READERS: [(usize, f64); 2] = [(16, 0.6), (64, 0.9)];

/// What is compared runs by turns of this length, since the speed of a machine may change within seconds.
const TURN: Until = Until::Elapsed(Duration::from_secs(1));

/// The calls a minute of a user, where calls are counted but never rejected.
const HIGH_LIMIT: &str = "1000000000";

/// The required ratio of reads that are counted to those without a limit.
const COUNTED: f64 = 0.9;

/// The columns of a contact's row that are read.
const READ_COLUMNS: &str = "id, email, first_name, last_name, avatar_url, field_values, created_at, updated_at, \
     deleted_at IS NOT NULL AS is_deleted";

/// Measures everything.
pub(crate) fn measure(postgres: &ThrowawayPostgres, options: &ContactOptions) -> Result<Vec<Row>> {
    let large = Stage::set(postgres, "large", options.contacts)?;
    if options.creates_only {
        return creates::measure(postgres, &large, options.clients);
    }
    if options.postgres_writes_only {
        let mut rows = creates::measure(postgres, &large, options.clients)?;
        rows.extend(bulk::measure(postgres, &large)?);
        return Ok(rows);
    }
    let mut rows = reads_of_one(postgres, &large, options)?;
    if options.reads_only {
        return Ok(rows);
    }
    let small = Stage::set(postgres, "small", options.small)?;
    rows.extend(reads::measure(&large, "PostgreSQL", options.seconds)?);
    rows.extend(reads::measure(&Stage::on_sqlite(options.small)?, "SQLite", options.seconds)?);
    rows.extend(lists(postgres, &small, &large, options)?);
    rows.extend(pages::measure(postgres, &large, options.contacts)?);
    rows.extend(creates::measure(postgres, &large, options.clients)?);
    rows.extend(bulk::measure(postgres, &large)?);
    rows.extend(sqlite::measure(options)?);
    Ok(rows)
}

/// The ids of contacts, in random order.
pub(super) fn sample_of_ids(postgres: &ThrowawayPostgres, stage: &Stage) -> Result<Vec<String>> {
    let sample = "SELECT id FROM contacts TABLESAMPLE SYSTEM (20) REPEATABLE (1)";
    let ids = format!("SELECT id FROM ({sample}) AS sample ORDER BY random() LIMIT {READ}");
    let ids = postgres.sql(&stage.database, &ids)?;
    Ok(ids.split_whitespace().map(str::to_owned).collect())
}

/// Reads of random contacts, each by its id.
fn reads_of_one(
    postgres: &ThrowawayPostgres,
    stage: &Stage,
    options: &ContactOptions,
) -> Result<Vec<Row>> {
    report::line("reading one contact");
    let ids = sample_of_ids(postgres, stage)?;
    let asked = |id: &String| request("GET", &path(&format!("/contacts/{id}")), &stage.key, "");
    let requests: Vec<_> = ids.iter().map(asked).collect();
    let company = &stage.company;
    // One script for all contacts: each client prepares each script, which would be most of what is measured.
    let script = format!(
        "\\set n random(1, {})\nSELECT {READ_COLUMNS} FROM contacts WHERE id = ('{{{}}}'::uuid[])[:n] \
         AND company_id = '{company}' AND deleted_at IS NULL;",
        ids.len(),
        ids.join(","),
    );
    let scripts = [script];
    let read = |base: &str, clients: usize| {
        Ok::<_, anyhow::Error>(load::drive(base, clients, TURN, requests.clone())?.per_second())
    };
    let with_limit = stage.another_instance(&["--rate-limit-standard", HIGH_LIMIT])?;
    let mut rows = Vec::new();
    for (clients, least) in READERS {
        let without = || read(&stage.service.base, clients);
        let plain = || pgbench::per_second(postgres, &stage.database, clients, TURN, &scripts);
        let counted = || read(&with_limit.base, clients);
        without()?;
        counted()?;
        let [measured, beside, counted] = by_turns(options.seconds, [&without, &plain, &counted])?;
        rows.push(Row {
            what: format!("read one contact, {clients} clients"),
            measured,
            beside,
            unit: "calls/s",
            mark: Some(Mark::AtLeast(least)),
        });
        rows.push(Row {
            what: format!("read one contact with a rate limit, {clients} clients, beside without"),
            measured: counted,
            beside: measured,
            unit: "calls/s",
            mark: Some(Mark::AtLeast(COUNTED)),
        });
    }
    Ok(rows)
}

/// The medians of what is measured by turns, this many times each.
fn by_turns<const N: usize>(
    turns: u64,
    measure: [&dyn Fn() -> Result<f64>; N],
) -> Result<[f64; N]> {
    let mut figures = [const { Vec::new() }; N];
    for _turn in 0..turns {
        for (figures, measure) in figures.iter_mut().zip(measure) {
            figures.push(measure()?);
        }
    }
    Ok(figures.map(median))
}

/// Each list among many contacts, compared with the same among few; the median latency of one client.
fn lists(
    postgres: &ThrowawayPostgres,
    small: &Stage,
    large: &Stage,
    options: &ContactOptions,
) -> Result<Vec<Row>> {
    // The same numbers produce the same people in both databases.
    let known = "SELECT email FROM contacts WHERE email LIKE '%.4321@%'";
    let known = postgres.sql(&small.database, known)?;
    let exact = format!("/contacts?filter[email]={}", known.trim());
    for stage in [small, large] {
        let body = r#"{"email": "rare@bench.example", "first_name": "Zbyszko", "last_name": "Brżęczyszczykiewicz"}"#;
        let create = vec![request("POST", &path("/contacts"), &stage.key, body)];
        load::drive(&stage.service.base, 1, Until::Calls(1), create)?;
    }
    let mark = Some(Mark::AtMost(2.0));
    let lists = [
        ("first page", "/contacts", mark),
        ("first page by last name", "/contacts?sort[]=last_name", mark),
        ("email equal", &exact, mark),
        ("search of a rare name", "/contacts?search=br%C5%BC%C4%99czyszczyk", mark),
        // Every three consecutive digits occur in thousands of addresses.
        ("search of a number in an address", "/contacts?search=.4321@", None),
    ];
    let rows = lists.iter().map(|(what, list, mark)| {
        report::line(&format!("listing: {what}"));
        let median = |stage: &Stage| {
            let requests = vec![request("GET", &path(list), &stage.key, "")];
            let until = Until::Elapsed(Duration::from_secs(options.seconds.div_ceil(2)));
            load::drive(&stage.service.base, 1, until, requests).map(|seen| seen.median_ms())
        };
        Ok(Row {
            what: format!("list of {}: {what}, beside {}", options.contacts, options.small),
            measured: median(large)?,
            beside: median(small)?,
            unit: "ms",
            mark: *mark,
        })
    });
    rows.collect()
}
