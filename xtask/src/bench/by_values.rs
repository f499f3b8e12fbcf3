//! Filters by values of fields, and what filterable fields cost a bulk.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::bulk;
use super::load::{self, Until, path, request};
use super::stage::{Stage, StageOptions};
use super::table::{Mark, Row};
use crate::report;

/// The fields that become filterable; seeding creates them.
const FILTERABLE: [&str; 2] = ["string1", "number2"];

/// A total costs a walk along all matches, so lists are also measured without it.
const UNCOUNTED: &str = "page[total]=false";

/// A range of numbers that a tenth of all contacts have.
const MANY: &str = "0,1000";

/// How long the service may need to apply the changes of the bulks.
const QUIET_WITHIN: Duration = Duration::from_mins(1);

/// How often each list is requested.
const CALLS: usize = 101;

/// Measures on each database.
pub(super) fn measure(options: &StageOptions) -> Result<Vec<Row>> {
    options.on_each(|stage, database| {
        report::line(&format!("bulks without filterable fields on {database}"));
        let plain = bulk::new_and_changed(stage, "plain")?;
        make_filterable(stage)?;
        until_quiet(stage)?;
        let mut rows = filters(stage, database, options.contacts)?;
        report::line(&format!("bulks with filterable fields on {database}"));
        let indexed = bulk::new_and_changed(stage, "indexed")?;
        for (what, (measured, beside)) in ["new", "changed"].iter().zip(indexed.iter().zip(plain)) {
            rows.push(Row {
                what: format!(
                    "bulk of 1000 {what} rows with 2 filterable fields, beside none, {database}"
                ),
                measured: *measured,
                beside,
                unit: "rows/s",
                mark: Some(Mark::AtLeast(0.7)),
            });
        }
        Ok(rows)
    })
}

fn make_filterable(stage: &Stage) -> Result<()> {
    report::line("building the indexes");
    for field in fields(stage)?.iter().filter(|field| is_chosen(field)) {
        let id = field.get("id").and_then(Value::as_str).context("a field has no id")?;
        let change = path(&format!("/fields/{id}"));
        let change = request("PATCH", &change, &stage.key, r#"{"filterable": true}"#);
        load::ask(&stage.service.base, &change)?;
    }
    let built = |field: &Value| field.get("filterable").and_then(Value::as_str) == Some("yes");
    while !fields(stage)?.iter().filter(|field| is_chosen(field)).all(built) {
        load::pause(Duration::from_millis(100))?;
    }
    Ok(())
}

/// Waits while the service still applies what the bulks changed: until a list whose total depends on it gets no faster.
fn until_quiet(stage: &Stage) -> Result<()> {
    let list = format!("filter[field:number2][between]={MANY}");
    let deadline = Instant::now() + QUIET_WITHIN;
    let mut before = f64::INFINITY;
    loop {
        let now = median(stage, &list)?;
        if now > before * 0.9 || Instant::now() > deadline {
            return Ok(());
        }
        before = now;
        load::pause(Duration::from_secs(1))?;
    }
}

fn is_chosen(field: &Value) -> bool {
    field.get("key").and_then(Value::as_str).is_some_and(|key| FILTERABLE.contains(&key))
}

fn fields(stage: &Stage) -> Result<Vec<Value>> {
    let list = request("GET", &path("/fields?page[size]=100"), &stage.key, "");
    let answer: Value = serde_json::from_slice(&load::ask(&stage.service.base, &list)?)?;
    Ok(serde_json::from_value(answer.get("data").cloned().unwrap_or_default())?)
}

/// First pages, each compared with equality of the email.
fn filters(stage: &Stage, database: &str, contacts: u64) -> Result<Vec<Row>> {
    let (email, lists) = queries(stage)?;
    let row = |what: &str, (beside, measured)| Row {
        what: format!("list of {contacts}, a field {what}, beside email equal, {database}"),
        measured,
        beside,
        unit: "ms",
        mark: Some(Mark::AtMost(2.0)),
    };
    let mut rows = Vec::with_capacity(2 * lists.len());
    for (what, query) in lists {
        rows.push(row(what, by_turns(stage, [&email, &query])?));
        let uncounted = [&email, &query].map(|query| format!("{query}&{UNCOUNTED}"));
        let uncounted = by_turns(stage, uncounted.each_ref().map(String::as_str))?;
        rows.push(row(&format!("{what}, without the total"), uncounted));
    }
    Ok(rows)
}

/// Equality of an email, and the queries that are compared with it, by their names.
fn queries(stage: &Stage) -> Result<(String, Vec<(&'static str, String)>)> {
    // A contact with a value of both.
    let both = FILTERABLE.map(|key| format!("filter[field:{key}][exists]=true&")).concat();
    let list = path(&format!("/contacts?{both}include=field_values&page[size]=1"));
    let answer = load::ask(&stage.service.base, &request("GET", &list, &stage.key, ""))?;
    let answer: Value = serde_json::from_slice(&answer)?;
    let text = |pointer: &str| answer.pointer(pointer).context("a contact lacks a value");
    let email = text("/data/0/email")?.as_str().unwrap_or_default();
    let values = text("/data/0/field_values")?.as_array().cloned().unwrap_or_default();
    let value = |key: &str| {
        let of_key = |it: &&Value| it.get("key").and_then(Value::as_str) == Some(key);
        values.iter().find(of_key).and_then(|it| it.get("value")).context("a value is missing")
    };
    let string = value("string1")?.as_str().unwrap_or_default().replace(' ', "%20");
    let number = value("number2")?.to_string().replace('"', "");
    let lists = vec![
        ("equal to a string", format!("filter[field:string1]={string}")),
        ("equal to a number", format!("filter[field:number2]={number}")),
        (
            "between two numbers, few matches",
            format!("filter[field:number2][between]={number},{number}"),
        ),
        ("between two numbers, many matches", format!("filter[field:number2][between]={MANY}")),
        ("without a value", "filter[field:number2][exists]=false".to_owned()),
        ("sorted by a number", "sort[]=field:number2".to_owned()),
    ];
    Ok((format!("filter[email]={email}"), lists))
}

fn median(stage: &Stage, query: &str) -> Result<f64> {
    let requests = vec![list(stage, query)];
    Ok(load::drive(&stage.service.base, 1, Until::Calls(CALLS), requests)?.median_ms())
}

fn by_turns(stage: &Stage, queries: [&str; 2]) -> Result<(f64, f64)> {
    load::by_turns(&stage.service.base, CALLS, queries.map(|query| list(stage, query)))
}

fn list(stage: &Stage, query: &str) -> Vec<u8> {
    request("GET", &path(&format!("/contacts?{query}")), &stage.key, "")
}
