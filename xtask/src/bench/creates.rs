//! Single creates: many clients in one company, compared with as many companies, and with plain SQL that inserts the
//! rows.

use anyhow::Result;
use serde_json::json;

use super::bulk;
use super::company;
use super::load::{self, Until, path, request};
use super::pgbench;
use super::stage::Stage;
use super::table::{Mark, Row};
use crate::database::ThrowawayPostgres;
use crate::report;
use crate::service::built;

/// How many contacts are created each time.
const CALLS: usize = 12_000;

/// The fields of each company, as in the bulks.
const FIELDS: [(&str, &str); 5] = [
    ("String1", "string"),
    ("Number2", "number"),
    ("Date3", "date"),
    ("Datetime4", "datetime"),
    ("Boolean5", "boolean"),
];

/// Measures both comparisons.
pub(super) fn measure(
    postgres: &ThrowawayPostgres,
    stage: &Stage,
    clients: usize,
) -> Result<Vec<Row>> {
    report::line("creating single contacts");
    let url = postgres.url_of(&stage.database);
    let keys = (0..clients).map(|_| company_with_fields(&url, &stage.service.base));
    let keys = keys.collect::<Result<Vec<_>>>()?;
    let one = keys.get(..1).unwrap_or_default();
    // Each is measured twice, in turn, and the better of the two counts.
    let (mut in_one, mut in_all, mut keyed) = (0.0_f64, 0.0_f64, 0.0_f64);
    for round in 0..2 {
        in_one = in_one.max(per_second(stage, clients, one, &format!("one{round}"), "")?);
        in_all = in_all.max(per_second(stage, clients, &keys, &format!("all{round}"), "")?);
        let header = "Idempotency-Key: ";
        keyed = keyed.max(per_second(stage, clients, one, &format!("once{round}"), header)?);
    }
    let script = bulk::contacts(&stage.company, 1, 1, "single");
    let until = Until::Calls(CALLS);
    let plain = pgbench::per_second(postgres, &stage.database, clients, until, &[script])?;
    let row = |beside: &str, other, least| Row {
        what: format!("create one contact with 5 values, {clients} clients, beside {beside}"),
        measured: in_one,
        beside: other,
        unit: "calls/s",
        mark: Some(Mark::AtLeast(least)),
    };
    let with_keys = Row {
        what: format!(
            "create one contact with an idempotency key, {clients} clients, beside without"
        ),
        measured: keyed,
        beside: in_one,
        unit: "calls/s",
        mark: Some(Mark::AtLeast(1.0 / 1.3)),
    };
    Ok(vec![
        with_keys,
        row(&format!("{clients} companies"), in_all, 0.8),
        row("contacts alone in plain SQL", plain, 0.6),
    ])
}

/// The creates per second of clients of one company.
pub(super) fn of_one_company(stage: &Stage, clients: usize) -> Result<f64> {
    report::line("creating single contacts");
    let key = company_with_fields(&stage.url, &stage.service.base)?;
    per_second(stage, clients, &[key], "one", "")
}

/// The creates per second of all clients together, with these keys in turn. If a header is given, each call has it with
/// its own value.
fn per_second(
    stage: &Stage,
    clients: usize,
    keys: &[String],
    who: &str,
    header: &str,
) -> Result<f64> {
    let create = |(number, key): (usize, &String)| {
        let body = json!({
            "email": format!("{who}.{number}@bench.example"),
            "first_name": "Bench",
            "last_name": format!("Row {number}"),
            "field_values": {
                "string1": format!("Team {}", number % 200),
                "number2": number % 10_000,
                "date3": format!("20{:02}-05-17", number % 100),
                "datetime4": format!("2026-01-01T00:{:02}:{:02}Z", number / 60 % 60, number % 60),
                "boolean5": number.is_multiple_of(2),
            },
        });
        let key = match header {
            "" => key.clone(),
            header => format!("{key}\r\n{header}{who}.{number}"),
        };
        request("POST", &path("/contacts"), &key, &body.to_string())
    };
    let requests = (0..CALLS).zip(keys.iter().cycle()).map(create).collect();
    Ok(load::drive(&stage.service.base, clients, Until::Calls(CALLS), requests)?.per_second())
}

/// Creates a company with the fields; returns a key of it.
fn company_with_fields(database: &str, base: &str) -> Result<String> {
    let key = company::create(&built("release"), database, &["contacts_api"])?;
    for (name, kind) in FIELDS {
        let field = json!({ "name": name, "type": kind }).to_string();
        load::ask(base, &request("POST", &path("/fields"), &key, &field))?;
    }
    Ok(key)
}
