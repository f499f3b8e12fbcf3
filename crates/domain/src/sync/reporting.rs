//! The sync that a report belongs to, and the effect of the report.

use super::report_draft::Reported;
use super::result::Report;
use super::state::{AssetSync, Step, Stepped};
use crate::ids::SyncId;
use crate::time::Timestamp;

/// The facts that a store reads in the transaction of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportFacts {
    /// The asset's open syncs.
    pub open: Vec<AssetSync>,
    /// The named sync, if it is one of the asset's. Without a name, the asset's latest sync for each integration, the
    /// newest first.
    pub candidates: Vec<AssetSync>,
}

/// The effect of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReportDecision {
    /// The sync after the step.
    Record(AssetSync),
    /// This sync already has this result; nothing changes.
    Known(AssetSync),
    /// The named sync is not open; these are.
    NotRequested(Vec<SyncId>),
    /// Several syncs are open, and the report names none.
    Ambiguous(Vec<SyncId>),
}

/// Decides the effect of a report. Without a name it is about the open sync. If none is open, it may repeat the result
/// of the latest sync.
#[must_use]
pub fn decide_report(
    facts: &ReportFacts,
    reported: Reported,
    report: &Report,
    at: Timestamp,
) -> ReportDecision {
    let open = || facts.open.iter().map(|sync| sync.id).collect();
    let meant = match (reported, facts.open.as_slice()) {
        (Reported::TheOpenOne, [_, _, ..]) => return ReportDecision::Ambiguous(open()),
        (Reported::TheOpenOne, [sync]) => std::slice::from_ref(sync),
        (Reported::TheOpenOne, []) | (Reported::Named(_), _) => facts.candidates.as_slice(),
    };
    let step = Step::Report(report.clone());
    let decided = meant.iter().find_map(|sync| match sync.after(&step, at) {
        Stepped::Moved(next) => Some(ReportDecision::Record(next)),
        Stepped::Unchanged => Some(ReportDecision::Known(sync.clone())),
        Stepped::Refused => None,
    });
    decided.unwrap_or_else(|| ReportDecision::NotRequested(open()))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{ReportDecision, ReportFacts, decide_report};
    use crate::ids::{AssetId, IntegrationId, SyncId};
    use crate::input::FromText;
    use crate::sync::{AssetSync, ErrorMessage, Report, Reported, SyncState};
    use crate::time::Timestamp;

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros).expect("in range")
    }

    fn failed(text: &str) -> Report {
        Report::Failed(ErrorMessage::from_text(text).expect("a message"))
    }

    fn sync(id: u128, state: SyncState) -> AssetSync {
        AssetSync {
            id: SyncId::new(Uuid::from_u128(id)),
            asset_id: AssetId::new(Uuid::from_u128(100)),
            integration_id: IntegrationId::new(Uuid::from_u128(200 + id)),
            requested_by: Some("ann@example.com".to_owned()),
            requested_at: at(1),
            state,
        }
    }

    fn closed(id: u128, text: &str) -> AssetSync {
        let message = ErrorMessage::from_text(text).expect("a message");
        sync(id, SyncState::Failed { message, reported_at: at(2) })
    }

    fn decide(open: &[AssetSync], candidates: &[AssetSync], named: bool) -> ReportDecision {
        let facts = ReportFacts { open: open.to_vec(), candidates: candidates.to_vec() };
        let named_id = Reported::Named(candidates.first().map(|sync| sync.id));
        let reported = if named { named_id } else { Reported::TheOpenOne };
        decide_report(&facts, reported, &failed("a"), at(2))
    }

    #[test]
    fn without_a_sync_id_the_report_applies_to_the_open_sync() {
        let (one, two) = (sync(1, SyncState::Requested), sync(2, SyncState::Requested));
        let recorded = decide(std::slice::from_ref(&one), &[closed(3, "a"), one.clone()], false);
        assert_eq!(recorded, ReportDecision::Record(closed(1, "a")));
        let ids = vec![one.id, two.id];
        assert_eq!(decide(&[one, two], &[], false), ReportDecision::Ambiguous(ids));
    }

    #[test]
    fn without_an_open_sync_a_repeated_report_is_recognised() {
        let known = decide(&[], &[closed(1, "b"), closed(2, "a")], false);
        assert_eq!(known, ReportDecision::Known(closed(2, "a")));
        for candidates in [vec![], vec![closed(1, "b")], vec![sync(1, SyncState::Superseded)]] {
            let refused = decide(&[], &candidates, false);
            assert_eq!(refused, ReportDecision::NotRequested(vec![]));
        }
    }

    #[test]
    fn a_sync_id_only_refers_to_that_sync() {
        let (one, two) = (sync(1, SyncState::Requested), sync(2, SyncState::Requested));
        let both = [one.clone(), two.clone()];
        let named = decide(&both, std::slice::from_ref(&two), true);
        assert_eq!(named, ReportDecision::Record(closed(2, "a")));
        let again = decide(&both, &[closed(3, "a")], true);
        assert_eq!(again, ReportDecision::Known(closed(3, "a")));
        for candidates in [vec![], vec![closed(3, "b")], vec![sync(3, SyncState::Withdrawn)]] {
            let refused = decide(&both, &candidates, true);
            assert_eq!(refused, ReportDecision::NotRequested(vec![one.id, two.id]));
        }
    }
}
