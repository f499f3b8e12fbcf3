//! The service with a wrong clock, like an instance on a machine without time synchronisation.
//!
//! It takes the flags of `contact-hub serve`, but neither migrates nor creates a first company.

use std::sync::Arc;

use anyhow::Result;
use clap::Parser;
use contact_hub::hub::Hub;
use contact_hub::output::print_line;
use contact_hub::settings::{DatabaseSettings, ServeSettings};
use contact_hub::wire::Environment;
use contact_hub_tests::TestClock;

/// Serves with a clock that is ahead or behind.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(flatten)]
    settings: ServeSettings,
    /// How many seconds the clock is ahead; negative when it is behind
    #[arg(long, allow_hyphen_values = true)]
    seconds: i64,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let clock = TestClock::default();
        clock.advance(options.seconds);
        let environment = Environment { clock: Arc::new(clock), ..Environment::default() };
        let hub = Hub::start(&options.database, &options.settings, &environment)?;
        print_line(&format!("listening on http://{}", hub.address))?;
        // The process runs until it is killed.
        std::future::pending::<Result<()>>().await
    })
}
