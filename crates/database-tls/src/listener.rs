//! The local socket to which libpq connects.
//!
//! On Linux its name is in no directory, so it needs no writable one and leaves nothing behind. Elsewhere it is in a
//! directory that only this user can read. Only connections of this process are accepted.

use std::io;
use std::os::unix::net::UnixListener;

use tokio::net::UnixStream;

use crate::error::TlsError;
use crate::host::Host;

/// The maximum number of letters of a host in the name of its socket, whose length is limited.
const MAX_HOST: usize = 48;

/// A local socket. libpq derives its name from a host and a port.
pub(crate) struct Listener {
    /// The host that libpq is given.
    pub(crate) host: String,
    pub(crate) socket: UnixListener,
    #[cfg(not(target_os = "linux"))]
    pub(crate) directory: tempfile::TempDir,
}

impl Listener {
    pub(crate) fn new(host: &Host) -> Result<Self, TlsError> {
        let listener = Self::bind(host).map_err(|error| TlsError::Socket(error.to_string()))?;
        let mode = listener.socket.set_nonblocking(true);
        mode.map_err(|error| TlsError::Socket(error.to_string()))?;
        Ok(listener)
    }

    /// The name contains the host of the server, because libpq's messages contain the name.
    #[cfg(target_os = "linux")]
    fn bind(host: &Host) -> io::Result<Self> {
        use std::os::linux::net::SocketAddrExt as _;
        use std::os::unix::net::SocketAddr;

        let mut random = [0; 8];
        getrandom::fill(&mut random)?;
        let readable = |letter: &char| letter.is_ascii_alphanumeric() || "-._".contains(*letter);
        let place: String = host.identity().chars().filter(readable).take(MAX_HOST).collect();
        let name = format!("contact-hub-{}/{place}", hex::encode(random));
        let path = format!("{name}/.s.PGSQL.{}", host.port);
        let socket = UnixListener::bind_addr(&SocketAddr::from_abstract_name(path)?)?;
        Ok(Self { host: format!("@{name}"), socket })
    }

    #[cfg(not(target_os = "linux"))]
    fn bind(host: &Host) -> io::Result<Self> {
        use std::os::unix::fs::PermissionsExt as _;

        let private = std::fs::Permissions::from_mode(0o700);
        let directory = tempfile::Builder::new().permissions(private).tempdir()?;
        let socket = UnixListener::bind(directory.path().join(format!(".s.PGSQL.{}", host.port)))?;
        Ok(Self { host: directory.path().display().to_string(), socket, directory })
    }
}

/// Whether a connection comes from this process.
pub(crate) fn is_own(stream: &UnixStream) -> bool {
    let peer = stream.peer_cred().ok().and_then(|peer| peer.pid());
    peer.and_then(|pid| u32::try_from(pid).ok()) == Some(std::process::id())
}
