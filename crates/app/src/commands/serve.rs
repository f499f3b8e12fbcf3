//! `contact-hub serve`

use std::time::Duration;

use anyhow::{Context, Result};
use contact_hub_storage::migrate;

use super::unreachable_database;
use crate::hub::Hub;
use crate::output::print_line;
use crate::settings::{DatabaseSettings, ServeSettings};
use crate::shutdown::StopSignals;
use crate::wire::World;
use crate::{bootstrap, master_key, telemetry};

/// The exit code after a second signal, as a shell has it for an interrupted command.
const STOPPED_AT_ONCE: i32 = 130;

/// Runs the service until it is asked to stop.
pub async fn run(database: &DatabaseSettings, settings: &ServeSettings) -> Result<()> {
    let logs = telemetry::start_logs(&settings.log)?;
    let world = World::default();
    let key_file = settings.secret_key_file.as_deref();
    // Before anything is changed; the service reads them again when it starts.
    drop(master_key::ensure(key_file, &database.database_url, world.chance.as_ref())?);
    if !settings.no_migrate {
        migrate(&database.database_url).with_context(|| unreachable_database(database))?;
    }
    let mut signals = StopSignals::listen()?;
    let hub = Hub::start(database, settings, &world)?;
    print_line(&format!("listening on http://{}", hub.address))?;
    if !settings.no_bootstrap
        && !settings.no_migrate
        && let Some(first) = bootstrap::first_company(&hub.ports).await?
    {
        let announcement = bootstrap::announcement(&first, &hub.public_url);
        if let Err(error) = print_line(&announcement) {
            // The service runs; a key can still be made by the command `api-key create`.
            tracing::error!(%error, "the first key could not be shown");
        }
    }
    signals.next().await;
    tracing::info!("stopping");
    let stopped = tokio::select! {
        stopped = stop(hub, settings.edge.shutdown_delay()) => stopped,
        () = signals.next() => {
            tracing::warn!("stopped at once; what was running is lost");
            drop(logs);
            std::process::exit(STOPPED_AT_ONCE)
        }
    };
    drop(logs);
    stopped
}

/// Says that the service is not ready, goes on for a while, and stops.
async fn stop(hub: Hub, delay: Duration) -> Result<()> {
    hub.announce_stop();
    tokio::time::sleep(delay).await;
    hub.stop().await
}
