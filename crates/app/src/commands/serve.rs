//! `contact-hub serve`

use std::time::Duration;

use anyhow::Result;

use crate::hub::Hub;
use crate::output::print_line;
use crate::settings::{DatabaseSettings, ServeSettings};
use crate::shutdown::StopSignals;
use crate::wire::World;
use crate::{bootstrap, startup, telemetry};

/// How long stopping may take, whatever hangs. The process then has a second to end within half a minute.
const STOPS_WITHIN: Duration = Duration::from_secs(28);

/// The exit code after a second signal, as a shell has it for an interrupted command.
const STOPPED_AT_ONCE: i32 = 130;

/// Runs the service until it is asked to stop.
pub async fn run(database: &DatabaseSettings, settings: &ServeSettings) -> Result<()> {
    settings.check()?;
    let logs = telemetry::start_logs(&settings.log)?;
    let world = World::default();
    let mut signals = StopSignals::listen()?;
    tokio::select! {
        prepared = startup::prepare(database, settings, world.chance.as_ref()) => prepared?,
        () = signals.next() => {
            tracing::info!("stopping before the service has started");
            return Ok(());
        }
    }
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
            tracing::warn!("stopped at once; requests in progress are lost");
            drop(logs);
            std::process::exit(STOPPED_AT_ONCE)
        }
    };
    drop(logs);
    stopped
}

/// Reports that the service is not ready, serves on for a while, and stops.
async fn stop(hub: Hub, delay: Duration) -> Result<()> {
    hub.announce_stop();
    tokio::time::sleep(delay).await;
    match tokio::time::timeout(STOPS_WITHIN, hub.stop()).await {
        Ok(stopped) => stopped,
        Err(_elapsed) => {
            tracing::warn!("requests or deliveries were still in progress and are abandoned");
            Ok(())
        }
    }
}
