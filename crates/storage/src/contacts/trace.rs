//! What a transaction on contacts writes in addition to their rows: changes of the counts, entries of the feed, and the
//! entry of the audit.

use contact_hub_domain::audit::NewAuditEntry;
use contact_hub_domain::changes::NewEntry;
use contact_hub_domain::ids::CompanyId;

use crate::Storage;
use crate::audit;
use crate::backlog::Work;
use crate::changes::{self, Published};
use crate::connection::Connection;
use crate::counts::CountChanges;
use crate::dialect::execute_together;
use crate::failure::Failure;
use crate::two_phases::commit_in_two_phases;

/// Collected while contacts are written.
#[derive(Default)]
pub(super) struct Trace {
    pub(super) counts: CountChanges,
    pub(super) entries: Vec<NewEntry>,
    pub(super) audit: Option<NewAuditEntry>,
}

impl Trace {
    /// Appends all of it, in one round trip. Every change of contacts has an entry of the feed.
    ///
    /// On a cluster the counts are on a node and the rest on the coordinator.
    pub(super) fn write(
        self,
        storage: &Storage,
        connection: &mut Connection,
        company: CompanyId,
    ) -> Result<Option<Published>, Failure> {
        let counts = self.counts.insertion(connection, company)?;
        let (entries, published) = changes::insertion(connection, company, &self.entries).unzip();
        let audit = self.audit.map(|entry| audit::insertion(connection, &entry).0);
        let (counts, size) = counts.unzip();
        commit_in_two_phases(storage, connection)?;
        execute_together(connection, counts.into_iter().chain(entries).chain(audit))?;
        storage.backlog().grow(Work::Counts, company, size.unwrap_or(0));
        Ok(published)
    }
}
