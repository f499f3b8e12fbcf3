//! Erase contacts that were deleted long ago.

use crate::context::ErasurePorts;
use crate::ids::CompanyId;
use crate::ports::StoreError;

/// How many contacts of a company are erased before those of the next one.
const BATCH: u32 = 100;

/// Erases all deleted contacts whose retention period, which their company sets, has ended, and returns their number.
/// Each is erased in its own transaction, with the service as author, and companies take turns. A longer period, or none,
/// applies at once. A failure in one company does not stop the others; the last error is returned at the end.
pub async fn erase_overdue(ports: &ErasurePorts) -> Result<u64, StoreError> {
    let (mut waiting, mut after) = (Vec::new(), None);
    while let Some(company) = ports.erasures.next_erasing(after).await? {
        waiting.push(company);
        after = Some(company);
    }
    let (mut erased, mut failure) = (0, None);
    while !waiting.is_empty() {
        let mut again = Vec::new();
        for company in waiting {
            match erase_batch(ports, company).await {
                Ok(0) => {}
                Ok(count) => {
                    erased += count;
                    again.push(company);
                }
                Err(error) => failure = Some(error),
            }
        }
        waiting = again;
    }
    failure.map_or(Ok(erased), Err)
}

/// Returns how many contacts were erased; none if the rest cannot be, or if another instance is erasing them.
async fn erase_batch(ports: &ErasurePorts, company: CompanyId) -> Result<u64, StoreError> {
    let now = ports.environment.clock.now();
    let overdue = ports.erasures.overdue(company, now, BATCH).await?;
    if overdue.is_empty() {
        return Ok(0);
    }
    ports.erasures.erase_overdue(company, overdue, now).await
}
