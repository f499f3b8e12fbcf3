//! What batching concurrent reads of single contacts is worth: the storage alone, with batches and one by one.

use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::stage::Stage;
use super::table::Row;
use crate::{cargo, process, report};

/// How many clients read at once.
const CLIENTS: [u32; 2] = [16, 64];

/// Measures both ways on a filled database, each for so many seconds.
pub(super) fn measure(stage: &Stage, database: &str, seconds: u64) -> Result<Vec<Row>> {
    CLIENTS.iter().map(|clients| row(stage, database, *clients, seconds)).collect()
}

fn row(stage: &Stage, database: &str, clients: u32, seconds: u64) -> Result<Row> {
    report::line(&format!("batches of reads by {clients} clients on {database}"));
    let mut command = Command::new(cargo::workspace_root().join("target/release/reads"));
    command.args(["--database-url", &stage.url, "--company", &stage.company]);
    command.args(["--clients", &clients.to_string(), "--seconds", &seconds.to_string()]);
    let rates: Value = serde_json::from_str(&process::capture(&mut command)?)?;
    let rate = |name| rates.get(name).and_then(Value::as_f64).context("a rate is missing");
    Ok(Row {
        what: format!(
            "reads batched by the storage, beside one by one, {clients} clients, {database}"
        ),
        measured: rate("batched")?,
        beside: rate("alone")?,
        unit: "reads/s",
        mark: None,
    })
}
