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
    let mut run = Run { ports, erased: 0, failure: None };
    let (mut waiting, mut after) = (Vec::new(), None);
    while let Some(company) = ports.erasures.next_erasing(after).await? {
        if run.erase_batch(company).await {
            waiting.push(company);
        }
        after = Some(company);
    }
    while !waiting.is_empty() {
        for company in std::mem::take(&mut waiting) {
            if run.erase_batch(company).await {
                waiting.push(company);
            }
        }
    }
    run.failure.map_or(Ok(run.erased), Err)
}

struct Run<'a> {
    ports: &'a ErasurePorts,
    erased: u64,
    failure: Option<StoreError>,
}

impl Run<'_> {
    /// Erases some contacts of a company. Returns whether it may have more: not if none was erased, because the rest cannot be,
    /// or another instance is erasing them.
    async fn erase_batch(&mut self, company: CompanyId) -> bool {
        match erase_some(self.ports, company).await {
            Ok(count) => {
                self.erased += count;
                count > 0
            }
            Err(error) => {
                self.failure = Some(error);
                false
            }
        }
    }
}

async fn erase_some(ports: &ErasurePorts, company: CompanyId) -> Result<u64, StoreError> {
    let now = ports.environment.clock.now();
    let overdue = ports.erasures.overdue(company, now, BATCH).await?;
    if overdue.is_empty() {
        return Ok(0);
    }
    ports.erasures.erase_overdue(company, overdue, now).await
}
