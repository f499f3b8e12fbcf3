//! Record the report of a sync.

use contact_hub_domain::author::Author;
use contact_hub_domain::changes::NewEntry;
use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync::{Report, ReportDecision, ReportFacts, Reported, decide_report};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::CancelReason;

use super::{assets, syncs};
use crate::changes::append_closed;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::webhooks;

/// A report to be recorded.
pub(super) struct Recording {
    pub(super) by: Author,
    pub(super) asset: AssetId,
    pub(super) reported: Reported,
    pub(super) report: Report,
    pub(super) at: Timestamp,
}

impl Recording {
    pub(super) fn run(
        &self,
        connection: &mut Connection,
    ) -> Result<Recorded<Option<ReportDecision>>, Failure> {
        if !assets::lock(connection, self.by.company, self.asset)? {
            return Ok(Recorded::unchanged(None));
        }
        let facts = self.facts(connection)?;
        let decision = decide_report(&facts, self.reported, &self.report, self.at);
        let ReportDecision::Record(sync) = &decision else {
            return Ok(Recorded::unchanged(Some(decision)));
        };
        syncs::close(connection, self.by.company, sync)?;
        let reason = CancelReason::SyncReported;
        webhooks::cancel_for_syncs(connection, self.by.company, &[sync.id], reason, self.at)?;
        let entry = NewEntry::sync_closed(&self.by, sync, self.at);
        let entry = append_closed(connection, self.by.company, &[entry])?;
        Ok(Recorded::by(entry, Some(decision)))
    }

    fn facts(&self, connection: &mut Connection) -> Result<ReportFacts, Failure> {
        let open = syncs::open(connection, self.by.company, self.asset)?;
        let candidates = match self.reported {
            Reported::TheOpenOne if !open.is_empty() => Vec::new(),
            Reported::TheOpenOne => syncs::latest(connection, self.by.company, self.asset)?,
            Reported::Named(Some(id)) => syncs::find(connection, self.by.company, self.asset, id)?,
            Reported::Named(None) => Vec::new(),
        };
        Ok(ReportFacts { open, candidates })
    }
}
