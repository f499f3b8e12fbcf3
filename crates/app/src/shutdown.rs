//! The signals that stop the service or a long command.

use anyhow::Result;

/// The signals that stop the service or a command: SIGTERM and Ctrl-C.
#[cfg(unix)]
pub struct StopSignals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
    hang_up: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl StopSignals {
    /// Starts to listen.
    pub fn listen() -> Result<Self> {
        use anyhow::Context as _;
        use tokio::signal::unix::{SignalKind, signal};
        let listen = |kind| signal(kind).context("cannot listen for signals");
        let terminate = listen(SignalKind::terminate())?;
        Ok(Self { terminate, interrupt: listen(SignalKind::interrupt())?, hang_up: None })
    }

    /// Listens for the end of the terminal too (SIGHUP), unless the process ignores it, as under `nohup`.
    pub fn listen_with_hang_up() -> Result<Self> {
        use anyhow::Context as _;
        use tokio::signal::unix::{SignalKind, signal};
        let mut signals = Self::listen()?;
        if !ignores_hang_up() {
            let hang_up = signal(SignalKind::hangup()).context("cannot listen for signals")?;
            signals.hang_up = Some(hang_up);
        }
        Ok(signals)
    }

    /// Waits for the next signal.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
            () = received(self.hang_up.as_mut()) => {}
        }
    }
}

#[cfg(unix)]
async fn received(signal: Option<&mut tokio::signal::unix::Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}

/// Whether the process was started with SIGHUP ignored. Only Linux says so.
#[cfg(unix)]
fn ignores_hang_up() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // SIGHUP is the first signal.
    mask.is_some_and(|mask| mask & 1 == 1)
}

/// The signal that stops the service: Ctrl-C.
#[cfg(not(unix))]
pub struct StopSignals;

#[cfg(not(unix))]
impl StopSignals {
    /// Starts to listen.
    pub fn listen() -> Result<Self> {
        Ok(Self)
    }

    /// As [`Self::listen`], because only Unix sends a signal at the end of the terminal.
    pub fn listen_with_hang_up() -> Result<Self> {
        Self::listen()
    }

    /// Waits for the next signal. Where there is no such signal the service runs until it is killed.
    pub async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
