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
    /// Users, who cannot sign in with a password, could no longer sign in.
    NoWayIn,
}

/// The outcome of deleting a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeleteProviderOutcome {
    /// It is deleted, with the names by which it knows users.
    Deleted,
    /// The company has no provider with this id.
    NotFound,
    /// Users, who cannot sign in with a password, could no longer sign in.
    NoWayIn,
}

/// The outcome of switching sign-in by password on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchPasswordSignInOutcome {
    /// It is stored, or was so before.
    Switched,
    /// There is no such company.
    CompanyUnknown,
    /// Users could no longer sign in.
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

/// Stores the providers of companies, and the domains that the operator allows companies to use.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait CompanyProviderStore: Send + Sync {
    /// The providers of a company, the oldest first.
    async fn company_providers(
        &self,
        company: CompanyId,
    ) -> Result<Vec<CompanyProvider>, StoreError>;

    /// A provider with its secret, for signing in. `None` for a company that is being deleted.
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

    /// Switches sign-in by password on or off for the author's company. It can be switched off only if there [is
    /// another way in](crate::access::has_way_in). Concurrent changes of providers are taken into account.
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

    /// Allows the author's company to use a domain. A company may have `max` domains. Allowing a domain again changes
    /// nothing.
    async fn allow_oidc_domain(
        &self,
        by: Author,
        domain: String,
        max: usize,
        at: Timestamp,
    ) -> Result<AllowDomainOutcome, StoreError>;

    /// Withdraws a domain from the company that may use it; false when none may. A provider without a domain vouches
    /// for every email. So a provider that loses its last domain no longer creates users, and no longer trusts emails
    /// that it has not verified.
    async fn forbid_oidc_domain(&self, domain: String, at: Timestamp) -> Result<bool, StoreError>;
}
