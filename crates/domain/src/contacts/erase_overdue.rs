//! Erase contacts that were deleted long ago.

use crate::author::Author;
use crate::context::ErasurePorts;
use crate::ports::StoreError;

/// How many contacts of a company one call erases.
const BATCH: u32 = 100;

/// Erases contacts that were deleted as long ago as their company says, some of each company, and returns their number.
/// Each is a transaction of its own. The service is the author.
pub async fn erase_overdue(ports: &ErasurePorts) -> Result<u64, StoreError> {
    let now = ports.environment.clock.now();
    let mut erased = 0;
    for (company, id) in ports.erasures.overdue(now, BATCH).await? {
        // It may have been restored or erased in the meantime.
        if ports.erasures.erase_deleted(Author::from(company), id, now).await? {
            erased += 1;
        }
    }
    Ok(erased)
}
