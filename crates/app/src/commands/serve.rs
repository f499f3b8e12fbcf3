//! `contact-hub serve`

use std::pin::pin;

use anyhow::Result;

use crate::hub::Hub;
use crate::output::print_line;
use crate::settings::{DatabaseSettings, ServeSettings};
use crate::wire::World;
use crate::{bootstrap, shutdown, startup, telemetry};

/// Runs the service until it is asked to stop.
pub async fn run(database: &DatabaseSettings, settings: &ServeSettings) -> Result<()> {
    let _logs = telemetry::start_logs(&settings.log)?;
    let world = World::default();
    let mut stop = pin!(shutdown::requested()?);
    tokio::select! {
        prepared = startup::prepare(database, settings, world.chance.as_ref()) => prepared?,
        () = &mut stop => {
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
    stop.await;
    tracing::info!("stopping");
    hub.stop().await
}
