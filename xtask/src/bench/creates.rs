//! Single creates: many clients in one company, beside as many companies, and beside plain SQL that inserts the rows.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::bulk;
use super::load::{self, Until, path, request};
use super::pgbench;
use super::stage::Stage;
use super::table::{Mark, Row};
use crate::database::ThrowawayPostgres;
use crate::service::built;
use crate::{process, report};

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
    let companies = (0..clients).map(|_| Tenant::create(&url, &stage.service.base));
    let companies = companies.collect::<Result<Vec<_>>>()?;
    let one = companies.get(..1).unwrap_or_default();
    // Both are measured twice, in turn, and the better of the two counts.
    let (mut in_one, mut in_all) = (0.0_f64, 0.0_f64);
    for round in 0..2 {
        in_one = in_one.max(per_second(stage, clients, one, &format!("one{round}"))?);
        in_all = in_all.max(per_second(stage, clients, &companies, &format!("all{round}"))?);
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
    Ok(vec![
        row(&format!("{clients} companies"), in_all, 0.8),
        row("contacts alone in plain SQL", plain, 0.6),
    ])
}

/// The creates per second of all clients together, in these companies in turn.
fn per_second(stage: &Stage, clients: usize, companies: &[Tenant], who: &str) -> Result<f64> {
    let create = |(number, company): (usize, &Tenant)| {
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
        request("POST", &path("/contacts"), &company.key, &body.to_string())
    };
    let requests = (0..CALLS).zip(companies.iter().cycle()).map(create).collect();
    Ok(load::drive(&stage.service.base, clients, Until::Calls(CALLS), requests)?.per_second())
}

/// A company with a key and the fields.
struct Tenant {
    key: String,
}

impl Tenant {
    fn create(database: &str, base: &str) -> Result<Self> {
        let program = built("release");
        let company = printed(&program, database, &["company", "create", "--name", "Bench"], "id")?;
        let user = ["user", "create", "--email", "bench@bench.example", "--permission"];
        let user = [&user[..], &["contacts_api", "--company", &company]].concat();
        let user = printed(&program, database, &user, "id")?;
        let key = printed(&program, database, &["api-key", "create", "--user", &user], "token")?;
        for (name, kind) in FIELDS {
            let field = json!({ "name": name, "type": kind }).to_string();
            load::ask(base, &request("POST", &path("/fields"), &key, &field))?;
        }
        Ok(Self { key })
    }
}

/// What a command prints under this name.
fn printed(program: &Path, database: &str, arguments: &[&str], name: &str) -> Result<String> {
    let mut command = Command::new(program);
    command.args(arguments).args(["--database-url", database]);
    let made: Value = serde_json::from_str(&process::capture(&mut command)?)?;
    let found = made.get(name).and_then(Value::as_str).map(str::to_owned);
    found.with_context(|| format!("the command printed no {name}"))
}
