//! The hashes of blocked emails, and their sealed key.

use diesel::QueryableByName;
use diesel::sql_types::Binary;

use contact_hub_domain::contacts::EmailDigest;
use contact_hub_domain::ids::{CompanyId, WebhookSecretId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::webhooks::Sealed;

use crate::Storage;
use crate::connection::Connection;
use crate::dialect::Source;
use crate::failure::Failure;
use crate::paged::total;
use crate::sealed::SealedRow;
use crate::statement::{sql, statement};

#[derive(QueryableByName)]
struct DigestRow {
    #[diesel(sql_type = Binary)]
    digest: Vec<u8>,
}

pub(super) fn block(
    connection: &mut Connection,
    company: CompanyId,
    digest: &EmailDigest,
) -> Result<(), Failure> {
    let text =
        "INSERT INTO blocked_emails (company_id, digest) VALUES (?, ?) ON CONFLICT DO NOTHING";
    connection.execute(statement(text).bind(company).bind(digest.as_slice()))?;
    Ok(())
}

pub(super) fn unblock(
    connection: &mut Connection,
    company: CompanyId,
    digest: &EmailDigest,
) -> Result<(), Failure> {
    let text = "DELETE FROM blocked_emails WHERE company_id = ? AND digest = ?";
    connection.execute(statement(text).bind(company).bind(digest.as_slice()))?;
    Ok(())
}

/// Which of these hashes are blocked.
pub(super) fn blocked(
    connection: &mut Connection,
    company: CompanyId,
    digests: &[EmailDigest],
) -> Result<Vec<EmailDigest>, Failure> {
    let source = Source::of(digests).blobs("digest", |digest| digest.to_vec());
    let select = sql!(
        "SELECT digest FROM blocked_emails WHERE company_id = ? AND digest IN (SELECT digest FROM {})",
        source.table(connection)
    );
    let rows: Vec<DigestRow> = connection.rows(select.bind(company))?;
    let digest = |row: DigestRow| row.digest.try_into();
    let digests = rows.into_iter().map(digest).collect::<Result<_, _>>();
    digests.map_err(|_other_length| Failure::Corrupt("blocked_emails.digest".to_owned()))
}

/// Fails if one of these identities, which the transaction has just written, is blocked. If the company has no erased
/// person, none is blocked.
///
/// The use case looked before, but the person may have been erased since. This statement sees that: the write of the
/// identity waited for the erasure, if there was one in progress.
pub(super) fn refuse_blocked<'a>(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    identities: impl Iterator<Item = &'a str>,
) -> Result<(), Failure> {
    let any = statement(
        "SELECT count(*) AS total FROM (SELECT 1 FROM blocked_emails WHERE company_id = ? LIMIT 1) AS any_of_them",
    );
    if total(connection, any.bind(company))? == 0 {
        return Ok(());
    }
    // Another instance has blocked the first email, and no use case of this one has looked since.
    let key = storage.known_block_key().get().ok_or(Failure::Blocked)?;
    let digests: Vec<EmailDigest> = identities.map(|it| key.digest(company, it)).collect();
    if blocked(connection, company, &digests)?.is_empty() { Ok(()) } else { Err(Failure::Blocked) }
}

/// The outcome of a write. If it found an email that may be blocked, it was rolled back, and the outcome is `blocked`.
pub(super) fn unless_blocked<T>(
    written: Result<T, StoreError>,
    blocked: impl FnOnce() -> T,
) -> Result<T, StoreError> {
    match written {
        Err(error) if Failure::is_blocked(&error) => Ok(blocked()),
        written => written,
    }
}

/// The sealed key.
pub(super) fn key(
    connection: &mut Connection,
) -> Result<Option<(WebhookSecretId, Sealed)>, Failure> {
    let text = "SELECT secret_id, key_id, sealed FROM blocked_email_key WHERE id = 1";
    let row: Option<SealedRow> = connection.first(statement(text))?;
    Ok(row.map(SealedRow::into_sealed))
}

/// Stores the key unless there is one.
pub(super) fn keep_key(
    connection: &mut Connection,
    id: WebhookSecretId,
    sealed: &Sealed,
) -> Result<(), Failure> {
    let text = "INSERT INTO blocked_email_key (id, secret_id, key_id, sealed) VALUES (1, ?, ?, ?) \
         ON CONFLICT DO NOTHING";
    let insert = statement(text).bind(id).bind(sealed.key_id.as_str());
    connection.execute(insert.bind(sealed.bytes.as_slice()))?;
    Ok(())
}
