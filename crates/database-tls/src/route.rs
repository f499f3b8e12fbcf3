//! Which way a connection takes: in plain, or by the tunnel.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::address::Address;
use crate::error::TlsError;
use crate::host::Host;
use crate::mode::{Mode, Order};
use crate::settings::Settings;
use crate::tunnel::Tunnel;

/// The way to the servers of one address.
pub struct Route {
    hosts: Vec<Host>,
    settings: Arc<Settings>,
    order: Order,
    /// The server rejected a plain connection, and accepted an encrypted one.
    insists: AtomicBool,
    tunnel: Mutex<Option<Arc<Tunnel>>>,
}

/// Why a connection was not opened.
#[derive(Debug, thiserror::Error)]
pub enum RouteError<E> {
    /// The driver failed.
    #[error(transparent)]
    Driver(E),
    /// The driver failed with and without TLS.
    #[error("{first}; {way}: {second}")]
    Both {
        /// The first failure.
        first: E,
        /// What was different the second time.
        way: Way,
        /// The second one.
        second: E,
    },
    /// There is no TLS.
    #[error(transparent)]
    Tls(#[from] TlsError),
}

/// A way to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Not encrypted.
    Plain,
    /// By the tunnel.
    Tls,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain => "without TLS",
            Self::Tls => "with TLS",
        })
    }
}

impl Route {
    /// Fails if the address has parameters of TLS that cannot be met. Reads no file and opens nothing.
    pub fn new(url: &str) -> Result<Self, TlsError> {
        let address = Address::read(url);
        let hosts = address.hosts()?;
        let mode = Mode::of(&address, &hosts)?;
        let order = mode.order(&hosts)?;
        let settings = Arc::new(Settings::of(&address, mode)?);
        Ok(Self {
            hosts,
            settings,
            order,
            insists: AtomicBool::new(false),
            tunnel: Mutex::default(),
        })
    }

    /// Whether all servers are on this machine: at a socket, at `localhost` or at a loopback address.
    pub fn is_local(&self) -> bool {
        Host::are_local(&self.hosts)
    }

    /// Opens a connection by `open`, which gets the address in plain. `url` may differ from that of the route in its time
    /// limits. An error that `may_need_other` accepts makes it try the other way, if the mode permits both.
    pub fn open<C, E>(
        &self,
        url: &str,
        open: impl Fn(&str) -> Result<C, E>,
        may_need_other: impl Fn(&E) -> bool,
    ) -> Result<C, RouteError<E>> {
        let (way, other) = self.ways();
        let first = match self.by(way, url, &open) {
            Err(RouteError::Driver(error)) if may_need_other(&error) => error,
            outcome => return outcome,
        };
        let Some(other) = other else { return Err(RouteError::Driver(first)) };
        match self.by(other, url, &open) {
            Err(RouteError::Driver(second)) => Err(RouteError::Both { first, way: other, second }),
            Ok(connection) => {
                self.insists.fetch_or(matches!(other, Way::Tls), Ordering::Relaxed);
                Ok(connection)
            }
            failed => failed,
        }
    }

    fn ways(&self) -> (Way, Option<Way>) {
        match self.order {
            Order::Plain => (Way::Plain, None),
            Order::Tls => (Way::Tls, None),
            Order::PlainThenTls if !self.insists.load(Ordering::Relaxed) => {
                (Way::Plain, Some(Way::Tls))
            }
            Order::PlainThenTls | Order::TlsThenPlain => (Way::Tls, Some(Way::Plain)),
        }
    }

    fn by<C, E>(
        &self,
        way: Way,
        url: &str,
        open: impl Fn(&str) -> Result<C, E>,
    ) -> Result<C, RouteError<E>> {
        let address = Address::read(url);
        let plain = match way {
            Way::Tls => address.at(self.tunnel()?.places()),
            // Only for sockets of this machine, to which libpq connects in plain in any mode.
            Way::Plain if self.settings.mode >= Mode::Require => address.without_tls(),
            Way::Plain => url.to_owned(),
        };
        open(&plain).map_err(RouteError::Driver)
    }

    /// The tunnel, which is started when it is first needed.
    fn tunnel(&self) -> Result<Arc<Tunnel>, TlsError> {
        let mut tunnel = self.tunnel.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tunnel) = &*tunnel {
            return Ok(Arc::clone(tunnel));
        }
        let started = Arc::new(Tunnel::start(&self.hosts, &self.settings)?);
        Ok(Arc::clone(tunnel.insert(started)))
    }
}
