//! How often keys were used on each of the last 30 days.

use std::collections::HashMap;

use contact_hub_domain::access::ApiKey;
use contact_hub_domain::ids::ApiKeyId;
use contact_hub_domain::overview;

use crate::error::ApiError;
use crate::pages::caller::PageCaller;
use crate::pages::charts::{Series, Sparkline, Tone, grouped};

/// The calls with a key.
pub(super) struct KeyUse {
    /// Their number, such as `1,234 calls`.
    pub(super) total: String,
    /// Day by day; `None` without a call.
    pub(super) chart: Option<Sparkline>,
}

/// The use of the keys of a page.
pub(super) struct KeyUses(HashMap<ApiKeyId, Vec<u64>>);

impl KeyUses {
    /// The use of these keys.
    pub(super) async fn of(
        caller: &PageCaller,
        keys: impl Iterator<Item = &ApiKey>,
    ) -> Result<Self, ApiError> {
        let keys = keys.map(|key| key.id).collect();
        Ok(Self(overview::key_days(&caller.context(), keys, caller.now()).await?))
    }

    /// The use of one of them.
    pub(super) fn of_key(&self, key: ApiKeyId) -> KeyUse {
        self.0.get(&key).map_or_else(|| shown(&[]), |days| shown(days))
    }
}

fn shown(days: &[u64]) -> KeyUse {
    let total = days.iter().fold(0_u64, |sum, day| sum.saturating_add(*day));
    let calls = match total {
        0 => return KeyUse { total: "No calls".to_owned(), chart: None },
        1 => "1 call".to_owned(),
        _ => format!("{} calls", grouped(total)),
    };
    let (most, today) = (days.iter().max(), days.last());
    let figure = |day: Option<&u64>| grouped(day.copied().unwrap_or_default());
    let title = format!(
        "Last 30 days: {calls}, at most {} on a day, {} today",
        figure(most),
        figure(today)
    );
    let series = Series { label: "Calls", tone: Tone::Calm, values: days.to_vec() };
    KeyUse { total: calls, chart: Some(Sparkline::new(title, days.len(), &[series])) }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn use_is_shown_in_numbers() {
        assert_eq!(shown(&[]).total, "No calls");
        assert_eq!(shown(&[0, 1]).total, "1 call");
        let busy = shown(&[1_000, 0, 34]);
        assert_eq!(busy.total, "1,034 calls");
        let title = busy.chart.map(|chart| chart.title);
        let expected = "Last 30 days: 1,034 calls, at most 1,000 on a day, 34 today";
        assert_eq!(title.as_deref(), Some(expected));
    }
}
