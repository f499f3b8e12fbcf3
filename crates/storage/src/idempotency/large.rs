//! Bounds the large answers that are kept for a company.
//!
//! When a company has too many, a further large answer is kept without its bytes. Rejecting the call would stop an
//! import in the middle, and dropping an older answer would let its call be executed a second time.

use std::borrow::Cow;

use diesel::QueryableByName;
use diesel::sql_types::BigInt;

use contact_hub_domain::idempotency::{KeptAnswer, KeyedCall};

use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

/// An answer of more bytes is large. That of a bulk is, if about a hundred of its rows are rejected.
const LARGE: usize = 16 << 10;

/// The maximum number of bytes that the large answers of a company have together.
const MAX: i64 = 1 << 30;

#[derive(QueryableByName)]
struct Sum {
    #[diesel(sql_type = BigInt)]
    size: i64,
}

/// The bytes of a large answer. One with a secret is small.
pub(super) fn size(answer: &KeptAnswer) -> Option<i32> {
    match answer {
        KeptAnswer::Plain(bytes) if bytes.len() > LARGE => i32::try_from(bytes.len()).ok(),
        KeptAnswer::Plain(_) | KeptAnswer::Sealed(..) => None,
    }
}

/// The answers of calls of one company as they are kept: the large ones without their bytes, if there is no room.
pub(super) fn bounded<'a, 'b>(
    connection: &mut Connection,
    answers: &'a [(&'b KeyedCall, KeptAnswer)],
) -> Result<Cow<'a, [(&'b KeyedCall, KeptAnswer)]>, Failure> {
    let more: i64 = answers.iter().filter_map(|(_, answer)| size(answer).map(i64::from)).sum();
    let Some((first, _)) = answers.first().filter(|_| more > 0) else {
        return Ok(Cow::Borrowed(answers));
    };
    let text = "SELECT COALESCE(sum(large_size), 0) AS size FROM kept_answers \
         WHERE company_id = ? AND large_size IS NOT NULL";
    let kept: Option<Sum> = connection.first(statement(text).bind(first.company))?;
    if kept.is_none_or(|kept| kept.size.saturating_add(more) <= MAX) {
        return Ok(Cow::Borrowed(answers));
    }
    tracing::warn!(company = %first.company, "large answers of calls with a key are kept without their bytes");
    let without = |(call, answer): &(&'b KeyedCall, KeptAnswer)| {
        let is_large = size(answer).is_some();
        (*call, if is_large { KeptAnswer::Plain(Vec::new()) } else { answer.clone() })
    };
    Ok(Cow::Owned(answers.iter().map(without).collect()))
}
