//! Identity providers.

use std::fmt;
use std::sync::Arc;

use super::{CompanyProviderStore, GroupPermissions, OidcClient, OidcStore, OidcSubject};
use crate::email::Email;
use crate::ids::{CompanyId, OidcProviderId};
use crate::webhooks::{Secret, UrlPolicy};

/// The longest name of a provider in addresses. The id of a company's provider is longer, so neither is mistaken for the
/// other.
pub const MAX_PROVIDER_KEY: usize = 32;

/// The name of a provider in addresses and in the store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProviderKey(String);

impl ProviderKey {
    /// The name that the operator gave: up to 32 lower-case letters, digits and dashes.
    #[must_use]
    pub fn of_operator(text: &str) -> Option<Self> {
        let is_plain =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let is_key = (1..=MAX_PROVIDER_KEY).contains(&text.len()) && text.bytes().all(is_plain);
        is_key.then(|| Self(text.to_owned()))
    }

    /// The key of a provider that a company set: its id.
    #[must_use]
    pub fn of_company(id: OidcProviderId) -> Self {
        Self(id.to_string())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProviderKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A provider, with what it decides.
#[derive(Clone, Debug)]
pub struct OidcProvider {
    /// Its name in addresses.
    pub key: ProviderKey,
    /// The company that set it; it signs in only users of this company. `None` for the operator's.
    pub company: Option<CompanyId>,
    /// Its name for people.
    pub name: String,
    /// Its issuer identifier.
    pub issuer: String,
    /// The client id of the service at the provider.
    pub client_id: String,
    /// The secret of the service at the provider; `None` for a public client.
    pub client_secret: Option<Secret>,
    /// The scopes that it is asked for in addition to `openid`, such as `email`.
    pub scopes: Vec<String>,
    /// Whether emails count as verified even if the provider does not say so.
    pub trusts_emails: bool,
    /// The company in which it creates users for people who are not users yet; `None` creates none.
    pub creates_users_in: Option<CompanyId>,
    /// The permissions of groups; `None` leaves permissions to the administrators.
    pub groups: Option<GroupPermissions>,
    /// The domains of the emails that it vouches for; none means all.
    pub domains: Vec<String>,
}

impl OidcProvider {
    /// The provider's identifier of a person.
    pub(super) fn subject(&self, subject: String) -> OidcSubject {
        let provider = self.key.as_str().to_owned();
        OidcSubject { provider, issuer: self.issuer.clone(), subject }
    }

    /// Whether it vouches for this email.
    #[must_use]
    pub fn vouches_for(&self, email: &Email) -> bool {
        self.domains.is_empty() || self.domains.iter().any(|domain| domain == email.domain())
    }
}

/// The ports and the operator's providers.
#[derive(Clone)]
pub struct OidcPorts {
    /// Stores sign-ins in progress, and the identifiers by which providers know users.
    pub store: Arc<dyn OidcStore>,
    /// Stores the providers that companies set.
    pub company_providers: Arc<dyn CompanyProviderStore>,
    /// The addresses that the providers of companies may have.
    pub url_policy: Arc<UrlPolicy>,
    /// Communicates with providers.
    pub client: Arc<dyn OidcClient>,
    /// The operator's providers.
    pub providers: Arc<[OidcProvider]>,
    /// The address under which clients reach the service, without a slash at its end.
    pub public_url: Arc<str>,
}

impl OidcPorts {
    /// The address to which this provider sends browsers back.
    #[must_use]
    pub fn redirect(&self, provider: &ProviderKey) -> String {
        format!("{}/sign-in/oidc/{provider}/callback", self.public_url)
    }

    /// The operator's provider with this key.
    pub(super) fn of_operator(&self, key: &str) -> Option<&OidcProvider> {
        self.providers.iter().find(|provider| provider.key.as_str() == key)
    }
}

#[cfg(test)]
mod tests {
    use super::ProviderKey;

    #[test]
    fn a_key_needs_no_encoding_in_an_address() {
        for key in ["acme", "a-1", &"x".repeat(32)] {
            assert_eq!(ProviderKey::of_operator(key).expect("a key").as_str(), key);
        }
        for other in ["", "Acme", "a b", "a/b", "ä", "a.b", &"x".repeat(33)] {
            assert_eq!(ProviderKey::of_operator(other), None, "{other}");
        }
    }
}
