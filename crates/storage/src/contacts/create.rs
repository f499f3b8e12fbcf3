//! Create one contact, or restore a deleted one; concurrent creates of a company share a transaction.

use std::sync::Arc;

use contact_hub_domain::contacts::CreateContactOutcome;
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use super::create_many::{Creation, create_many};
use crate::Storage;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::idempotency::{Ended, Handover};
use crate::recorded::Recorded;
use crate::transaction::begin;
use crate::write_batches::{Reply, write_in_batch};

pub(super) async fn create(
    storage: &Storage,
    company: CompanyId,
    creation: Creation,
) -> Result<CreateContactOutcome, StoreError> {
    if let Some(call) = storage.call() {
        let writer = storage.beside_calls();
        let write = move |handover| create_once(writer, company, creation, handover);
        return call.run(write).await;
    }
    let creation = Arc::new(creation);
    match write_in_batch(storage, company, &creation).await? {
        Reply::Done(outcome) => Ok(outcome),
        Reply::Failed(error) => Err(error),
        Reply::Alone | Reply::Undone(_) => {
            let unit = alone(storage.clone(), company, creation);
            storage.write_deferring(company, company, unit).await
        }
    }
}

/// The same for a call with an idempotency key.
async fn create_once(
    storage: Storage,
    company: CompanyId,
    creation: Creation,
    handover: Arc<Handover<CreateContactOutcome>>,
) -> Result<Ended, StoreError> {
    let creation = Arc::new(Creation { call: Some(Arc::clone(&handover)), ..creation });
    match write_in_batch(&storage, company, &creation).await? {
        Reply::Done(_) => Ok(Ended::Kept),
        Reply::Failed(error) => Err(error),
        // The call has already got its outcome.
        Reply::Undone(error) if !handover.is_awaited() => Err(error),
        Reply::Alone | Reply::Undone(_) => {
            let unit = alone(storage.clone(), company, creation);
            let unit =
                move |connection: &mut Connection| unit(connection).map(Recorded::into_outcome);
            let writer = storage.clone();
            let run = move |connection: &mut Connection| handover.run(&writer, connection, &unit);
            storage.write_until(company.into(), begin, run).await
        }
    }
}

/// Creates a contact in its own transaction.
fn alone(
    storage: Storage,
    company: CompanyId,
    creation: Arc<Creation>,
) -> impl Fn(&mut Connection) -> Result<Recorded<CreateContactOutcome>, Failure> {
    move |connection| {
        let creations = std::slice::from_ref(&creation);
        let created = create_many(&storage, connection, company, creations, |_outcomes| Ok(()))?;
        created.try_map(|mut outcomes| outcomes.pop().flatten().ok_or(Failure::Overtaken))
    }
}
