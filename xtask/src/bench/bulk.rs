//! Bulks of a thousand rows: new ones, and the same once more with another name and other values.
//!
//! Beside the service stands one `INSERT … ON CONFLICT DO UPDATE` for each thousand rows, with every column that the service
//! writes. The service does more: it judges the rows, merges them with what is there, and keeps the counts of values.

use anyhow::Result;
use serde_json::{Value, json};

use super::contacts::path;
use super::load::{self, Until, request};
use super::pgbench;
use super::stage::Stage;
use super::table::{Mark, Row};
use crate::database::ThrowawayPostgres;
use crate::report;

/// How many rows one call has.
const ROWS: u32 = 1000;

/// How many calls each client makes, and how many clients there are.
const CALLS: u32 = 10;
const CLIENTS: u32 = 4;

/// Measures both kinds.
pub(super) fn measure(postgres: &ThrowawayPostgres, stage: &Stage) -> Result<Vec<Row>> {
    let kinds = [("new", 1), ("changed", 2)];
    kinds.into_iter().map(|(what, version)| kind(postgres, stage, what, version)).collect()
}

fn kind(postgres: &ThrowawayPostgres, stage: &Stage, what: &str, version: u32) -> Result<Row> {
    report::line(&format!("bulk: {what} rows"));
    let clients = usize::try_from(CLIENTS)?;
    let calls = usize::try_from(CLIENTS * CALLS)?;
    let bodies = (0..CLIENTS * CALLS).map(|call| body(call, version).to_string());
    let requests: Vec<_> =
        bodies.map(|body| request("POST", &path("/contacts/bulk"), &stage.key, &body)).collect();
    let measured = load::drive(&stage.service.base, clients, Until::Calls(calls), requests)?;
    let script = vec![plain(&stage.company, version)];
    let limit =
        pgbench::per_second(postgres, &stage.database, clients, Until::Calls(calls), &script)?;
    Ok(Row {
        what: format!("bulk of {ROWS} {what} rows with 5 values, {CLIENTS} clients"),
        measured: measured.per_second() * f64::from(ROWS),
        beside: limit * f64::from(ROWS),
        unit: "rows/s",
        mark: Mark::AtLeast(0.7),
    })
}

/// The body of one call. The fields are those that seeding makes.
fn body(call: u32, version: u32) -> Value {
    let row = |row: u32| {
        let number = call * ROWS + row;
        json!({
            "email": format!("bulk.{number}@bench.example"),
            "first_name": "Bench",
            "last_name": format!("Row {version}"),
            "field_values": {
                "string1": format!("Team {}", number % 200),
                "number2": number * version % 10_000,
                "date3": format!("20{:02}-05-17", number % 100),
                "datetime4": format!("2026-{version:02}-01T00:{:02}:{:02}Z", number / 60 % 60, number % 60),
                "boolean5": number.is_multiple_of(2),
            },
        })
    };
    json!({ "contacts": (0..ROWS).map(row).collect::<Vec<_>>() })
}

/// The same rows in plain SQL. Each client has ten thousand rows of its own, written once for each version.
fn plain(company: &str, version: u32) -> String {
    format!(
        "\\set call :client_id * {CALLS} + :calls\n\
         \\set calls :calls + 1\n\
         INSERT INTO contacts (id, company_id, email, email_identity, email_folded, first_name, first_name_folded, \
         last_name, last_name_folded, field_values, created_at, updated_at) \
         SELECT gen_random_uuid(), '{company}', email, email, email, 'Bench', 'bench', 'Row {version}', 'row {version}', \
         json_build_object('string1', 'Team ' || n % 200, 'number2', n * {version} % 10000, \
         'date3', '20' || lpad((n % 100)::text, 2, '0') || '-05-17', \
         'datetime4', '2026-0{version}-01T00:' || n / 60 % 60 || ':' || n % 60 || '+00:00', 'boolean5', n % 2 = 0), \
         now(), now() \
         FROM generate_series(:call * {ROWS}, :call * {ROWS} + {ROWS} - 1) AS n, \
         LATERAL (SELECT 'plain.' || n || '@bench.example' AS email) AS made \
         ON CONFLICT (company_id, email_identity) DO UPDATE SET email = excluded.email, \
         email_folded = excluded.email_folded, first_name = excluded.first_name, \
         first_name_folded = excluded.first_name_folded, last_name = excluded.last_name, \
         last_name_folded = excluded.last_name_folded, avatar_url = excluded.avatar_url, \
         field_values = excluded.field_values, updated_at = excluded.updated_at, deleted_at = NULL;\n"
    )
}
