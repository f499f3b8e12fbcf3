//! The secrets of two-step verification and the hashes of recovery codes.

use diesel::QueryableByName;
use diesel::sql_types::BigInt;

use contact_hub_domain::access::{NewTwoStep, Proof, TokenHash, TwoStepState};
use contact_hub_domain::ids::{UserId, WebhookSecretId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::Sealed;

use crate::columns::{Moment, MomentValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::sealed::SealedRow;
use crate::statement::statement;

#[derive(QueryableByName)]
struct StateRow {
    #[diesel(sql_type = Moment)]
    since: MomentValue,
    #[diesel(sql_type = BigInt)]
    codes: i64,
}

pub(super) fn secret(
    connection: &mut Connection,
    user: UserId,
) -> Result<Option<(WebhookSecretId, Sealed)>, Failure> {
    let text = "SELECT secret_id, key_id, sealed FROM two_step WHERE user_id = ?";
    let row: Option<SealedRow> = connection.first(statement(text).bind(user))?;
    Ok(row.map(SealedRow::into_sealed))
}

pub(super) fn state(
    connection: &mut Connection,
    user: UserId,
) -> Result<Option<TwoStepState>, Failure> {
    let text = "SELECT since, (SELECT COUNT(*) FROM recovery_codes WHERE recovery_codes.user_id = two_step.user_id) \
         AS codes FROM two_step WHERE user_id = ?";
    let row: Option<StateRow> = connection.first(statement(text).bind(user))?;
    Ok(row.map(|row| TwoStepState {
        since: row.since.0,
        codes: usize::try_from(row.codes).unwrap_or_default(),
    }))
}

/// Turns it on for a locked user; false when it is on already.
pub(super) fn insert(
    connection: &mut Connection,
    new: &NewTwoStep,
    at: Timestamp,
) -> Result<bool, Failure> {
    let text = "INSERT INTO two_step (user_id, secret_id, key_id, sealed, last_step, since) VALUES (?, ?, ?, ?, ?, ?) \
         ON CONFLICT (user_id) DO NOTHING";
    let insert = statement(text)
        .bind(new.user)
        .bind(new.secret_id)
        .bind(new.sealed.key_id.as_str())
        .bind(new.sealed.bytes.as_slice())
        .bind(new.step)
        .bind(at);
    if connection.execute(insert)? == 0 {
        return Ok(false);
    }
    replace_codes(connection, new.user, &new.codes)?;
    Ok(true)
}

/// Replaces the recovery codes of a locked user.
pub(super) fn replace_codes(
    connection: &mut Connection,
    user: UserId,
    codes: &[TokenHash],
) -> Result<(), Failure> {
    delete_codes(connection, user)?;
    for code in codes {
        let text = "INSERT INTO recovery_codes (user_id, code_hash) VALUES (?, ?)";
        let insert = statement(text).bind(user).bind(code.bytes().as_slice());
        connection.execute(insert)?;
    }
    Ok(())
}

fn delete_codes(connection: &mut Connection, user: UserId) -> Result<(), Failure> {
    connection.execute(statement("DELETE FROM recovery_codes WHERE user_id = ?").bind(user))?;
    Ok(())
}

/// Uses up a proof; false when it was used before or is unknown. Only one transaction can change the row.
pub(super) fn use_up(
    connection: &mut Connection,
    user: UserId,
    proof: Proof,
) -> Result<bool, Failure> {
    let use_up = match proof {
        Proof::Step(step) => {
            let text = "UPDATE two_step SET last_step = ? WHERE user_id = ? AND last_step < ?";
            statement(text).bind(step).bind(user).bind(step)
        }
        Proof::Recovery(hash) => {
            let text = "DELETE FROM recovery_codes WHERE user_id = ? AND code_hash = ?";
            statement(text).bind(user).bind(hash.bytes().as_slice())
        }
    };
    Ok(connection.execute(use_up)? == 1)
}

/// Turns it off for a locked user, and returns whether it was on.
pub(super) fn delete(connection: &mut Connection, user: UserId) -> Result<bool, Failure> {
    delete_codes(connection, user)?;
    let delete = statement("DELETE FROM two_step WHERE user_id = ?").bind(user);
    Ok(connection.execute(delete)? == 1)
}
