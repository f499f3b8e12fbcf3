//! The limits on the number of webhooks, keys, fields, users and integrations.

use clap::Args;
use contact_hub_domain::limits::Limits;

use crate::whole_number::whole_number;

const WEBHOOKS: u16 = 1000;
const API_KEYS: u16 = 100;
const FIELDS: u16 = 1000;
const FILTERABLE_FIELDS: u16 = 10;
const USERS: u16 = 1000;
const INTEGRATIONS: u16 = 1000;

/// The limits on what a company or a user may have.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub struct LimitSettings {
    /// How many webhooks a company may have
    #[arg(long, env = "CONTACT_HUB_MAX_WEBHOOKS", default_value_t = WEBHOOKS,
          value_parser = whole_number::<u16>(1..=10_000))]
    pub max_webhooks: u16,

    /// How many API keys that are neither revoked nor expired a user may have
    #[arg(long, env = "CONTACT_HUB_MAX_API_KEYS", default_value_t = API_KEYS,
          value_parser = whole_number::<u16>(1..=10_000))]
    pub max_api_keys: u16,

    /// How many fields a company may have
    #[arg(long, env = "CONTACT_HUB_MAX_FIELDS", default_value_t = FIELDS,
          value_parser = whole_number::<u16>(1..=1000))]
    pub max_fields: u16,

    /// By how many fields of a company contacts can be filtered and sorted
    #[arg(long, env = "CONTACT_HUB_MAX_FILTERABLE_FIELDS", default_value_t = FILTERABLE_FIELDS,
          value_parser = whole_number::<u16>(0..=100))]
    pub max_filterable_fields: u16,

    /// How many users a company may have
    #[arg(long, env = "CONTACT_HUB_MAX_USERS", default_value_t = USERS,
          value_parser = whole_number::<u16>(1..=10_000))]
    pub max_users: u16,

    /// How many integrations a company may have
    #[arg(long, env = "CONTACT_HUB_MAX_INTEGRATIONS", default_value_t = INTEGRATIONS,
          value_parser = whole_number::<u16>(1..=10_000))]
    pub max_integrations: u16,
}

impl Default for LimitSettings {
    fn default() -> Self {
        Self {
            max_webhooks: WEBHOOKS,
            max_api_keys: API_KEYS,
            max_fields: FIELDS,
            max_filterable_fields: FILTERABLE_FIELDS,
            max_users: USERS,
            max_integrations: INTEGRATIONS,
        }
    }
}

impl LimitSettings {
    /// The domain's limits.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits {
            webhooks: self.max_webhooks.into(),
            api_keys: self.max_api_keys.into(),
            fields: self.max_fields.into(),
            filterable_fields: self.max_filterable_fields.into(),
            users: self.max_users.into(),
            integrations: self.max_integrations.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::limits::Limits;

    use super::LimitSettings;

    #[test]
    fn the_defaults_are_those_of_the_domain() {
        assert_eq!(LimitSettings::default().limits(), Limits::default());
    }
}
