//! Erase contacts that were deleted long ago.

use crate::author::Author;
use crate::context::ErasurePorts;
use crate::ids::CompanyId;
use crate::ports::StoreError;
use crate::time::Timestamp;

/// How many contacts are looked for at once.
const BATCH: u32 = 100;

/// Erases all deleted contacts whose retention period, which their company sets, has ended, and returns their number.
/// Each is erased in its own transaction, with the service as author. A failure in one company does not stop the
/// others; the last error is returned at the end.
pub async fn erase_overdue(ports: &ErasurePorts) -> Result<u64, StoreError> {
    let now = ports.environment.clock.now();
    let (mut after, mut erased, mut failure) = (None, 0, None);
    while let Some((company, before)) = ports.erasures.next_erasing(now, after).await? {
        match erase_of(ports, company, before, now).await {
            Ok(count) => erased += count,
            Err(error) => failure = Some(error),
        }
        after = Some(company);
    }
    failure.map_or(Ok(erased), Err)
}

async fn erase_of(
    ports: &ErasurePorts,
    company: CompanyId,
    before: Timestamp,
    now: Timestamp,
) -> Result<u64, StoreError> {
    let mut erased = 0;
    loop {
        let overdue = ports.erasures.deleted_before(company, before, BATCH).await?;
        if overdue.is_empty() {
            return Ok(erased);
        }
        for id in overdue {
            // It may have been restored or erased in the meantime.
            if ports.erasures.erase_deleted(Author::from(company), id, now).await? {
                erased += 1;
            }
        }
    }
}
