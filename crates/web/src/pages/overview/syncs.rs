//! The syncs of the last 30 days by their state.

use contact_hub_domain::overview::SyncTotals;

use crate::pages::charts::grouped;

/// The number of syncs in a state.
pub(super) struct SyncFigure {
    /// The state.
    pub(super) label: &'static str,
    /// The kind of badge.
    pub(super) tone: &'static str,
    /// How many there are.
    pub(super) number: String,
}

/// A figure for each state.
pub(super) fn figures(totals: SyncTotals) -> Vec<SyncFigure> {
    let figure = |label, tone, number| SyncFigure { label, tone, number: counted(number) };
    vec![
        figure("Completed", "good", totals.completed),
        figure("Failed", "bad", totals.failed),
        figure("Waiting", "warn", totals.requested),
        figure("Replaced or withdrawn", "", totals.closed),
    ]
}

fn counted(number: u64) -> String {
    let more = if number >= SyncTotals::MOST { "+" } else { "" };
    format!("{}{more}", grouped(number))
}
