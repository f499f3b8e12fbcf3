//! Create one contact, or restore a deleted one; concurrent creates of a company share a transaction.

use std::sync::Arc;

use contact_hub_domain::contacts::CreateContactOutcome;
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use super::create_batches::Reply;
use super::create_many::{Creation, create_many};
use crate::Storage;
use crate::failure::Failure;

pub(super) async fn create(
    storage: &Storage,
    company: CompanyId,
    creation: Creation,
) -> Result<CreateContactOutcome, StoreError> {
    let creation = Arc::new(creation);
    let mut place = storage.create_batches().join(storage, company, Arc::clone(&creation))?;
    match place.reply().await {
        Reply::Done(outcome) => Ok(outcome),
        Reply::Failed(error) => Err(error),
        Reply::Alone => create_alone(storage, company, creation).await,
    }
}

/// Creates a contact in a transaction of its own.
async fn create_alone(
    storage: &Storage,
    company: CompanyId,
    creation: Arc<Creation>,
) -> Result<CreateContactOutcome, StoreError> {
    let shared = storage.clone();
    let unit = move |connection: &mut _| {
        let creations = std::slice::from_ref(&creation);
        let outcome = create_many(&shared, connection, company, creations)?.pop().flatten();
        outcome.ok_or(Failure::Overtaken)
    };
    storage.write_deferring(company, company, unit).await
}
