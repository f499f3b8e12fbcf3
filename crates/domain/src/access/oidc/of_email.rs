//! Finds the provider for an email.

use std::net::IpAddr;

use super::OidcError;
use super::begin::provider_with;
use crate::access::attempt::Attempt;
use crate::context::AccessPorts;
use crate::email::Email;
use crate::input::FromText;

/// The provider that has the domain of this email: its key and name. The answer reveals nothing about users. A domain
/// without a provider counts as a failed attempt to sign in.
pub async fn oidc_provider_of_email(
    ports: &AccessPorts,
    email: &str,
    address: IpAddr,
) -> Result<Option<(String, String)>, OidcError> {
    let Ok(email) = Email::from_text(email) else { return Ok(None) };
    let attempt = Attempt::from(ports, address).await?;
    let domain = email.domain().to_owned();
    let Some(id) = ports.oidc.company_providers.provider_of_domain(domain).await? else {
        return Ok(None);
    };
    let key = id.to_string();
    match provider_with(ports, &key).await {
        Ok(provider) => {
            attempt.succeeded();
            Ok(Some((key, provider.name)))
        }
        Err(OidcError::UnknownProvider) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether any company has a provider for the emails of a domain.
pub async fn has_company_oidc_providers(ports: &AccessPorts) -> Result<bool, OidcError> {
    Ok(ports.oidc.company_providers.has_company_providers().await?)
}
