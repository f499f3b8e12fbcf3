//! `contact-hub serve`

use std::time::Duration;

use anyhow::{Context, Result};
use contact_hub_storage::migrate;

use super::unreachable_database;
use crate::hub::Hub;
use crate::output::print_line;
use crate::settings::{DatabaseSettings, ServeSettings};
use crate::wire::World;
use crate::{bootstrap, master_key, shutdown, telemetry};

/// How long stopping may take, whatever hangs. The process then has a second to end within half a minute.
const STOPS_WITHIN: Duration = Duration::from_secs(28);

/// Runs the service until it is asked to stop.
pub async fn run(database: &DatabaseSettings, settings: &ServeSettings) -> Result<()> {
    let _logs = telemetry::start_logs(&settings.log)?;
    let world = World::default();
    let key_file = settings.secret_key_file.as_deref();
    // Before anything is changed; the service reads them again when it starts.
    drop(master_key::ensure(key_file, &database.database_url, world.chance.as_ref())?);
    if !settings.no_migrate {
        migrate(&database.database_url).with_context(|| unreachable_database(database))?;
    }
    let stop = shutdown::requested()?;
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
    stop.await;
    tracing::info!("stopping");
    match tokio::time::timeout(STOPS_WITHIN, hub.stop()).await {
        Ok(stopped) => stopped,
        Err(_elapsed) => {
            tracing::warn!("requests or deliveries were still in progress and are abandoned");
            Ok(())
        }
    }
}
