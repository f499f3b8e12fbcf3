//! The settings of webhooks, each a flag and an environment variable.

use std::time::Duration;

use clap::Args;
use contact_hub_domain::webhooks::{Guard, IpNetwork, RetrySchedule, UrlPolicy};

use crate::whole_number::whole_number;

const RETENTION_DAYS: u32 = 30;
const CONCURRENCY: u32 = 512;

/// The addresses that webhooks may have, and how they are delivered.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Webhooks")]
pub struct WebhookSettings {
    /// Allow webhooks with http URLs
    #[arg(
        id = "webhook_allow_http",
        long = "webhook-allow-http",
        env = "CONTACT_HUB_WEBHOOK_ALLOW_HTTP"
    )]
    pub allow_http: bool,

    /// A private or otherwise special network to which webhooks may be sent, such as `10.1.0.0/16`; repeatable
    #[arg(
        id = "webhook_allow_network",
        long = "webhook-allow-network",
        env = "CONTACT_HUB_WEBHOOK_ALLOW_NETWORK",
        value_name = "CIDR",
        value_delimiter = ','
    )]
    pub allow_networks: Vec<IpNetwork>,

    /// How long to wait before each retry, such as `10s,5m,1h` [default: 5s,30s,2m,10m,30m,1h,3h,6h,12h,24h,24h]
    #[arg(id = "webhook_retry_schedule", long = "webhook-retry-schedule", env = "CONTACT_HUB_WEBHOOK_RETRY_SCHEDULE",
          value_name = "DELAYS", value_delimiter = ',', value_parser = delay)]
    pub retry_schedule: Vec<Duration>,

    /// How many days closed deliveries are kept
    #[arg(id = "webhook_retention_days", long = "webhook-retention-days", env = "CONTACT_HUB_WEBHOOK_RETENTION_DAYS",
          value_name = "DAYS", default_value_t = RETENTION_DAYS, value_parser = whole_number::<u32>(1..=3650))]
    pub retention_days: u32,

    /// How many deliveries are sent at once
    #[arg(id = "webhook_concurrency", long = "webhook-concurrency", env = "CONTACT_HUB_WEBHOOK_CONCURRENCY",
          value_name = "NUMBER", default_value_t = CONCURRENCY, value_parser = whole_number::<u32>(1..=10_000))]
    pub concurrency: u32,
}

impl Default for WebhookSettings {
    fn default() -> Self {
        Self {
            allow_http: false,
            allow_networks: Vec::new(),
            retry_schedule: Vec::new(),
            retention_days: RETENTION_DAYS,
            concurrency: CONCURRENCY,
        }
    }
}

impl WebhookSettings {
    /// Which addresses are allowed.
    #[must_use]
    pub fn url_policy(&self) -> UrlPolicy {
        UrlPolicy { allow_http: self.allow_http, guard: Guard::new(self.allow_networks.clone()) }
    }

    /// When failed deliveries are retried.
    #[must_use]
    pub fn schedule(&self) -> RetrySchedule {
        if self.retry_schedule.is_empty() {
            return RetrySchedule::default();
        }
        RetrySchedule::new(self.retry_schedule.clone())
    }

    /// How long closed deliveries are kept.
    #[must_use]
    pub fn retention(&self) -> Duration {
        Duration::from_hours(24 * u64::from(self.retention_days))
    }
}

/// Reads a whole number with its unit.
pub(crate) fn delay(text: &str) -> Result<Duration, String> {
    let message = || format!("\"{text}\" must be a number with ms, s, m, h or d, such as 30s");
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at_checked(digits).ok_or_else(message)?;
    let millis: u64 = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return Err(message()),
    };
    let number: u32 = number.parse().map_err(|_error| message())?;
    Ok(Duration::from_millis(millis.saturating_mul(number.into())))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::delay;

    #[test]
    fn delays_have_a_unit() {
        for (text, millis) in
            [("0s", 0), ("250ms", 250), ("2s", 2000), ("2m", 120_000), ("24h", 86_400_000)]
        {
            assert_eq!(delay(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "5", "s", "-1s", "1.5s", "5 s", "1w", "99999999999s"] {
            assert!(delay(text).is_err(), "{text}");
        }
    }
}
