//! The store port of providers that companies set.

use async_trait::async_trait;

use super::CompanyProvider;
use crate::author::Author;
use crate::ids::{CompanyId, OidcProviderId, WebhookSecretId};
use crate::ports::StoreError;
use crate::time::Timestamp;
use crate::webhooks::Sealed;

/// A sealed secret with the id under which it is sealed.
pub type SealedSecret = (WebhookSecretId, Sealed);

/// The outcome of storing a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveProviderOutcome {
    /// It is stored.
    Saved,
    /// The company has no provider with this id.
    NotFound,
    /// The company has the maximum number of providers.
    Full,
    /// The operator does not allow the company this domain, or another provider has it.
    DomainRefused(String),
    /// Users, who cannot sign in with a password, would have no way in.
    NoWayIn,
}

/// The outcome of deleting a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeleteProviderOutcome {
    /// It is deleted, with the names by which it knows users.
    Deleted,
    /// The company has no provider with this id.
    NotFound,
    /// Users, who cannot sign in with a password, would have no way in.
    NoWayIn,
}

/// The outcome of letting users sign in with a password, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchPasswordSignInOutcome {
    /// It is stored, or was so before.
    Switched,
    /// There is no such company.
    CompanyUnknown,
    /// Users would have no way in.
    NoWayIn,
}

/// The outcome of allowing a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllowDomainOutcome {
    /// The company may use it.
    Allowed,
    /// There is no such company.
    CompanyUnknown,
    /// Another company may use it.
    Taken,
    /// The company has the maximum number of domains.
    Full,
}

/// Stores the providers of companies, and the domains that the operator allows these.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait CompanyProviderStore: Send + Sync {
    /// The providers of a company, the oldest first.
    async fn company_providers(
        &self,
        company: CompanyId,
    ) -> Result<Vec<CompanyProvider>, StoreError>;

    /// A provider with its secret, for signing in. That of a company that is being deleted is unknown.
    async fn company_provider(
        &self,
        id: OidcProviderId,
    ) -> Result<Option<(CompanyProvider, SealedSecret)>, StoreError>;

    /// Stores a new provider, unless the company has `max`. Concurrent calls never exceed `max`.
    async fn create_company_provider(
        &self,
        by: Author,
        provider: CompanyProvider,
        secret: SealedSecret,
        max: usize,
    ) -> Result<SaveProviderOutcome, StoreError>;

    /// Replaces a provider, and its secret if there is a new one, if that
    /// [keeps a way in](crate::access::keeps_way_in) for users who cannot sign in with a password.
    async fn change_company_provider(
        &self,
        by: Author,
        provider: CompanyProvider,
        secret: Option<SealedSecret>,
        at: Timestamp,
    ) -> Result<SaveProviderOutcome, StoreError>;

    /// Deletes a provider with the names by which it knows users, if that
    /// [keeps a way in](crate::access::keeps_way_in) for users who cannot sign in with a password.
    async fn delete_company_provider(
        &self,
        by: Author,
        id: OidcProviderId,
        at: Timestamp,
    ) -> Result<DeleteProviderOutcome, StoreError>;

    /// Lets the users of the author's company sign in with a password, or not. They can do without if there
    /// [is a way in](crate::access::has_way_in). Concurrent changes of providers are seen.
    async fn switch_password_sign_in(
        &self,
        by: Author,
        is_on: bool,
        at: Timestamp,
    ) -> Result<SwitchPasswordSignInOutcome, StoreError>;

    /// The provider for emails of this domain.
    async fn provider_of_domain(
        &self,
        domain: String,
    ) -> Result<Option<OidcProviderId>, StoreError>;

    /// Whether any company has a provider for a domain.
    async fn has_company_providers(&self) -> Result<bool, StoreError>;

    /// The domains that a company may use, in their order.
    async fn oidc_domains(&self, company: CompanyId) -> Result<Vec<String>, StoreError>;

    /// Allows a company a domain, of which it may have `max`. Allowing it twice is allowing it once.
    async fn allow_oidc_domain(
        &self,
        company: CompanyId,
        domain: String,
        max: usize,
    ) -> Result<AllowDomainOutcome, StoreError>;

    /// Takes a domain from the company that may use it; false when none may. A provider without a domain vouches for every
    /// email. So one that loses its last domain creates no more users, and trusts no email that it has not verified.
    async fn forbid_oidc_domain(&self, domain: String, at: Timestamp) -> Result<bool, StoreError>;
}
