//! The identifiers by which identity providers know users.

use diesel::QueryableByName;
use diesel::sql_types::Text;

use contact_hub_domain::access::{OidcPerson, OidcSubject, User};
use contact_hub_domain::email::Email;
use contact_hub_domain::ids::UserId;
use contact_hub_domain::time::Timestamp;

use crate::access::lock::of_company;
use crate::access::rows::{USER, UserRow};
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

#[derive(QueryableByName)]
struct SubjectUserRow {
    #[diesel(sql_type = Id)]
    user_id: IdValue,
}

#[derive(QueryableByName)]
struct ProviderRow {
    #[diesel(sql_type = Text)]
    provider: String,
}

/// The user whom a provider knows by this identifier.
pub(super) fn user_of(
    connection: &mut Connection,
    OidcSubject { provider, issuer, subject }: &OidcSubject,
) -> Result<Option<UserId>, Failure> {
    let text =
        "SELECT user_id FROM oidc_subjects WHERE provider = ? AND issuer = ? AND subject = ?";
    let select =
        statement(text).bind(provider.as_str()).bind(issuer.as_str()).bind(subject.as_str());
    let row: Option<SubjectUserRow> = connection.first(select)?;
    Ok(row.map(|row| UserId::new(row.user_id.0)))
}

/// The keys of the providers that know a user.
pub(super) fn providers_of(
    connection: &mut Connection,
    user: UserId,
) -> Result<Vec<String>, Failure> {
    let text = "SELECT DISTINCT provider FROM oidc_subjects WHERE user_id = ? ORDER BY provider";
    let rows: Vec<ProviderRow> = connection.rows(statement(text).bind(user))?;
    Ok(rows.into_iter().map(|row| row.provider).collect())
}

/// The oldest user with the person's email, of the provider's company if it has one, or else of the company that has the
/// email's domain.
pub(super) fn user_with_email(
    connection: &mut Connection,
    person: &OidcPerson,
) -> Result<Option<User>, Failure> {
    let Some(email) = &person.email else { return Ok(None) };
    let select = sql!(
        "SELECT {} FROM users JOIN companies ON companies.id = users.company_id WHERE users.email_identity = ? \
         AND companies.deleting_since IS NULL{}{} ORDER BY users.created_at, users.id LIMIT 1",
        USER,
        of_company("users.company_id", person.company),
        person.company.is_none().then(|| of_owner(email))
    );
    let row = connection.first::<UserRow>(select.bind(email.identity()))?;
    Ok(row.map(UserRow::into_user))
}

/// A condition that leaves out users of other companies than the one that has the domain of an email: anybody who manages
/// access somewhere can create a user with a foreign email there.
fn of_owner(email: &Email) -> Statement {
    let text = " AND NOT EXISTS (SELECT 1 FROM oidc_domains WHERE oidc_domains.domain = ? \
         AND oidc_domains.company_id <> users.company_id)";
    statement(text).bind(email.domain())
}

/// Stores the identifier of a locked user; false when the provider already knows the user, or knows another user by it.
pub(super) fn link(
    connection: &mut Connection,
    OidcSubject { provider, issuer, subject }: &OidcSubject,
    user: UserId,
    at: Timestamp,
) -> Result<bool, Failure> {
    let text = "INSERT INTO oidc_subjects (provider, issuer, subject, user_id, linked_at) VALUES (?, ?, ?, ?, ?) \
         ON CONFLICT DO NOTHING";
    let insert = statement(text)
        .bind(provider.as_str())
        .bind(issuer.as_str())
        .bind(subject.as_str())
        .bind(user)
        .bind(at);
    Ok(connection.execute(insert)? == 1)
}
