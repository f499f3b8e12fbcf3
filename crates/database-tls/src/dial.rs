//! Connects to a server.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::{Instant, timeout};

use crate::host::Host;
use crate::settings::Bounds;

/// The first of the server's IP addresses that answers. Each has an equal part of the time that is left.
pub(crate) async fn dial(host: &Host, bounds: &Bounds) -> io::Result<TcpStream> {
    let deadline = Instant::now() + bounds.open;
    let place = host.place().trim_start_matches('[').trim_end_matches(']');
    let addresses: Vec<SocketAddr> = lookup_host((place, host.port)).await?.collect();
    let mut last = io::Error::new(io::ErrorKind::NotFound, "its name has no IP address");
    for (tried, address) in addresses.iter().enumerate() {
        let rest = u32::try_from(addresses.len() - tried).unwrap_or(u32::MAX);
        let part = deadline.saturating_duration_since(Instant::now()) / rest;
        match connect(*address, part).await {
            Ok(stream) => {
                configure(&stream, bounds)?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

async fn connect(address: SocketAddr, within: Duration) -> io::Result<TcpStream> {
    match timeout(within, TcpStream::connect(address)).await {
        Ok(outcome) => outcome,
        Err(_elapsed) => Err(io::ErrorKind::TimedOut.into()),
    }
}

/// Sets the options that libpq sets on its own sockets.
fn configure(stream: &TcpStream, bounds: &Bounds) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    let probes = TcpKeepalive::new()
        .with_time(bounds.idle)
        .with_interval(bounds.interval)
        .with_retries(bounds.probes);
    socket.set_tcp_keepalive(&probes)?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(bounds.unacknowledged))?;
    Ok(())
}
