//! The results, as a table and as JSON.

use serde_json::json;

/// One comparison.
pub(crate) struct Row {
    /// What was measured.
    pub(crate) what: String,
    /// The service's figure.
    pub(crate) measured: f64,
    /// The figure that it is compared with.
    pub(crate) beside: f64,
    /// The unit of both.
    pub(crate) unit: &'static str,
    /// The limit for the ratio of the two, if there is one.
    pub(crate) mark: Option<Mark>,
}

/// The median of some figures.
pub(super) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_unstable_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A limit for a ratio.
#[derive(Clone, Copy)]
pub(crate) enum Mark {
    /// At least this.
    AtLeast(f64),
    /// At most this.
    AtMost(f64),
}

impl Row {
    /// A figure without a comparison.
    pub(crate) const fn alone(what: String, measured: f64, unit: &'static str) -> Self {
        Self { what, measured, beside: f64::NAN, unit, mark: None }
    }

    /// A figure that should be at least this number.
    pub(crate) fn at_least(what: &str, measured: f64, least: f64, unit: &'static str) -> Self {
        let mark = Some(Mark::AtLeast(1.0));
        Self { what: format!("{what}, beside {least}"), measured, beside: least, unit, mark }
    }

    fn ratio(&self) -> f64 {
        self.measured / self.beside
    }

    fn reached(&self) -> Option<bool> {
        self.mark.map(|mark| match mark {
            Mark::AtLeast(least) => self.ratio() >= least,
            Mark::AtMost(most) => self.ratio() <= most,
        })
    }

    fn mark(&self) -> Option<String> {
        self.mark.map(|mark| match mark {
            Mark::AtLeast(least) => format!("≥ {least}"),
            Mark::AtMost(most) => format!("≤ {most}"),
        })
    }
}

/// A Markdown table.
pub(crate) fn text(rows: &[Row]) -> String {
    let head = "| what | service | beside it | unit | ratio | mark | reached |\n|---|---:|---:|---|---:|---|---|";
    let lines = rows.iter().map(|row| {
        format!(
            "| {} | {} | {} | {} | {} | {} | {} |",
            row.what,
            figure(row.measured),
            figure(row.beside),
            row.unit,
            figure(row.ratio()),
            row.mark().unwrap_or_default(),
            row.reached().map_or("", |reached| if reached { "yes" } else { "no" })
        )
    });
    std::iter::once(head.to_owned()).chain(lines).collect::<Vec<_>>().join("\n")
}

/// One JSON object.
pub(crate) fn json(rows: &[Row]) -> String {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            json!({
                "what": row.what,
                "service": row.measured,
                "beside": row.beside,
                "unit": row.unit,
                "ratio": row.ratio(),
                "mark": row.mark(),
                "reached": row.reached(),
            })
        })
        .collect();
    json!({ "rows": rows }).to_string()
}

fn figure(value: f64) -> String {
    if value.is_nan() {
        return String::new();
    }
    if value >= 100.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}
