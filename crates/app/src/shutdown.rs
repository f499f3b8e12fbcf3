//! When to stop.

use anyhow::{Context, Result};

/// Waits for SIGTERM, or for Ctrl-C.
#[cfg(unix)]
pub async fn requested() -> Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate =
        signal(SignalKind::terminate()).context("SIGTERM cannot be listened for")?;
    tokio::select! {
        _ = terminate.recv() => Ok(()),
        interrupted = tokio::signal::ctrl_c() => interrupted.context("Ctrl-C cannot be listened for"),
    }
}

/// Waits for Ctrl-C.
#[cfg(not(unix))]
pub async fn requested() -> Result<()> {
    tokio::signal::ctrl_c().await.context("Ctrl-C cannot be listened for")
}
