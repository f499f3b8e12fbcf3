//! Read the overview.

use super::{CompanyOverview, Period, Since};
use crate::context::{Context, OverviewPorts};
use crate::ports::StoreError;
use crate::time::Timestamp;

/// The overview of the caller's company, with the calls of a period. Its figures by day cover 30 days.
pub async fn read(
    cx: &Context<'_, OverviewPorts>,
    period: Period,
    now: Timestamp,
) -> Result<CompanyOverview, StoreError> {
    let first = |period: Period| period.starts(now).first().copied().unwrap_or(now);
    let since = Since { calls: first(period), days: first(Period::Month) };
    cx.ports.overview.overview(cx.caller.company.id, since).await
}
