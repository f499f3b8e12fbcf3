//! Create, restore and update many contacts.

use std::collections::BTreeSet;

use super::validate::blocked;
use super::{ContactDraft, ContactInput, ContactsError, NewContact};
use crate::context::{ContactPorts, Context};
use crate::email::Email;
use crate::fields::Directory;
use crate::ids::ContactId;
use crate::property::Property;
use crate::rules::{count, required, valid};
use crate::violations::{Problem, Violations};

/// The maximum number of rows of one bulk.
pub const MAX_BULK_UPSERT: usize = 1000;

/// The input for a bulk.
#[derive(Clone, Debug, Default, garde::Validate)]
pub struct BulkDraft {
    /// The rows. Each is validated separately.
    #[garde(custom(required), custom(count(1, MAX_BULK_UPSERT, "entries")))]
    pub contacts: Property<Vec<RowDraft>>,
}

/// Whether a bulk is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BulkRun {
    /// It is.
    Written,
    /// Only its outcome is wanted.
    Dry,
}

/// The input for one row.
#[derive(Clone, Debug, Default)]
pub struct RowDraft {
    /// The email as submitted, when it is text.
    pub email: Option<String>,
    /// The contact; `None` when the row is not an object.
    pub contact: Option<Box<ContactDraft>>,
}

impl From<ContactDraft> for RowDraft {
    fn from(contact: ContactDraft) -> Self {
        Self { email: None, contact: Some(Box::new(contact)) }
    }
}

/// A rejected row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FailedRow {
    /// Its position in the request, from 0.
    pub index: usize,
    /// The email as submitted, when it is text.
    pub email: Option<String>,
    /// Its violations, with paths relative to the row.
    pub violations: Violations,
}

/// The outcome of a bulk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BulkResult {
    /// Rows that created or restored a contact.
    pub created: u64,
    /// Rows that updated one, those that changed nothing included.
    pub updated: u64,
    /// Those of the updating rows that changed nothing.
    pub unchanged: u64,
    /// The rejected rows, in their order.
    pub failed: Vec<FailedRow>,
}

/// Writes the valid rows as if one by one, and returns the violations of the others. A dry run returns the outcome that
/// the bulk would have now, and writes nothing.
///
/// The bulk as a whole is rejected only when there are not 1 to [`MAX_BULK_UPSERT`] rows.
pub async fn upsert_many(
    cx: &Context<'_, ContactPorts>,
    draft: BulkDraft,
    run: BulkRun,
) -> Result<BulkResult, ContactsError> {
    valid(&draft, (), |()| Some(()))?;
    let rows = draft.contacts.into_entries();
    let company = cx.caller.company.id;
    let directory = cx.ports.fields.directory(company, &named_keys(&rows)).await?;
    let at = cx.ports.environment.clock.now();
    let mut result = BulkResult::default();
    let mut valid = Vec::with_capacity(rows.len());
    for (index, row) in rows.into_iter().enumerate() {
        match validate(cx, &row, &directory) {
            Ok(input) => {
                let id = ContactId::new(cx.ports.environment.ids.next());
                valid.push((index, row.email, NewContact { id, input, at }));
            }
            Err(violations) => {
                result.failed.push(FailedRow { index, email: row.email, violations });
            }
        }
    }
    let valid = without_blocked(cx, valid, &mut result.failed).await?;
    let merged = match run {
        BulkRun::Written => {
            let failed = u64::try_from(result.failed.len()).unwrap_or(u64::MAX);
            cx.ports.contacts.upsert_many(cx.author(), valid, failed, at).await?
        }
        BulkRun::Dry => cx.ports.contacts.preview_many(company, valid).await?,
    };
    (result.created, result.updated) = (merged.created, merged.updated);
    result.unchanged = merged.unchanged;
    Ok(result)
}

/// The rows whose emails are not blocked; the others have failed.
async fn without_blocked(
    cx: &Context<'_, ContactPorts>,
    rows: Vec<(usize, Option<String>, NewContact)>,
    failed: &mut Vec<FailedRow>,
) -> Result<Vec<NewContact>, ContactsError> {
    let emails: Vec<&Email> = rows.iter().map(|(_, _, row)| &row.input.email).collect();
    let blocked = blocked(cx, &emails).await?;
    let mut kept = Vec::with_capacity(rows.len());
    for (place, (index, email, row)) in rows.into_iter().enumerate() {
        if blocked.contains(&place) {
            let problem = Problem::new("is blocked, because the person who had it was erased");
            failed.push(FailedRow { index, email, violations: Violations::one("email", problem) });
        } else {
            kept.push(row);
        }
    }
    failed.sort_by_key(|row| row.index);
    Ok(kept)
}

fn named_keys(rows: &[RowDraft]) -> Vec<&str> {
    let drafts = rows.iter().filter_map(|row| row.contact.as_ref());
    let keys: BTreeSet<&str> = drafts.flat_map(|draft| draft.field_values.keys()).collect();
    keys.into_iter().collect()
}

fn validate(
    cx: &Context<'_, ContactPorts>,
    row: &RowDraft,
    directory: &Directory,
) -> Result<ContactInput, Violations> {
    let Some(draft) = &row.contact else {
        return Err(Violations::one("contact", Problem::new("must be an object")));
    };
    let input = draft.validate(directory)?;
    if !cx.caller.company.allowed_domains.permits(input.email.domain()) {
        let problem = "has a domain that is not on the company's recipient domain allowlist";
        return Err(Violations::one("email", Problem::new(problem)));
    }
    Ok(input)
}
