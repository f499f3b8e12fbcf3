//! When to stop.

use anyhow::{Context, Result};

/// Listens for SIGTERM and Ctrl-C from now on; the future ends with the first of them.
#[cfg(unix)]
pub fn requested() -> Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let listen = |kind| signal(kind).context("signals cannot be listened for");
    let mut terminate = listen(SignalKind::terminate())?;
    let mut interrupt = listen(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Listens for Ctrl-C; the future ends with it.
#[cfg(not(unix))]
pub fn requested() -> Result<impl Future<Output = ()>> {
    Ok(async {
        // Without a way to be told, the service runs until it is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
