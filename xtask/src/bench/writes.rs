//! Changing and deleting contacts on SQLite: the cost of a bulk does not depend on the number of contacts.

use anyhow::Result;
use serde_json::{Value, json};

use super::load::{self, Until, path, request};
use super::stage::Stage;
use super::table::{Mark, Row};
use crate::report;

/// How many contacts one call changes or deletes: this many pages of the list with this many contacts.
const ROWS: u64 = PLACES * PAGE;
const PLACES: u64 = 10;
const PAGE: u64 = 100;

/// How many calls of each kind are made, one after the other.
const CALLS: u64 = 5;

/// The duration of one call, in milliseconds.
struct Took {
    change: f64,
    delete: f64,
}

/// Measures both kinds among many contacts, compared with the same among few.
pub(super) fn measure(
    (small, few): (&Stage, u64),
    (large, many): (&Stage, u64),
) -> Result<Vec<Row>> {
    let (small, large) = (bulks(small, few)?, bulks(large, many)?);
    let row = |what: &str, measured, beside| Row {
        what: format!("{what} {ROWS} of {many} contacts on SQLite, beside {few}"),
        measured,
        beside,
        unit: "ms",
        mark: Some(Mark::AtMost(1.5)),
    };
    Ok(vec![row("change", large.change, small.change), row("delete", large.delete, small.delete)])
}

/// Each call has separate contacts, spread over the whole list.
fn bulks(stage: &Stage, contacts: u64) -> Result<Took> {
    report::line(&format!("bulks among {contacts} contacts on SQLite"));
    let step = contacts / PAGE / (CALLS * PLACES);
    let calls = (0..CALLS).map(|call| {
        let pages = (0..PLACES).map(|place| page(stage, (place * CALLS + call) * step + 1));
        Ok(pages.collect::<Result<Vec<_>>>()?.concat())
    });
    let calls = calls.collect::<Result<Vec<Vec<Value>>>>()?;
    let changes = calls.iter().map(|rows| {
        let rows = rows.iter().map(changed).collect::<Vec<_>>();
        post(stage, "/contacts/bulk", &json!({ "contacts": rows }))
    });
    let change = median(stage, changes.collect())?;
    let deletes = calls.iter().map(|rows| {
        let ids = rows.iter().map(|row| row.get("id").cloned()).collect::<Vec<_>>();
        post(stage, "/contacts/bulk-delete", &json!({ "ids": ids }))
    });
    Ok(Took { change, delete: median(stage, deletes.collect())? })
}

fn post(stage: &Stage, rest: &str, body: &Value) -> Vec<u8> {
    request("POST", &path(rest), &stage.key, &body.to_string())
}

/// The contacts of one page of the list.
fn page(stage: &Stage, number: u64) -> Result<Vec<Value>> {
    let list = path(&format!("/contacts?page[size]={PAGE}&page[number]={number}"));
    let answer = load::ask(&stage.service.base, &request("GET", &list, &stage.key, ""))?;
    let mut answer: Value = serde_json::from_slice(&answer)?;
    let rows = answer.get_mut("data").map(Value::take).unwrap_or_default();
    Ok(serde_json::from_value(rows)?)
}

/// Another last name and another value of one seeded field.
fn changed(row: &Value) -> Value {
    json!({
        "email": row.get("email"),
        "first_name": row.get("first_name"),
        "last_name": "Changed",
        "field_values": { "string1": "Changed" },
    })
}

fn median(stage: &Stage, requests: Vec<Vec<u8>>) -> Result<f64> {
    let until = Until::Calls(requests.len());
    Ok(load::drive(&stage.service.base, 1, until, requests)?.median_ms())
}
