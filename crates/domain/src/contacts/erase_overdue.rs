//! Erase contacts that were deleted long ago.

use crate::author::Author;
use crate::context::ErasurePorts;
use crate::ids::CompanyId;
use crate::ports::StoreError;

/// How many contacts are looked for at once.
const BATCH: u32 = 100;

/// Erases all deleted contacts whose retention period, which their company sets, has ended, and returns their number.
/// Each is erased in its own transaction, with the service as author. A longer period, or none, applies at once. A failure
/// in one company does not stop the others; the last error is returned at the end.
pub async fn erase_overdue(ports: &ErasurePorts) -> Result<u64, StoreError> {
    let (mut after, mut erased, mut failure) = (None, 0, None);
    while let Some(company) = ports.erasures.next_erasing(after).await? {
        match erase_of(ports, company).await {
            Ok(count) => erased += count,
            Err(error) => failure = Some(error),
        }
        after = Some(company);
    }
    failure.map_or(Ok(erased), Err)
}

async fn erase_of(ports: &ErasurePorts, company: CompanyId) -> Result<u64, StoreError> {
    let clock = &ports.environment.clock;
    let mut erased = 0;
    loop {
        let overdue = ports.erasures.overdue(company, clock.now(), BATCH).await?;
        if overdue.is_empty() {
            return Ok(erased);
        }
        for id in overdue {
            // It may have been restored or erased in the meantime, or the period changed.
            let author = Author::from(company);
            if ports.erasures.erase_overdue(author, id, clock.now()).await? {
                erased += 1;
            }
        }
    }
}
