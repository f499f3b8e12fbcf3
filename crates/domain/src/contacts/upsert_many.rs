//! Create, restore and update many contacts.

use std::collections::{BTreeSet, HashSet};

use super::validate::{blocked, blocked_now};
use super::{ContactDraft, ContactInput, ContactsError, Merged, NewContact, UpsertOutcome};
use crate::context::{ContactPorts, Context};
use crate::email::Email;
use crate::fields::Directory;
use crate::ids::ContactId;
use crate::ports::StoreError;
use crate::property::Property;
use crate::rules::{count, required, valid};
use crate::time::Timestamp;
use crate::violations::{Problem, Violations};

/// The maximum number of rows of one bulk.
pub const MAX_BULK_UPSERT: usize = 1000;

/// How often a bulk is written if emails are blocked meanwhile.
const MAX_ATTEMPTS: u32 = 10;

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
    let mut valid = ValidRows::default();
    for (index, row) in rows.into_iter().enumerate() {
        match validate(cx, &row, &directory) {
            Ok(input) => {
                let id = ContactId::new(cx.ports.environment.ids.next());
                valid.origins.push((index, row.email));
                valid.contacts.push(NewContact { id, input, at });
            }
            Err(violations) => {
                result.failed.push(FailedRow { index, email: row.email, violations });
            }
        }
    }
    let merged = write(cx, valid, &mut result.failed, run, at).await?;
    result.failed.sort_by_key(|row| row.index);
    (result.created, result.updated) = (merged.created, merged.updated);
    result.unchanged = merged.unchanged;
    Ok(result)
}

/// The rows that are to be written.
#[derive(Default)]
struct ValidRows {
    /// The position and the email of each, as submitted.
    origins: Vec<(usize, Option<String>)>,
    contacts: Vec<NewContact>,
}

impl ValidRows {
    fn emails(&self) -> Vec<&Email> {
        self.contacts.iter().map(|row| &row.input.email).collect()
    }

    /// Removes the rows with these indexes, whose emails are blocked: they have failed.
    fn fail(&mut self, blocked: &HashSet<usize>, failed: &mut Vec<FailedRow>) {
        let mut place = 0..;
        self.contacts.retain(|_| place.next().is_none_or(|it| !blocked.contains(&it)));
        let origins = std::mem::take(&mut self.origins);
        for (place, (index, email)) in origins.into_iter().enumerate() {
            if blocked.contains(&place) {
                let problem = Problem::new("is blocked, because the person who had it was erased");
                let violations = Violations::one("email", problem);
                failed.push(FailedRow { index, email, violations });
            } else {
                self.origins.push((index, email));
            }
        }
    }
}

/// Writes the rows whose emails are not blocked; the others have failed. Emails that are blocked meanwhile are looked up
/// again.
async fn write(
    cx: &Context<'_, ContactPorts>,
    mut rows: ValidRows,
    failed: &mut Vec<FailedRow>,
    run: BulkRun,
    at: Timestamp,
) -> Result<Merged, ContactsError> {
    let store = &cx.ports.contacts;
    let mut blocked = blocked(cx, &rows.emails()).await?;
    for _attempt in 0..MAX_ATTEMPTS {
        rows.fail(&blocked, failed);
        let contacts = std::mem::take(&mut rows.contacts);
        let rejected = u64::try_from(failed.len()).unwrap_or(u64::MAX);
        let outcome = match run {
            BulkRun::Written => store.upsert_many(cx.author(), contacts, rejected, at).await?,
            BulkRun::Dry => store.preview_many(cx.caller.company.id, contacts).await?,
        };
        match outcome {
            UpsertOutcome::Merged(merged) => return Ok(merged),
            UpsertOutcome::EmailsBlocked(contacts) => rows.contacts = contacts,
        }
        blocked = blocked_now(cx, &rows.emails()).await?;
    }
    Err(StoreError::Unavailable("emails are being blocked and unblocked".into()).into())
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
