//! Limits the open connections, in total and from one network.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use metrics::counter;

use contact_hub_domain::access::ClientNetwork;

/// The open connections of a server.
pub(super) struct Connections {
    most: usize,
    most_of_network: usize,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    all: usize,
    of_networks: HashMap<ClientNetwork, usize>,
}

/// The place of a connection; it is free again when this is dropped.
pub(super) struct Place {
    connections: Arc<Connections>,
    network: Option<ClientNetwork>,
}

impl Connections {
    pub(super) fn new(most: usize, most_of_network: usize) -> Self {
        Self { most, most_of_network, open: Mutex::default() }
    }

    /// A place for a connection from this address; `None` when there is none. Proxies have many clients, so only the
    /// number of all connections bounds theirs.
    pub(super) fn take(self: &Arc<Self>, peer: IpAddr, is_proxy: bool) -> Option<Place> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let network = (!is_proxy).then(|| ClientNetwork::from(peer));
        let own = network.and_then(|it| open.of_networks.get(&it).copied()).unwrap_or(0);
        if open.all >= self.most || own >= self.most_of_network {
            counter!("contact_hub_http_connections_refused_total").increment(1);
            return None;
        }
        open.all += 1;
        if let Some(network) = network {
            open.of_networks.insert(network, own + 1);
        }
        Some(Place { connections: Arc::clone(self), network })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.connections.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.all -= 1;
        let Some(network) = self.network else { return };
        if let Some(own) = open.of_networks.get_mut(&network) {
            *own -= 1;
            if *own == 0 {
                open.of_networks.remove(&network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::Arc;

    use super::Connections;

    #[test]
    fn bounds_all_connections_and_those_of_one_network() {
        let connections = Arc::new(Connections::new(4, 2));
        let take =
            |n: u8, is_proxy| connections.take(IpAddr::V4(Ipv4Addr::new(192, 0, 2, n)), is_proxy);
        let held = (take(1, false), take(1, false));
        assert!(held.0.is_some() && held.1.is_some());
        assert!(take(1, false).is_none(), "the network's are spent");
        let proxies = (take(1, true), take(1, true));
        assert!(proxies.0.is_some() && proxies.1.is_some());
        assert!(take(2, false).is_none() && take(1, true).is_none(), "all are spent");
        drop(held);
        assert!(take(2, false).is_some());
        drop(proxies);
        let open = connections.open.lock().expect("no panic");
        assert_eq!((open.all, open.of_networks.len()), (0, 0));
    }
}
