//! Bulks of a thousand rows: first new rows, then the same rows with another name and other values.
//!
//! They are compared with plain SQL that writes the same rows, a thousand in one statement: the contacts only, and
//! the contacts with the counts of values and of contacts that the service maintains. The service also reads JSON,
//! validates each row and merges it with the stored one.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::load::{self, Until, path, request};
use super::pgbench;
use super::stage::Stage;
use super::table::{Mark, Row, median};
use crate::database::ThrowawayPostgres;
use crate::report;

/// How many rows one call has.
const ROWS: u32 = 1000;

/// How many calls each client makes, and how many clients there are.
const CALLS: u32 = 15;
const CLIENTS: u32 = 4;

/// How often each is measured, in turn, because other load on the machine varies.
const ROUNDS: u32 = 3;

/// How long the values of a round of bulks may take to be counted.
const COUNTED_WITHIN: Duration = Duration::from_mins(2);

/// Measures both kinds, each compared with both forms of plain SQL; the medians of some rounds.
pub(super) fn measure(postgres: &ThrowawayPostgres, stage: &Stage) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (what, version, alone_mark) in [("new", 1, 0.85), ("changed", 2, 0.8)] {
        let [mut measured, mut alone, mut counted] = [const { Vec::new() }; 3];
        for round in 0..ROUNDS {
            report::line(&format!("bulk: {what} rows, round {} of {ROUNDS}", round + 1));
            measured.push(calls(stage, &format!("bulk{round}"), version)?);
            until_counted(postgres, stage)?;
            let who = format!("alone{round}");
            alone.push(plain(postgres, stage, &contacts(&stage.company, version, ROWS, &who))?);
            let script = whole(&stage.company, version, &format!("counted{round}"));
            counted.push(plain(postgres, stage, &script)?);
        }
        let measured = median(measured);
        let row = |beside: &str, limit: f64, mark| Row {
            what: format!("bulk of {ROWS} {what} rows with 5 values, beside {beside}"),
            measured,
            beside: limit,
            unit: "rows/s",
            mark,
        };
        let mark = Some(Mark::AtLeast(0.7));
        rows.push(row("contacts and counts in plain SQL", median(counted), mark));
        let mark = Some(Mark::AtLeast(alone_mark));
        rows.push(row("contacts alone in plain SQL", median(alone), mark));
    }
    Ok(rows)
}

/// Waits until the service has counted all values in the background, which would slow down plain SQL.
fn until_counted(postgres: &ThrowawayPostgres, stage: &Stage) -> Result<()> {
    let deadline = Instant::now() + COUNTED_WITHIN;
    while postgres.sql(&stage.database, "SELECT count(*) FROM count_changes")?.trim() != "0" {
        ensure!(Instant::now() < deadline, "the values of the bulks were not counted");
        load::pause(Duration::from_millis(200))?;
    }
    Ok(())
}

/// The service's new and changed rows per second: the medians of some rounds after one that is not counted, in which the
/// caches fill; `who` begins their emails.
pub(super) fn new_and_changed(stage: &Stage, who: &str) -> Result<[f64; 2]> {
    let [mut new, mut changed] = [const { Vec::new() }; 2];
    for round in 0..=ROUNDS {
        let who = format!("{who}{round}");
        let figures = (calls(stage, &who, 1)?, calls(stage, &who, 2)?);
        if round > 0 {
            new.push(figures.0);
            changed.push(figures.1);
        }
    }
    Ok([median(new), median(changed)])
}

/// The service's rows per second; `who` begins their emails.
pub(super) fn calls(stage: &Stage, who: &str, version: u32) -> Result<f64> {
    let bodies = (0..CLIENTS * CALLS).map(|call| body(call, who, version).to_string());
    let requests: Vec<_> =
        bodies.map(|body| request("POST", &path("/contacts/bulk"), &stage.key, &body)).collect();
    let until = Until::Calls(requests.len());
    let measured = load::drive(&stage.service.base, usize::try_from(CLIENTS)?, until, requests)?;
    Ok(measured.per_second() * f64::from(ROWS))
}

/// A script's rows per second.
fn plain(postgres: &ThrowawayPostgres, stage: &Stage, script: &str) -> Result<f64> {
    let until = Until::Calls(usize::try_from(CLIENTS * CALLS)?);
    let scripts = [script.to_owned()];
    let clients = usize::try_from(CLIENTS)?;
    let limit = pgbench::per_second(postgres, &stage.database, clients, until, &scripts)?;
    Ok(limit * f64::from(ROWS))
}

/// The body of one call, with the fields that seeding creates.
fn body(call: u32, who: &str, version: u32) -> Value {
    let row = |row: u32| {
        let number = call * ROWS + row;
        json!({
            "email": format!("{who}.{number}@bench.example"),
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

/// The rows of one call, as a table `made` of `n` and `email`. Each client writes its own rows, once for each
/// version.
fn made(who: &str, rows: u32) -> String {
    format!(
        "generate_series(:call * {rows}, :call * {rows} + {rows} - 1) AS n, \
         LATERAL (SELECT '{who}.' || n || '@bench.example' AS email) AS made"
    )
}

const NEXT_CALL: &str = "\\set call :client_id * 100000 + :calls\n\\set calls :calls + 1\n";

/// A script that writes this many contacts, with every column that the service writes.
pub(super) fn contacts(company: &str, version: u32, rows: u32, who: &str) -> String {
    let made = made(who, rows);
    format!(
        "{NEXT_CALL}INSERT INTO contacts (id, company_id, email, email_identity, email_folded, first_name, \
         first_name_folded, last_name, last_name_folded, field_values, created_at, updated_at) \
         SELECT gen_random_uuid(), '{company}', email, email, email, 'Bench', 'bench', 'Row {version}', 'row {version}', \
         json_build_object('string1', 'Team ' || n % 200, 'number2', n * {version} % 10000, \
         'date3', '20' || lpad((n % 100)::text, 2, '0') || '-05-17', \
         'datetime4', '2026-0{version}-01T00:' || n / 60 % 60 || ':' || n % 60 || '+00:00', 'boolean5', n % 2 = 0), \
         now(), now() FROM {made} ON CONFLICT (company_id, email_identity) DO UPDATE SET email = excluded.email, \
         email_folded = excluded.email_folded, first_name = excluded.first_name, \
         first_name_folded = excluded.first_name_folded, last_name = excluded.last_name, \
         last_name_folded = excluded.last_name_folded, avatar_url = excluded.avatar_url, \
         field_values = excluded.field_values, updated_at = excluded.updated_at, deleted_at = NULL;\n"
    )
}

/// The contacts and their counts, in one transaction.
fn whole(company: &str, version: u32, who: &str) -> String {
    let beside = if version > 1 {
        let gone = format!(
            "DELETE FROM field_value_uses WHERE company_id = '{company}' AND uses <= 0 \
             AND (field_id, sort_key) IN (SELECT field_id, sort_key FROM {});\n",
            values(company, version - 1)
        );
        counts(company, version - 1, -1) + &gone
    } else {
        format!(
            "UPDATE contact_counts SET active = active + {ROWS} WHERE company_id = '{company}';\n"
        )
    };
    let contacts = contacts(company, version, ROWS, who);
    ["BEGIN;\n", &contacts, &counts(company, version, 1), &beside, "COMMIT;\n"].concat()
}

/// How many of the call's contacts have each value.
fn values(company: &str, version: u32) -> String {
    let made = made("counted", ROWS);
    format!(
        "(SELECT fields.id AS field_id, convert_to('bench ' || kind.text, 'UTF8') AS sort_key, \
         to_json(kind.text) AS value, count(*) AS uses FROM {made}, \
         LATERAL (VALUES ('string1', 'Team ' || n % 200), ('number2', (n * {version} % 10000)::text), \
         ('date3', (n % 100)::text), ('datetime4', '{version}' || n % 3600), ('boolean5', (n % 2)::text)) AS kind (key, text), \
         fields WHERE fields.company_id = '{company}' AND fields.key = kind.key GROUP BY 1, 2, kind.text \
         ORDER BY 1, 2) AS counted"
    )
}

fn counts(company: &str, version: u32, sign: i32) -> String {
    format!(
        "INSERT INTO field_value_uses AS known (company_id, field_id, sort_key, identity, sort_rest, value, uses) \
         SELECT '{company}', field_id, sort_key, '', '', value, uses * {sign} FROM {} \
         ON CONFLICT (company_id, field_id, sort_key, identity) DO UPDATE SET uses = known.uses + excluded.uses;\n",
        values(company, version)
    )
}
