//! The settings for proxies, rate limits, connections and memory.

use std::time::Duration;

use clap::Args;
use contact_hub_domain::webhooks::IpNetwork;

use crate::whole_number::whole_number;

const RATE_LIMIT_PAGES: u32 = 600;
const MAX_CONNECTIONS: u32 = 8192;
const CONNECTIONS_PER_ADDRESS: u32 = 512;
const MEMORY_BUDGET_MIB: u32 = 192;
const STALL_MS: u64 = 10_000;
const SHUTDOWN_DELAY_MS: u64 = 0;

/// The share of the open files that client connections may use: three quarters.
const PARTS_OF_FILES: (usize, usize) = (3, 4);

/// Proxies, limits and bounds.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Edge")]
pub struct EdgeSettings {
    /// A network of proxies whose Forwarded or X-Forwarded-For header names the client, such as `10.0.0.0/8`;
    /// repeatable
    #[arg(
        id = "trusted_proxy",
        long = "trusted-proxy",
        env = "CONTACT_HUB_TRUSTED_PROXIES",
        value_name = "CIDR",
        value_delimiter = ','
    )]
    pub trusted_proxies: Vec<IpNetwork>,

    /// How many pages and forms a user may request in a minute; 0 sets no limit
    #[arg(long, env = "CONTACT_HUB_RATE_LIMIT_PAGES", default_value_t = RATE_LIMIT_PAGES)]
    pub rate_limit_pages: u32,

    /// How many connections may be open; fewer if the system allows the process fewer open files
    #[arg(long, env = "CONTACT_HUB_MAX_CONNECTIONS", default_value_t = MAX_CONNECTIONS,
          value_parser = whole_number::<u32>(1..=1_000_000))]
    pub max_connections: u32,

    /// How many connections one address may open; trusted proxies are exempt
    #[arg(long, env = "CONTACT_HUB_CONNECTIONS_PER_ADDRESS", default_value_t = CONNECTIONS_PER_ADDRESS,
          value_parser = whole_number::<u32>(1..=1_000_000))]
    pub connections_per_address: u32,

    /// How many MiB of memory requests in progress may use, including their bodies and answers
    #[arg(long, env = "CONTACT_HUB_MEMORY_BUDGET_MIB", default_value_t = MEMORY_BUDGET_MIB,
          value_parser = whole_number::<u32>(192..=1_000_000))]
    pub memory_budget_mib: u32,

    /// How many milliseconds a client may stall while it sends a body or reads an answer
    #[arg(long, env = "CONTACT_HUB_STALL_MS", default_value_t = STALL_MS,
          value_parser = whole_number::<u64>(100..=600_000))]
    pub stall_ms: u64,

    /// For how many milliseconds calls are still accepted after SIGTERM, while the service reports that it is not ready
    #[arg(long, env = "CONTACT_HUB_SHUTDOWN_DELAY_MS", default_value_t = SHUTDOWN_DELAY_MS,
          value_parser = whole_number::<u64>(0..=600_000))]
    pub shutdown_delay_ms: u64,
}

impl Default for EdgeSettings {
    fn default() -> Self {
        Self {
            trusted_proxies: Vec::new(),
            rate_limit_pages: RATE_LIMIT_PAGES,
            max_connections: MAX_CONNECTIONS,
            connections_per_address: CONNECTIONS_PER_ADDRESS,
            memory_budget_mib: MEMORY_BUDGET_MIB,
            stall_ms: STALL_MS,
            shutdown_delay_ms: SHUTDOWN_DELAY_MS,
        }
    }
}

impl EdgeSettings {
    /// How many connections may be open if the process may open this many files.
    #[must_use]
    pub fn connections(&self, files: u64) -> usize {
        let (part, of) = PARTS_OF_FILES;
        let most = usize::try_from(self.max_connections).unwrap_or(usize::MAX);
        let files = usize::try_from(files).unwrap_or(usize::MAX);
        most.min((files / of).saturating_mul(part))
    }

    /// How many of them one address may open.
    #[must_use]
    pub fn connections_of_network(&self) -> usize {
        usize::try_from(self.connections_per_address).unwrap_or(usize::MAX)
    }

    /// How many bytes requests in progress may use.
    #[must_use]
    pub fn memory_budget(&self) -> usize {
        usize::try_from(self.memory_budget_mib).unwrap_or(usize::MAX).saturating_mul(1 << 20)
    }

    /// How long a client may stall.
    #[must_use]
    pub const fn stall(&self) -> Duration {
        Duration::from_millis(self.stall_ms)
    }

    /// How long calls are still accepted after SIGTERM.
    #[must_use]
    pub const fn shutdown_delay(&self) -> Duration {
        Duration::from_millis(self.shutdown_delay_ms)
    }
}
