//! Resolves names to addresses that may be dialled.
//!
//! The connector dials exactly the addresses that this resolver returns. There is no second look-up, so a name that
//! resolves to something else a moment later cannot bypass the check.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use contact_hub_domain::webhooks::Guard;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Finds the addresses of a name.
#[async_trait]
pub trait Lookup: Send + Sync {
    /// The addresses, in the order in which they are tried.
    async fn addresses(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The resolver of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemLookup;

#[async_trait]
impl Lookup for SystemLookup {
    async fn addresses(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        Ok(tokio::net::lookup_host((name, 0)).await?.map(|address| address.ip()).collect())
    }
}

/// Why a name was not resolved.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ResolveError {
    /// The look-up failed.
    #[error("the name cannot be looked up")]
    Failed(#[source] io::Error),
    /// The name has no address.
    #[error("the name has no address")]
    Nothing,
    /// None of its addresses may be dialled.
    #[error("the name resolves to an address that must not be dialled")]
    Blocked,
}

/// Looks names up and keeps the addresses that the policy permits.
#[derive(Clone)]
pub(crate) struct GuardedResolver {
    pub(crate) lookup: Arc<dyn Lookup>,
    pub(crate) guard: Arc<Guard>,
    /// How long a look-up may take.
    pub(crate) within: Duration,
}

impl GuardedResolver {
    async fn permitted(self, name: &str) -> Result<Vec<SocketAddr>, ResolveError> {
        let found = tokio::time::timeout(self.within, self.lookup.addresses(name)).await;
        let found = found.unwrap_or_else(|late| Err(late.into())).map_err(ResolveError::Failed)?;
        if found.is_empty() {
            return Err(ResolveError::Nothing);
        }
        let permitted = found.into_iter().filter(|address| self.guard.permits(*address));
        // The connector sets the port.
        let dialled: Vec<_> = permitted.map(|address| SocketAddr::new(address, 0)).collect();
        if dialled.is_empty() { Err(ResolveError::Blocked) } else { Ok(dialled) }
    }
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = self.clone();
        Box::pin(async move {
            let dialled: Addrs = Box::new(resolver.permitted(name.as_str()).await?.into_iter());
            Ok(dialled)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::net::IpAddr;
    use std::sync::Arc;
    use std::time::Duration;

    use async_trait::async_trait;
    use contact_hub_domain::webhooks::Guard;

    use super::{GuardedResolver, Lookup, ResolveError};

    struct Fixed(&'static [&'static str]);

    #[async_trait]
    impl Lookup for Fixed {
        async fn addresses(&self, _name: &str) -> io::Result<Vec<IpAddr>> {
            Ok(self.0.iter().map(|address| address.parse().expect(address)).collect())
        }
    }

    async fn dialled(answer: &'static [&'static str]) -> Result<Vec<String>, ResolveError> {
        let (lookup, guard) = (Arc::new(Fixed(answer)), Arc::new(Guard::default()));
        let resolver = GuardedResolver { lookup, guard, within: Duration::from_mins(1) };
        let dialled = resolver.permitted("example.com").await?;
        Ok(dialled.iter().map(|address| address.ip().to_string()).collect())
    }

    struct Silent;

    #[async_trait]
    impl Lookup for Silent {
        async fn addresses(&self, _name: &str) -> io::Result<Vec<IpAddr>> {
            std::future::pending().await
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_lookup_without_an_answer_fails() {
        let (lookup, guard) = (Arc::new(Silent), Arc::new(Guard::default()));
        let resolver = GuardedResolver { lookup, guard, within: Duration::from_secs(5) };
        let late = resolver.permitted("example.com").await;
        assert!(matches!(late, Err(ResolveError::Failed(_))));
    }

    #[tokio::test]
    async fn only_permitted_addresses_are_dialled() {
        let mixed = &["10.0.0.1", "8.8.8.8", "::1", "2606:4700::1111", "::ffff:127.0.0.1"];
        assert_eq!(dialled(mixed).await.expect("two"), ["8.8.8.8", "2606:4700::1111"]);
        let private = dialled(&["10.0.0.1", "fe80::1", "64:ff9b::a9fe:a9fe"]).await;
        assert!(matches!(private, Err(ResolveError::Blocked)));
        assert!(matches!(dialled(&[]).await, Err(ResolveError::Nothing)));
    }
}
