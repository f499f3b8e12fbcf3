//! Sign-in by identity providers.
//!
//! A link leads to a provider, not a form: the policy of the pages allows forms to be sent only to this service, even
//! through a redirect.

pub(crate) mod by_domain;
pub(crate) mod callback;
pub(crate) mod change;
pub(crate) mod create;
mod failed;
pub(crate) mod passwords;
mod provider_form;
pub(crate) mod providers;
pub(crate) mod start;

use actix_web::HttpRequest;

use contact_hub_domain::access::{self, OidcError, SessionHolder};
use contact_hub_domain::ids::CompanyId;

use super::passkeys::are_on;
use crate::error::{ApiError, Code};
use crate::pages::address::Address;
use crate::pages::csrf;
use crate::state::WebState;

/// A link that leads to a provider.
pub(crate) struct ProviderLink {
    pub(crate) href: String,
    pub(crate) name: String,
}

/// The links to the operator's providers.
pub(super) fn provider_links(state: &WebState, next: &str) -> Vec<ProviderLink> {
    let providers = state.ports.access.oidc.providers.iter();
    let link = |key: &str| continuing(&format!("/sign-in/oidc/{key}"), next);
    providers
        .map(|provider| ProviderLink {
            href: link(provider.key.as_str()),
            name: provider.name.clone(),
        })
        .collect()
}

/// The links to the providers of a company.
pub(super) async fn company_links(
    state: &WebState,
    company: CompanyId,
    next: &str,
) -> Result<Vec<ProviderLink>, ApiError> {
    let providers = access::oidc_providers_of_company(&state.ports.access, company).await?;
    let link = |(key, name): (String, String)| ProviderLink {
        href: continuing(&format!("/sign-in/oidc/{key}"), next),
        name,
    };
    Ok(providers.into_iter().map(link).collect())
}

/// Whether the domain of an email may lead to a provider of a company.
pub(super) async fn has_company_providers(state: &WebState) -> Result<bool, ApiError> {
    match access::has_company_oidc_providers(&state.ports.access).await {
        Ok(has) => Ok(has),
        Err(error) => Err(of_store(error)),
    }
}

/// Rejects requests that are not a person's visit. Each visit counts as an attempt to sign in, so a page of another
/// site that embeds this address as many images would keep the people of a network from signing in.
fn require_visit(request: &HttpRequest) -> Result<(), ApiError> {
    if csrf::is_visit(request) { Ok(()) } else { Err(Code::AccessDenied.into()) }
}

/// The error of a use case that fails only if the store fails.
fn of_store(error: OidcError) -> ApiError {
    match error {
        OidcError::Access(error) => error.into(),
        _ => Code::InternalError.into(),
    }
}

/// The link by which somebody without a password and an app confirms who they are, and comes back; `None` for others.
pub(crate) async fn confirming_provider(
    state: &WebState,
    holder: &SessionHolder,
    back: &str,
) -> Result<Option<ProviderLink>, ApiError> {
    let has_usable_passkey = holder.has_passkey && are_on(state);
    if holder.has_password || holder.has_two_step || has_usable_passkey {
        return Ok(None);
    }
    let linked = linked_providers(state, holder).await?;
    Ok(linked.into_iter().next().map(|(key, name)| ProviderLink {
        href: continuing(&format!("/account/confirm/{key}"), back),
        name,
    }))
}

/// The providers by which somebody signs in: their keys and names.
pub(crate) async fn linked_providers(
    state: &WebState,
    holder: &SessionHolder,
) -> Result<Vec<(String, String)>, ApiError> {
    let linked = access::linked_oidc_providers(&state.ports.access, holder.session.user_id);
    linked.await.map_err(of_store)
}

/// The address of a page that continues to another one.
fn continuing(path: &str, next: &str) -> String {
    match next {
        "/" => path.to_owned(),
        next => Address::default().with("next", next).href(path),
    }
}
