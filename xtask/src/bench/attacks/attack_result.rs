//! The results of the attacks, as a table and as JSON.

use serde_json::{Value, json};

use super::watch::Noticed;

/// The limit for the service's resident memory, in megabytes.
const MAX_MEGABYTES: f64 = 512.0;

/// The limit for the liveness probe, in milliseconds.
const LIVENESS_MS: f64 = 100.0;

/// The results of one attack.
pub(super) struct AttackResult {
    /// Its name.
    pub(super) attack: &'static str,
    /// The peak of memory before it, in megabytes.
    pub(super) before: f64,
    /// The peak of memory after it, in megabytes.
    pub(super) peak: f64,
    /// Latencies of the liveness probe before it.
    pub(super) alone: Noticed,
    /// Latencies of the liveness probe during it.
    pub(super) liveness: Noticed,
    /// Latencies of another company's client during it.
    pub(super) other: Noticed,
    /// Further findings, in a few words.
    pub(super) found: String,
    /// Whether these are as required.
    pub(super) is_right: bool,
}

impl AttackResult {
    fn reached(&self) -> bool {
        self.is_right && self.peak <= MAX_MEGABYTES && self.liveness.worst() <= LIVENESS_MS
    }

    fn figures(&self) -> [(&'static str, f64); 10] {
        let unanswered = self.liveness.unanswered + self.other.unanswered;
        [
            ("memory before, MB", self.before),
            ("peak of memory, MB (at most 512)", self.peak),
            ("liveness alone, half, ms", self.alone.percentile(50)),
            ("liveness alone, worst, ms", self.alone.worst()),
            ("liveness, half, ms", self.liveness.percentile(50)),
            ("liveness, 99 of 100, ms", self.liveness.percentile(99)),
            ("liveness, worst, ms (at most 100)", self.liveness.worst()),
            ("another company, 99 of 100, ms", self.other.percentile(99)),
            ("another company, 503", f64::from(self.other.refused)),
            ("not answered in 10 s", f64::from(unanswered)),
        ]
    }
}

/// A Markdown table.
pub(super) fn text(results: &[AttackResult]) -> String {
    let Some(first) = results.first() else { return "no attack has such a name".to_owned() };
    let names = first.figures().map(|(name, _)| format!(" {name} |")).concat();
    let mut lines = vec![
        format!("| attack |{names} reached | found |"),
        format!("|---|{}---|---|", "---:|".repeat(first.figures().len())),
    ];
    for one in results {
        let figures = one.figures().map(|(_, figure)| format!(" {figure:.0} |")).concat();
        let reached = if one.reached() { "yes" } else { "no" };
        lines.push(format!("| {} |{figures} {reached} | {} |", one.attack, one.found));
    }
    lines.join("\n")
}

/// One JSON object.
pub(super) fn json(results: &[AttackResult]) -> String {
    let of = |one: &AttackResult| {
        let figures = one.figures().map(|(name, figure)| (name.to_owned(), json!(figure)));
        json!({
            "attack": one.attack,
            "figures": Value::Object(figures.into_iter().collect()),
            "reached": one.reached(),
            "found": one.found,
        })
    };
    json!({ "attacks": results.iter().map(of).collect::<Vec<_>>() }).to_string()
}
