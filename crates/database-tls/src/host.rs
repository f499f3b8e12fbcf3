//! One server of an address.

use std::net::IpAddr;

/// A server of an address, which may list several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Host {
    /// Its name, which a certificate is compared with. May be empty.
    pub(crate) name: String,
    /// Its IP address, if the address of the database has one in addition to the name.
    pub(crate) ip: Option<String>,
    /// Its port.
    pub(crate) port: u16,
}

/// How a server is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// By TCP.
    Tcp,
    /// By a socket of this machine.
    Socket,
    /// As libpq decides, by its environment or a service file.
    Unnamed,
}

impl Host {
    pub(crate) fn kind(&self) -> Kind {
        match &self.ip {
            None if self.name.is_empty() => Kind::Unnamed,
            None if self.name.starts_with(['/', '@']) => Kind::Socket,
            _ => Kind::Tcp,
        }
    }

    /// Whether the traffic to all of them stays on this machine: at a socket, at `localhost` or at a loopback address.
    pub(crate) fn are_local(hosts: &[Self]) -> bool {
        hosts.iter().all(Self::is_local)
    }

    fn is_local(&self) -> bool {
        let place = self.place();
        self.kind() == Kind::Socket
            || place == "localhost"
            || place.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
    }

    /// The place to connect to: the IP address, or else the name.
    pub(crate) fn place(&self) -> &str {
        self.ip.as_deref().unwrap_or(&self.name)
    }

    /// The identity that a certificate is compared with: the name, or else the IP address.
    pub(crate) fn identity(&self) -> &str {
        if self.name.is_empty() { self.place() } else { &self.name }
    }
}

impl std::fmt::Display for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.identity(), self.port)
    }
}
