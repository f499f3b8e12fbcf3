//! Every setting of the edge: who is let in, how often, and how much of the process one party may hold.

use std::time::Duration;

use clap::Args;
use contact_hub_domain::webhooks::IpNetwork;

const RATE_LIMIT_PAGES: u32 = 600;
const SHUTDOWN_DELAY_MS: u64 = 0;

/// Proxies, limits and bounds.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Edge")]
pub struct EdgeSettings {
    /// A network of proxies whose Forwarded or X-Forwarded-For header names the client, such as `10.0.0.0/8`; repeatable
    #[arg(
        id = "trusted_proxy",
        long = "trusted-proxy",
        env = "CONTACT_HUB_TRUSTED_PROXIES",
        value_name = "CIDR",
        value_delimiter = ','
    )]
    pub trusted_proxies: Vec<IpNetwork>,

    /// How many pages and forms a user may ask for in a minute; 0 sets no limit
    #[arg(long, env = "CONTACT_HUB_RATE_LIMIT_PAGES", default_value_t = RATE_LIMIT_PAGES)]
    pub rate_limit_pages: u32,

    /// How many milliseconds the service still accepts calls after it was asked to stop, while it says that it is not ready
    #[arg(long, env = "CONTACT_HUB_SHUTDOWN_DELAY_MS", default_value_t = SHUTDOWN_DELAY_MS,
          value_parser = clap::value_parser!(u64).range(0..=600_000))]
    pub shutdown_delay_ms: u64,
}

impl Default for EdgeSettings {
    fn default() -> Self {
        Self {
            trusted_proxies: Vec::new(),
            rate_limit_pages: RATE_LIMIT_PAGES,
            shutdown_delay_ms: SHUTDOWN_DELAY_MS,
        }
    }
}

impl EdgeSettings {
    /// How long calls are still accepted after the service was asked to stop.
    #[must_use]
    pub const fn shutdown_delay(&self) -> Duration {
        Duration::from_millis(self.shutdown_delay_ms)
    }
}
