//! Whether users can sign in without passwords.

use contact_hub_domain::access::{CompanyProvider, WayIn, keeps_way_in};
use contact_hub_domain::ids::{CompanyId, OidcProviderId};

use crate::access::lock::ask;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

/// Whether users of a locked company still have a way in after one of its providers is replaced, or deleted without a
/// replacement.
pub(super) fn stay(
    connection: &mut Connection,
    company: CompanyId,
    before: &[CompanyProvider],
    id: OidcProviderId,
    replacement: Option<&CompanyProvider>,
) -> Result<bool, Failure> {
    let text = "SELECT password_sign_in AS yes FROM companies WHERE id = ?";
    if ask(connection, statement(text).bind(company))? {
        return Ok(true);
    }
    let others = before.iter().filter(|provider| provider.id != id);
    let after: Vec<CompanyProvider> = others.chain(replacement).cloned().collect();
    Ok(keeps_way_in(&ways_in(connection, before)?, &ways_in(connection, &after)?))
}

/// Providers, of which a company has few, as ways in.
pub(super) fn ways_in(
    connection: &mut Connection,
    providers: &[CompanyProvider],
) -> Result<Vec<WayIn>, Failure> {
    let text =
        "SELECT EXISTS (SELECT 1 FROM oidc_subjects WHERE provider = ? AND issuer = ?) AS yes";
    let mut ways_in = Vec::with_capacity(providers.len());
    for provider in providers {
        let known = statement(text).bind(provider.id.to_string()).bind(provider.issuer.as_str());
        let works = ask(connection, known)?;
        ways_in.push(WayIn { works, has_domains: !provider.domains.is_empty() });
    }
    Ok(ways_in)
}
