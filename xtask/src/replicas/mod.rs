//! A drill with real streaming replication: two instances read on a replica of their PostgreSQL.
//!
//! Clients write at one instance and read at the other while the replica is healthy, paused, cut off, stopped, killed
//! and promoted. Each read sees the write before it, and no call fails or takes long. Whenever the replica is healthy
//! it is used, as the metrics show.
//!
//! [`client`] calls the instances, [`writers`] write and read, [`stages`] is what happens to the replica.

mod client;
mod stages;
mod writers;

use anyhow::{Result, ensure};
use tokio::runtime::Runtime;

use self::client::Client;
use self::writers::Writers;
use crate::database::{Durability, ThrowawayPostgres};
use crate::report;
use crate::service::{self, Service, built};
use crate::steps::{Done, Steps};

/// A replica that is further behind is left out, in milliseconds.
const LAG_MS: &str = "1000";

/// Runs the task.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    add_step(&mut steps);
    steps.finish()
}

/// Adds the drill to a list of steps.
pub(crate) fn add_step(steps: &mut Steps) {
    steps.run("reads on a replica", || {
        service::build()?;
        let primary = ThrowawayPostgres::start(Durability::Durable)?;
        let Some(standby) = primary.standby()? else {
            return Ok(Done::Skipped("pg_basebackup is not installed".to_owned()));
        };
        drill(&primary, &standby)?;
        Ok(Done::Passed)
    });
}

fn drill(primary: &ThrowawayPostgres, standby: &ThrowawayPostgres) -> Result<()> {
    let directory = tempfile::tempdir()?;
    let replica = standby.url();
    let flags = ["--database-read-url", &replica, "--database-read-lag-ms", LAG_MS];
    let program = built("debug");
    let (first, key) = Service::on_empty(&program, directory.path(), &primary.url(), &flags)?;
    let second = Service::on_filled(&program, directory.path(), &primary.url(), &flags)?;
    let client = Client::new(&key, vec![first.base.clone(), second.base.clone()])?;
    let drill = Drill { standby, client, runtime: Runtime::new()? };
    drill.all_stages()?;
    ensure!(primary.answers(), "the primary has stopped");
    Ok(())
}

/// The instances and their replica.
struct Drill<'a> {
    standby: &'a ThrowawayPostgres,
    client: Client,
    runtime: Runtime,
}

impl Drill<'_> {
    /// Does something to the replica while clients write and read.
    fn under_load(&self, what: &str, act: impl FnOnce() -> Result<()>) -> Result<()> {
        let writers = Writers::start(&self.client, &self.runtime);
        let acted = act();
        let rounds = self.runtime.block_on(writers.finish());
        acted?;
        report::line(&format!("{what}: {} contacts were written and read", rounds?));
        Ok(())
    }
}
