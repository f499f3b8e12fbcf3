//! `contact-hub serve`

use std::time::Duration;

use anyhow::Result;
use contact_hub_traces::{Exporting, FLUSH_WITHIN};

use crate::hub::Hub;
use crate::output::print_line;
use crate::settings::{DatabaseSettings, ServeSettings};
use crate::shutdown::StopSignals;
use crate::wire::Environment;
use crate::{bootstrap, logs, startup, telemetry};

/// The longest time that stopping may take. The process then has a second left to end within half a minute.
const STOPS_WITHIN: Duration = Duration::from_secs(28);

/// The exit code after a second signal: the shell's code for an interrupted command.
const STOPPED_AT_ONCE: i32 = 130;

/// Runs the service until SIGTERM or Ctrl-C.
pub async fn run(database: &DatabaseSettings, settings: &ServeSettings) -> Result<()> {
    let environment = Environment::default();
    settings.check(database)?;
    let options = settings.otlp.options(environment.ids.as_ref())?;
    let logs = logs::start(&settings.log)?;
    let traces = options.map(telemetry::start_traces).transpose()?;
    let mut signals = StopSignals::listen()?;
    let storage = Hub::storage(database, settings)?;
    let is_current = tokio::select! {
        prepared = startup::prepare(database, settings, &storage, environment.randomness.as_ref()) => prepared?,
        () = signals.next() => {
            tracing::info!("stopping before the service has started");
            return Ok(());
        }
    };
    let hub = Hub::start_with(storage, database, settings, &environment)?;
    print_line(&format!("listening on http://{}", hub.address))?;
    if is_current && !settings.no_bootstrap {
        bootstrap_until_stopped(&hub, database, settings, &mut signals).await?;
    } else {
        signals.next().await;
    }
    tracing::info!("stopping");
    let stopped = tokio::select! {
        stopped = stop(hub, settings.edge.shutdown_delay(), traces) => stopped,
        () = signals.next() => {
            tracing::warn!("stopped at once; requests in progress are lost");
            drop(logs);
            std::process::exit(STOPPED_AT_ONCE)
        }
    };
    drop(logs);
    stopped
}

/// Creates the first company, and waits for a signal to stop.
async fn bootstrap_until_stopped(
    hub: &Hub,
    database: &DatabaseSettings,
    settings: &ServeSettings,
    signals: &mut StopSignals,
) -> Result<()> {
    let limit = Duration::from_millis(settings.database_start_wait_ms);
    tokio::select! {
        created = create_first_company(hub, database, limit) => {
            created?;
            signals.next().await;
        }
        () = signals.next() => {}
    }
    Ok(())
}

/// Creates the first company of an empty database, and shows its key.
async fn create_first_company(
    hub: &Hub,
    database: &DatabaseSettings,
    limit: Duration,
) -> Result<()> {
    let Some(first) = bootstrap::first_company_within(&hub.ports.access, limit).await? else {
        return Ok(());
    };
    let announcement = bootstrap::announcement(&first, &hub.public_url, &database.database_url);
    if let Err(error) = print_line(&announcement) {
        // The service runs; a key can still be created with `api-key create`.
        tracing::error!(%error, "the first key could not be shown");
    }
    Ok(())
}

/// Reports that the service is not ready, keeps serving for a while, stops, and exports the last spans.
async fn stop(hub: Hub, delay: Duration, traces: Option<Exporting>) -> Result<()> {
    hub.announce_stop();
    tokio::time::sleep(delay).await;
    let kept = traces.as_ref().map_or(Duration::ZERO, |_| FLUSH_WITHIN);
    let stopped = tokio::time::timeout(STOPS_WITHIN.saturating_sub(kept), hub.stop()).await;
    if let Some(traces) = traces {
        traces.stop().await;
    }
    stopped.unwrap_or_else(|_elapsed| {
        tracing::warn!("requests or deliveries were still in progress and are abandoned");
        Ok(())
    })
}
