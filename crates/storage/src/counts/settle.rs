//! Applies all changes of a company in the transaction that needs it, so that no value is left that is not in use.

use contact_hub_domain::ids::CompanyId;

use super::{apply, blocks};
use crate::Storage;
use crate::backlog::Work;
use crate::connection::Connection;
use crate::failure::Failure;

/// The size of one batch.
const BATCH: u32 = 1 << 20;

/// Applies all changes of a company. They are few if most were applied before the transaction.
pub(crate) fn settle(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
) -> Result<(), Failure> {
    loop {
        let batch = apply::apply(storage, connection, company, BATCH)?;
        storage.backlog().shrink(Work::Counts, company, &batch);
        if !batch.has_more() {
            return blocks::begin_with_values(connection, company);
        }
    }
}
