//! The providers that companies set.

use contact_hub_domain::access::{
    CompanyProvider, DeleteProviderOutcome, SaveProviderOutcome, SealedSecret,
};
use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::ids::{CompanyId, OidcProviderId};
use contact_hub_domain::time::Timestamp;

use super::provider_rows::{PROVIDER, ProviderRow, SecretProviderRow, write_groups, write_scopes};
use super::{domains, ways_in};
use crate::audit;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::room::{count_up_to, lock_company};
use crate::statement::{sql, statement};

/// The providers of a company, with their domains.
pub(super) fn of_company(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<Vec<CompanyProvider>, Failure> {
    let select = sql!(
        "SELECT {} FROM oidc_providers WHERE company_id = ? ORDER BY created_at, id",
        PROVIDER
    );
    let rows: Vec<ProviderRow> = connection.rows(select.bind(company))?;
    let domains = domains::of_company(connection, company)?;
    let with_domains = |row: ProviderRow| {
        let provider = row.into_provider()?;
        let own = domains.iter().filter(|domain| domain.is_of(provider.id));
        let domains = own.map(|domain| domain.domain.clone()).collect();
        Ok(CompanyProvider { domains, ..provider })
    };
    rows.into_iter().map(with_domains).collect()
}

/// A provider with its secret.
pub(super) fn find(
    connection: &mut Connection,
    id: OidcProviderId,
) -> Result<Option<(CompanyProvider, SealedSecret)>, Failure> {
    let select = sql!(
        "SELECT {}, oidc_providers.secret_id, oidc_providers.key_id, oidc_providers.sealed FROM oidc_providers \
         JOIN companies ON companies.id = oidc_providers.company_id \
         WHERE oidc_providers.id = ? AND companies.deleting_since IS NULL",
        PROVIDER
    );
    let Some(row) = connection.first::<SecretProviderRow>(select.bind(id))? else {
        return Ok(None);
    };
    let (provider, secret) = row.into_provider()?;
    let domains = domains::of_company(connection, provider.company)?;
    let own = domains.into_iter().filter(|domain| domain.is_of(id));
    let domains = own.map(|domain| domain.domain).collect();
    Ok(Some((CompanyProvider { domains, ..provider }, secret)))
}

pub(super) fn create(
    connection: &mut Connection,
    by: &Author,
    provider: &CompanyProvider,
    secret: &SealedSecret,
    max: usize,
) -> Result<Recorded<SaveProviderOutcome>, Failure> {
    if !lock_company(connection, by.company)? {
        return Ok(Recorded::unchanged(SaveProviderOutcome::NotFound));
    }
    let rows = statement("oidc_providers WHERE company_id = ?").bind(by.company);
    if count_up_to(connection, rows, max)? >= max {
        return Ok(Recorded::unchanged(SaveProviderOutcome::Full));
    }
    if let Some(refused) = domains::assign(connection, provider)? {
        return Ok(Recorded::unchanged(SaveProviderOutcome::DomainRefused(refused)));
    }
    let (secret_id, sealed) = secret;
    let text = "INSERT INTO oidc_providers (id, company_id, name, issuer, client_id, scopes, trusts_emails, \
         creates_users, group_claim, group_permissions, created_at, secret_id, key_id, sealed) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    let insert = statement(text)
        .bind(provider.id)
        .bind(by.company)
        .bind(provider.name.as_str())
        .bind(provider.issuer.as_str())
        .bind(provider.client_id.as_str())
        .bind(write_scopes(&provider.scopes))
        .bind(provider.trusts_emails)
        .bind(provider.creates_users)
        .bind(provider.groups.as_ref().map(|groups| groups.claim.clone()))
        .bind(write_groups(provider.groups.as_ref()))
        .bind(provider.created_at)
        .bind(*secret_id)
        .bind(sealed.key_id.as_str())
        .bind(sealed.bytes.as_slice());
    connection.execute(insert)?;
    let (id, at) = (provider.id.uuid(), provider.created_at);
    let entry = NewAuditEntry::of(by, AuditAction::OidcProviderCreated, id, at).with_new(provider);
    Ok(Recorded::by(audit::append(connection, &entry)?, SaveProviderOutcome::Saved))
}

pub(super) fn change(
    connection: &mut Connection,
    by: &Author,
    provider: &CompanyProvider,
    secret: Option<&SealedSecret>,
    at: Timestamp,
) -> Result<Recorded<SaveProviderOutcome>, Failure> {
    if !lock_company(connection, by.company)? {
        return Ok(Recorded::unchanged(SaveProviderOutcome::NotFound));
    }
    let known = of_company(connection, by.company)?;
    let before = known.iter().find(|known| known.id == provider.id);
    // The issuer may have been changed in the meantime; a secret is only used for the issuer for which it was given.
    let before = before.filter(|before| secret.is_some() || before.issuer == provider.issuer);
    let Some(before) = before else {
        return Ok(Recorded::unchanged(SaveProviderOutcome::NotFound));
    };
    if !ways_in::stay(connection, by.company, &known, provider.id, Some(provider))? {
        return Ok(Recorded::unchanged(SaveProviderOutcome::NoWayIn));
    }
    if let Some(refused) = domains::assign(connection, provider)? {
        return Ok(Recorded::unchanged(SaveProviderOutcome::DomainRefused(refused)));
    }
    let text = "UPDATE oidc_providers SET name = ?, issuer = ?, client_id = ?, scopes = ?, trusts_emails = ?, \
         creates_users = ?, group_claim = ?, group_permissions = ? WHERE id = ?";
    let update = statement(text)
        .bind(provider.name.as_str())
        .bind(provider.issuer.as_str())
        .bind(provider.client_id.as_str())
        .bind(write_scopes(&provider.scopes))
        .bind(provider.trusts_emails)
        .bind(provider.creates_users)
        .bind(provider.groups.as_ref().map(|groups| groups.claim.clone()))
        .bind(write_groups(provider.groups.as_ref()))
        .bind(provider.id);
    connection.execute(update)?;
    if let Some((secret_id, sealed)) = secret {
        let text = "UPDATE oidc_providers SET secret_id = ?, key_id = ?, sealed = ? WHERE id = ?";
        let update = statement(text)
            .bind(*secret_id)
            .bind(sealed.key_id.as_str())
            .bind(sealed.bytes.as_slice())
            .bind(provider.id);
        connection.execute(update)?;
    }
    let entry = NewAuditEntry::of(by, AuditAction::OidcProviderUpdated, provider.id.uuid(), at);
    let entry = entry.with_changes(before, provider);
    Ok(Recorded::by(audit::append(connection, &entry)?, SaveProviderOutcome::Saved))
}

pub(super) fn delete(
    connection: &mut Connection,
    by: &Author,
    id: OidcProviderId,
    at: Timestamp,
) -> Result<Recorded<DeleteProviderOutcome>, Failure> {
    if !lock_company(connection, by.company)? {
        return Ok(Recorded::unchanged(DeleteProviderOutcome::NotFound));
    }
    let known = of_company(connection, by.company)?;
    let Some(before) = known.iter().find(|known| known.id == id) else {
        return Ok(Recorded::unchanged(DeleteProviderOutcome::NotFound));
    };
    if !ways_in::stay(connection, by.company, &known, id, None)? {
        return Ok(Recorded::unchanged(DeleteProviderOutcome::NoWayIn));
    }
    domains::release(connection, by.company, id)?;
    let names = "DELETE FROM oidc_subjects WHERE provider = ?";
    connection.execute(statement(names).bind(id.to_string()))?;
    let delete = statement("DELETE FROM oidc_providers WHERE id = ?").bind(id);
    connection.execute(delete)?;
    let entry = NewAuditEntry::of(by, AuditAction::OidcProviderDeleted, id.uuid(), at);
    let entry = entry.with_old(before);
    Ok(Recorded::by(audit::append(connection, &entry)?, DeleteProviderOutcome::Deleted))
}

/// Withdraws a domain from its company, and from the provider that has it.
pub(super) fn forbid_domain(
    connection: &mut Connection,
    domain: &str,
    at: Timestamp,
) -> Result<Recorded<bool>, Failure> {
    let Some(company) = domains::owner(connection, domain)? else {
        return Ok(Recorded::unchanged(false));
    };
    lock_company(connection, company)?;
    let by = Author::from(company);
    let (providers, before) =
        (of_company(connection, company)?, domains::allowed(connection, company)?);
    if !domains::forbid(connection, company, domain)? {
        return Ok(Recorded::unchanged(false));
    }
    let mut entries = vec![domains::change(connection, &by, &before, at)?];
    let has_it = |it: &CompanyProvider| it.domains.iter().any(|own| own == domain);
    if let Some(before) = providers.into_iter().find(has_it) {
        entries.push(without_domain(connection, &by, &before, domain, at)?);
    }
    Ok(Recorded::by(audit::append_all(connection, company, &entries)?, true))
}

/// The entry of a provider that has lost a domain. A provider that has lost its last one is changed, because a provider
/// without a domain vouches for every email.
fn without_domain(
    connection: &mut Connection,
    by: &Author,
    before: &CompanyProvider,
    domain: &str,
    at: Timestamp,
) -> Result<NewAuditEntry, Failure> {
    let mut after = before.clone();
    after.domains.retain(|own| own != domain);
    if after.domains.is_empty() {
        (after.creates_users, after.trusts_emails) = (false, false);
        let text = "UPDATE oidc_providers SET creates_users = ?, trusts_emails = ? WHERE id = ?";
        connection.execute(statement(text).bind(false).bind(false).bind(after.id))?;
    }
    let entry = NewAuditEntry::of(by, AuditAction::OidcProviderUpdated, after.id.uuid(), at);
    Ok(entry.with_changes(before, &after))
}
