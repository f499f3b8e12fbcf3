//! SQLite: lists among many contacts, single calls, bulks, and the memory of the service.

use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::ContactOptions;
use super::load::{self, Until, path, request};
use super::stage::Stage;
use super::table::{Mark, Row};
use super::{bulk, creates, writes};
use crate::report;

/// Among how many contacts new rows are written, for a comparison with many.
const MEDIUM: u64 = 50_000;

/// How often each list is requested.
const CALLS: usize = 9;

/// The limit for a first page, in milliseconds.
const FIRST_PAGE: f64 = 150.0;

/// The limit for the service's memory, in megabytes.
const PEAK: f64 = 120.0;

/// How many clients read single contacts, for the memory.
const READERS: usize = 256;

/// How many clients read single contacts, for the rate.
const FEWER_READERS: usize = 64;

/// The lists, of which each has another plan.
const LISTS: [(&str, &str); 14] = [
    ("first page", ""),
    ("search of a rare name", "search=brzeczyszczyk"),
    ("search of a name", "search=smith"),
    ("search of two names", "search=ada+smith&sort[]=-last_name"),
    ("search of a text in every address", "search=example"),
    ("search of one letter", "search=a&sort[]=email"),
    ("search of one letter, from the end", "search=s&sort[]=-email"),
    ("search of two letters without a match", "search=qq"),
    ("search of a name of one character", "search=%E6%9D%8E"),
    ("first and last name equal", "filter[first_name]=ada&filter[last_name]=smith"),
    ("half by time of change", "filter[updated_at][gt]=2024-04-26&sort[]=last_name"),
    ("half by last name", "filter[last_name][gt]=m&sort[]=email"),
    ("two letters within an address", "filter[email][contains]=zq"),
    ("two sort keys", "sort[]=last_name&sort[]=-created_at"),
];

/// Measures everything on SQLite.
pub(super) fn measure(options: &ContactOptions) -> Result<Vec<Row>> {
    let (few, many) = (options.small, options.contacts);
    let large = Stage::on_sqlite(many)?;
    let mut rows = lists(&large, many)?;
    read(&large, READERS, options.seconds)?;
    rows.push(memory("under 256 readers", &large)?);
    let (readers, creators) = (FEWER_READERS, options.clients);
    rows.push(Row::alone(
        format!("read one contact on SQLite, {readers} clients"),
        read(&large, readers, options.seconds)?,
        "calls/s",
    ));
    rows.push(Row::alone(
        format!("create one contact with 5 values on SQLite, {creators} clients"),
        creates::of_one_company(&large, creators)?,
        "calls/s",
    ));
    rows.extend(writes::measure((&Stage::on_sqlite(few)?, few), (&large, many))?);
    rows.extend(bulks(&large, many)?);
    Ok(rows)
}

/// Measures bulks of new rows, with a service that did nothing before them.
pub(super) fn bulks_alone(options: &ContactOptions) -> Result<Vec<Row>> {
    bulks(&Stage::on_sqlite(options.contacts)?, options.contacts)
}

/// Bulks of new rows, and the peak memory of the service since its start.
fn bulks(large: &Stage, many: u64) -> Result<Vec<Row>> {
    let medium = Stage::on_sqlite(MEDIUM)?;
    report::line("bulks of new rows on SQLite");
    let rows = Row {
        what: format!("bulk of 1000 new rows on SQLite, {many} contacts beside {MEDIUM}"),
        measured: bulk::calls(large, "bulk", 1)?,
        beside: bulk::calls(&medium, "bulk", 1)?,
        unit: "rows/s",
        mark: Some(Mark::AtLeast(0.6)),
    };
    Ok(vec![rows, memory("under 4 clients with bulks", large)?])
}

/// The first page of each list; the median latency of one client.
fn lists(stage: &Stage, contacts: u64) -> Result<Vec<Row>> {
    let rows = LISTS.iter().map(|(what, query)| {
        report::line(&format!("listing on SQLite: {what}"));
        let list = path(&format!("/contacts?{query}"));
        let requests = vec![request("GET", &list, &stage.key, "")];
        Ok(Row {
            what: format!("list of {contacts} on SQLite: {what}, beside {FIRST_PAGE}"),
            measured: load::drive(&stage.service.base, 1, Until::Calls(CALLS), requests)?
                .median_ms(),
            beside: FIRST_PAGE,
            unit: "ms",
            mark: Some(Mark::AtMost(1.0)),
        })
    });
    rows.collect()
}

/// Clients that read each contact of the first page in turn; the reads per second.
fn read(stage: &Stage, clients: usize, seconds: u64) -> Result<f64> {
    report::line(&format!("{clients} clients read single contacts on SQLite"));
    let list = path("/contacts?page[size]=100");
    let answer = load::ask(&stage.service.base, &request("GET", &list, &stage.key, ""))?;
    let answer: Value = serde_json::from_slice(&answer)?;
    let contacts = answer.get("data").and_then(Value::as_array).context("no contacts")?;
    let ids = contacts.iter().filter_map(|contact| contact.get("id")?.as_str());
    let reads = ids.map(|id| request("GET", &path(&format!("/contacts/{id}")), &stage.key, ""));
    let until = Until::Elapsed(Duration::from_secs(seconds));
    Ok(load::drive(&stage.service.base, clients, until, reads.collect())?.per_second())
}

fn memory(when: &str, stage: &Stage) -> Result<Row> {
    Ok(Row {
        what: format!("peak memory of the service on SQLite {when}, beside {PEAK}"),
        measured: stage.service.peak_megabytes()?,
        beside: PEAK,
        unit: "MB",
        mark: Some(Mark::AtMost(1.0)),
    })
}
