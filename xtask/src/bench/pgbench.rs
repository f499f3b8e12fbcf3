//! `pgbench`, PostgreSQL's own load generator.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use tempfile::TempDir;

use super::load::Until;
use crate::database::ThrowawayPostgres;
use crate::process;

/// The transactions per second of its clients. The scripts are chosen at random.
pub(crate) fn per_second(
    postgres: &ThrowawayPostgres,
    database: &str,
    clients: usize,
    until: Until,
    scripts: &[String],
) -> Result<f64> {
    let directory = TempDir::new()?;
    let mut command = postgres.client_program("pgbench");
    let clients_text = clients.to_string();
    command.args(["--no-vacuum", "--protocol=prepared", "--client", &clients_text]);
    // With one thread for all clients pgbench itself is the limit.
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    command.args(["--jobs", &processors.min(clients).to_string()]);
    // A variable that each client keeps across transactions.
    command.arg("--define=calls=0");
    match until {
        Until::Elapsed(duration) => {
            command.arg(format!("--time={}", duration.as_secs()));
        }
        Until::Calls(calls) => {
            command.arg(format!("--transactions={}", calls.div_ceil(clients)));
        }
    }
    for (number, script) in scripts.iter().enumerate() {
        let file: PathBuf = directory.path().join(format!("{number}.sql"));
        fs::write(&file, script)?;
        command.arg("--file").arg(file);
    }
    command.arg(postgres.url_of(database));
    let said = process::capture(&mut command)?;
    let tps = said.lines().find_map(|line| line.strip_prefix("tps = "));
    let number =
        tps.and_then(|rest| rest.split(' ').next()).context("pgbench printed no figure")?;
    Ok(number.parse()?)
}
