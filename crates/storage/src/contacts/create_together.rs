//! Concurrent creates of a company share a transaction.

use std::sync::Arc;

use contact_hub_domain::contacts::CreateContactOutcome;
use contact_hub_domain::fields::FieldValue;
use contact_hub_domain::ids::CompanyId;

use super::create_many::{Creation, create_many};
use crate::Storage;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::idempotency::{enter_together, keep_together, send_together};
use crate::recorded::Recorded;
use crate::write_batches::{SharedWrite, WriteBatches, Written};

/// The overhead in the size of a create, for itself and for each value in it.
const OVERHEAD: usize = 64;

impl SharedWrite for Creation {
    type Outcome = CreateContactOutcome;

    const LEAVES_WORK: bool = true;

    fn size(&self) -> usize {
        let sizes = self.new.input.values.iter().map(|(key, value)| {
            let text = match value {
                Some(FieldValue::String(text)) => text.len(),
                Some(FieldValue::Number(number)) => number.as_str().len(),
                _ => 0,
            };
            OVERHEAD + key.as_str().len() + text
        });
        OVERHEAD + sizes.sum::<usize>()
    }

    fn batches(storage: &Storage) -> &WriteBatches<Self> {
        storage.create_batches()
    }

    fn write_together(
        storage: &Storage,
        connection: &mut Connection,
        company: CompanyId,
        creations: &[Arc<Self>],
    ) -> Result<Recorded<Vec<Written<Self::Outcome>>>, Failure> {
        create_together(storage, connection, company, creations)
    }
}

/// Creates the contacts, and keeps the answers of calls with idempotency keys. A call whose key was answered, or is in
/// progress, needs its own transaction, and so does a create that may restore a contact beside others that create one.
fn create_together(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    creations: &[Arc<Creation>],
) -> Result<Recorded<Vec<Written<CreateContactOutcome>>>, Failure> {
    let calls: Vec<_> = creations.iter().filter_map(|it| it.call.as_deref()).collect();
    let mut entered = enter_together(storage, connection, &calls)?.into_iter();
    let takes_part = |it: &Arc<Creation>| it.call.is_none() || entered.next().unwrap_or(false);
    let takes_part: Vec<bool> = creations.iter().map(takes_part).collect();
    let part = creations.iter().zip(&takes_part).filter(|(_, takes_part)| **takes_part);
    let part: Vec<Arc<Creation>> = part.map(|(it, _)| Arc::clone(it)).collect();
    let mut sent = Vec::new();
    // The calls make their answers while the rest of the transaction is written.
    let known = |outcomes: &[Option<CreateContactOutcome>]| {
        let done = part.iter().zip(outcomes);
        let done = done.filter_map(|(it, done)| Some((it.call.as_deref()?, done.clone()?)));
        sent = send_together(done)?;
        Ok(())
    };
    let outcomes = match part.as_slice() {
        [] => Recorded::unchanged(Vec::new()),
        part => create_many(storage, connection, company, part, known)?,
    };
    keep_together(connection, sent)?;
    outcomes.try_map(|outcomes| {
        let mut outcomes = outcomes.into_iter();
        let written = |takes_part: bool| {
            let outcome = takes_part.then(|| outcomes.next().flatten()).flatten();
            outcome.map_or(Written::Alone, Written::Done)
        };
        Ok(takes_part.into_iter().map(written).collect())
    })
}
