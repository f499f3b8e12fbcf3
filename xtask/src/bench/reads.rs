//! The benefit of batching concurrent reads and creates of single contacts: the storage alone, with batches and one by
//! one.

use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::stage::Stage;
use super::table::{Mark, Row};
use crate::{cargo, process, report};

/// How many clients call at once.
const CLIENTS: [u32; 2] = [16, 64];

/// Measures both kinds of calls in both ways on a filled database, each for this many seconds.
pub(super) fn measure(stage: &Stage, database: &str, seconds: u64) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for clients in CLIENTS {
        rows.push(row(stage, database, clients, seconds, "reads", None)?);
        let least = (clients > 16).then_some(Mark::AtLeast(2.0));
        rows.push(row(stage, database, clients, seconds, "creates", least)?);
    }
    Ok(rows)
}

fn row(
    stage: &Stage,
    database: &str,
    clients: u32,
    seconds: u64,
    what: &'static str,
    mark: Option<Mark>,
) -> Result<Row> {
    report::line(&format!("batches of {what} by {clients} clients on {database}"));
    let mut command = Command::new(cargo::workspace_root().join("target/release/reads"));
    command.args(["--database-url", &stage.url, "--company", &stage.company]);
    command.args(["--clients", &clients.to_string(), "--seconds", &seconds.to_string()]);
    if what == "creates" {
        command.arg("--creates");
    }
    let rates: Value = serde_json::from_str(&process::capture(&mut command)?)?;
    let rate = |name| rates.get(name).and_then(Value::as_f64).context("a rate is missing");
    Ok(Row {
        what: format!(
            "{what} batched by the storage, beside one by one, {clients} clients, {database}"
        ),
        measured: rate("batched")?,
        beside: rate("alone")?,
        unit: "calls/s",
        mark,
    })
}
