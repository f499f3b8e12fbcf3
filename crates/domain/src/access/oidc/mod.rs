//! Sign-in by identity providers, with `OpenID` Connect.
//!
//! A provider is set by the operator, or by a company for its own users. [`begin_oidc()`] sends a browser to the
//! provider, and [`finish_oidc()`] handles the answer with which the browser comes back. The store then finds the user
//! by the provider's identifier of the person, or the first time by email.
//!
//! One secret in a cookie of the browser binds both: the state, the nonce and the code verifier are derived from it. So an
//! answer that another browser got is rejected here, and the store keeps only a hash.

mod attempt;
mod begin;
mod client_port;
mod company_port;
mod company_provider;
mod confirming;
mod domains;
mod error;
mod failures;
mod finish;
mod groups;
mod manage;
mod of_email;
mod provider;
mod secret;
mod store_port;

pub use attempt::{MAX_OIDC_NEXT, OIDC_ATTEMPTS, OIDC_SECONDS, OidcAttempt};
pub use begin::{OidcBegun, OidcPurpose, begin_oidc};
#[cfg(any(test, feature = "mocks"))]
pub use client_port::MockOidcClient;
pub use client_port::{OidcClaims, OidcClient, OidcClientError, OidcGrant, OidcRequest};
#[cfg(any(test, feature = "mocks"))]
pub use company_port::MockCompanyProviderStore;
pub use company_port::{
    AllowDomainOutcome, CompanyProviderStore, DeleteProviderOutcome, SaveProviderOutcome,
    SealedSecret, SwitchPasswordSignInOutcome,
};
pub use company_provider::{
    CompanyProvider, MAX_COMPANY_PROVIDERS, MAX_OIDC_DOMAINS, MAX_OIDC_SCOPES, OidcClaim,
    OidcClientId, OidcClientSecret, OidcDomain, OidcGroup, OidcName, OidcProviderDraft, OidcRules,
    OidcScope,
};
pub use confirming::linked_oidc_providers;
pub use domains::{SignOnDomains, allow_oidc_domain, forbid_oidc_domain};
pub use error::{OidcError, OidcRefusal};
pub use finish::{OidcAnswer, OidcFinished, finish_oidc};
pub use groups::{GroupPermissions, MAX_GROUPS};
pub use manage::{
    change_oidc_provider, create_oidc_provider, delete_oidc_provider, list_oidc_domains,
    list_oidc_providers, oidc_providers_of_company, read_oidc_provider,
};
pub use of_email::{has_company_oidc_providers, oidc_provider_of_email};
pub use provider::{MAX_PROVIDER_KEY, OidcPorts, OidcProvider, ProviderKey};
#[cfg(any(test, feature = "mocks"))]
pub use store_port::MockOidcStore;
pub use store_port::{OidcPerson, OidcSignIn, OidcSignInOutcome, OidcStore, OidcSubject};
