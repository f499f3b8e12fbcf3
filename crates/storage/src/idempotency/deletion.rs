//! Deletes kept answers in batches that are short, however large the answers are and however many there are.

use contact_hub_domain::ids::{CompanyId, UserId};
use contact_hub_domain::time::Timestamp;

use crate::Storage;
use crate::connection::Connection;
use crate::expiry::BATCH;
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};
use crate::units::Writing;

/// The size of the answers from which a batch takes no more. SQLite overwrites the bytes of what it deletes, and meanwhile
/// nobody else writes.
const MAX_BYTES: i64 = 4 << 20;

/// Deletes a company's oldest answers that were kept until a moment, at most this many; returns how many there were. An
/// answer expires at the end of its time, not after it.
pub(crate) fn delete_old_answers(
    connection: &mut Connection,
    company: CompanyId,
    until: Timestamp,
    limit: u32,
) -> Result<usize, Failure> {
    let old = statement("kept_at <= ? ORDER BY kept_at").bind(until);
    delete_some(connection, company, &old, limit)
}

/// Deletes a batch of the answers of a user; returns how many there were.
pub(crate) fn delete_answers_of(
    connection: &mut Connection,
    company: CompanyId,
    user: UserId,
) -> Result<usize, Failure> {
    let of_user = statement("user_id = ? ORDER BY key").bind(user);
    delete_some(connection, company, &of_user, BATCH)
}

fn delete_some(
    connection: &mut Connection,
    company: CompanyId,
    which: &Statement,
    limit: u32,
) -> Result<usize, Failure> {
    let chosen = sql!(
        "SELECT user_id, key, length(answer) AS bytes FROM kept_answers WHERE company_id = ? AND {} LIMIT ?",
        which,
    );
    let chosen = chosen.bind(company).bind(i64::from(limit));
    let delete = sql!(
        "DELETE FROM kept_answers WHERE company_id = ? AND (user_id, key) IN (SELECT user_id, key FROM \
         (SELECT user_id, key, sum(bytes) OVER (ROWS UNBOUNDED PRECEDING) - bytes AS bytes_before FROM ({}) AS chosen) \
         AS summed WHERE bytes_before < ?)",
        chosen,
    );
    Ok(connection.execute(delete.bind(company).bind(MAX_BYTES))?)
}

impl Storage {
    /// Deletes the rest of the answers of a user, in the background. What remains when the process ends expires.
    pub(crate) fn delete_rest_of_answers(&self, company: CompanyId, user: UserId) {
        let storage = self.beside_calls();
        let batch = move |connection: &mut Connection| delete_answers_of(connection, company, user);
        self.dispatch().runtime.spawn(async move {
            let deleted = storage.delete_in_batches(Writing::For(company), batch).await;
            if let Err(error) = deleted {
                tracing::warn!(%error, %user, "answers of a deleted user remain until they expire");
            }
        });
    }
}
