//! The providers that a company sets for its users.

use super::company_provider::ValidProvider;
use super::{
    CompanyProvider, DeleteProviderOutcome, MAX_COMPANY_PROVIDERS, OidcProviderDraft,
    SaveProviderOutcome, SealedSecret,
};
use crate::access::AccessError;
use crate::context::{AccessPorts, Context};
use crate::ids::{CompanyId, OidcProviderId, WebhookSecretId};
use crate::limits::exceeded;
use crate::ports::StoreError;
use crate::violations::{Problem, Violations};
use crate::webhooks::Secret;

/// The providers of the caller's company, the oldest first.
pub async fn list_oidc_providers(
    cx: &Context<'_, AccessPorts>,
) -> Result<Vec<CompanyProvider>, AccessError> {
    Ok(cx.ports.oidc.company_providers.company_providers(cx.caller.company.id).await?)
}

/// The providers of a company, by which its users sign in: their keys and names.
pub async fn oidc_providers_of_company(
    ports: &AccessPorts,
    company: CompanyId,
) -> Result<Vec<(String, String)>, AccessError> {
    let providers = ports.oidc.company_providers.company_providers(company).await?;
    Ok(providers.into_iter().map(|provider| (provider.id.to_string(), provider.name)).collect())
}

/// A provider of the caller's company.
pub async fn read_oidc_provider(
    cx: &Context<'_, AccessPorts>,
    id: OidcProviderId,
) -> Result<CompanyProvider, AccessError> {
    let providers = list_oidc_providers(cx).await?;
    let found = providers.into_iter().find(|provider| provider.id == id);
    found.ok_or(AccessError::OidcProviderNotFound)
}

/// The domains of emails that the operator allows the caller's company.
pub async fn list_oidc_domains(cx: &Context<'_, AccessPorts>) -> Result<Vec<String>, AccessError> {
    Ok(cx.ports.oidc.company_providers.oidc_domains(cx.caller.company.id).await?)
}

/// Creates a provider of the caller's company, which has at most [`MAX_COMPANY_PROVIDERS`].
pub async fn create_oidc_provider(
    cx: &Context<'_, AccessPorts>,
    draft: &OidcProviderDraft,
) -> Result<CompanyProvider, AccessError> {
    let id = OidcProviderId::new(cx.ports.environment.ids.next());
    let now = cx.ports.environment.clock.now();
    let policy = &cx.ports.oidc.url_policy;
    let ValidProvider { provider, secret } =
        draft.validate((id, cx.caller.company.id), now, policy)?;
    let secret = secret.map(|secret| sealed(cx.ports, &secret)).transpose()?;
    let secret = secret.ok_or_else(|| Violations::one("client_secret", required()))?;
    let store = &cx.ports.oidc.company_providers;
    let max = MAX_COMPANY_PROVIDERS;
    saved(store.create_company_provider(cx.author(), provider.clone(), secret, max).await?)?;
    Ok(provider)
}

/// Changes a provider of the caller's company. Without a secret it keeps its own.
pub async fn change_oidc_provider(
    cx: &Context<'_, AccessPorts>,
    id: OidcProviderId,
    draft: &OidcProviderDraft,
) -> Result<CompanyProvider, AccessError> {
    let before = read_oidc_provider(cx, id).await?;
    let ValidProvider { provider, secret } =
        draft.validate_change(&before, &cx.ports.oidc.url_policy)?;
    let secret = secret.map(|secret| sealed(cx.ports, &secret)).transpose()?;
    let now = cx.ports.environment.clock.now();
    let store = &cx.ports.oidc.company_providers;
    let outcome = store.change_company_provider(cx.author(), provider.clone(), secret, now).await?;
    if outcome == SaveProviderOutcome::NoWayIn {
        let moved = before.issuer != provider.issuer;
        return Err(no_way_in(if moved { "issuer" } else { "domains" }).into());
    }
    saved(outcome)?;
    Ok(provider)
}

/// Deletes a provider of the caller's company. The users that it knows are kept, and have to sign in another way.
pub async fn delete_oidc_provider(
    cx: &Context<'_, AccessPorts>,
    id: OidcProviderId,
) -> Result<(), AccessError> {
    let now = cx.ports.environment.clock.now();
    let store = &cx.ports.oidc.company_providers;
    match store.delete_company_provider(cx.author(), id, now).await? {
        DeleteProviderOutcome::Deleted => Ok(()),
        DeleteProviderOutcome::NotFound => Err(AccessError::OidcProviderNotFound),
        DeleteProviderOutcome::NoWayIn => Err(no_way_in("provider").into()),
    }
}

/// The violation of a change after which nobody could sign in.
fn no_way_in(path: &'static str) -> Violations {
    let sentence = match path {
        "issuer" => "must stay the same",
        "domains" => "must keep one",
        _ => "is the last one by which your users sign in",
    };
    let sentence = format!("{sentence}, because sign-in by password is off. {REMEDY}");
    Violations::one(path, Problem::new(sentence))
}

/// What to do first.
const REMEDY: &str = "Allow sign-in by password first, or sign in once by another provider";

fn required() -> Problem {
    Problem::new("is required")
}

fn saved(outcome: SaveProviderOutcome) -> Result<(), AccessError> {
    match outcome {
        SaveProviderOutcome::Saved => Ok(()),
        SaveProviderOutcome::NoWayIn => Err(no_way_in("provider").into()),
        SaveProviderOutcome::NotFound => Err(AccessError::OidcProviderNotFound),
        SaveProviderOutcome::Full => {
            let max = MAX_COMPANY_PROVIDERS;
            Err(exceeded("name", "a company", max, "identity provider").into())
        }
        SaveProviderOutcome::DomainRefused(domain) => {
            let sentence = format!(
                "contains {domain}, which your company may not use, or which another provider has: the operator of \
                 this service allows domains"
            );
            Err(Violations::one("domains", Problem::new(sentence)).into())
        }
    }
}

fn sealed(ports: &AccessPorts, secret: &Secret) -> Result<SealedSecret, AccessError> {
    let id = WebhookSecretId::new(ports.environment.ids.next());
    let failed = |error| StoreError::Failed(Box::new(error));
    Ok((id, ports.vault.seal(id, secret).map_err(failed)?))
}
