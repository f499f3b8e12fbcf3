//! The figures of a chart as text: its legend, and a table for those who cannot see it.

use super::number::grouped;
use super::series::{Series, Times, Tone};

/// An entry of the legend.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    /// The name of the series.
    pub(crate) label: &'static str,
    /// Its meaning.
    pub(crate) tone: Tone,
    /// The sum of its figures.
    pub(crate) total: String,
}

/// A row of the table.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The time.
    pub(crate) label: String,
    /// A figure of each series.
    pub(crate) cells: Vec<String>,
}

/// The legend and the table.
#[derive(Clone, Debug)]
pub(crate) struct Figures {
    /// The heading of the times.
    pub(crate) head: &'static str,
    /// The legend.
    pub(crate) keys: Vec<Key>,
    /// The table.
    pub(crate) rows: Vec<Row>,
}

impl Figures {
    pub(super) fn new(times: Times, series: &[Series]) -> Self {
        let row = |(place, label)| Row {
            label,
            cells: series.iter().map(|it| grouped(it.at(place))).collect(),
        };
        let key = |it: &Series| Key { label: it.label, tone: it.tone, total: grouped(it.total()) };
        Self {
            head: times.head,
            keys: series.iter().map(key).collect(),
            rows: times.labels.into_iter().enumerate().map(row).collect(),
        }
    }

    /// The times that are written below the chart: the first, the middle and the last one.
    pub(crate) fn ends(&self) -> Vec<&str> {
        let last = self.rows.len().saturating_sub(1);
        let mut places = vec![0, last / 2, last];
        places.dedup();
        places.into_iter().filter_map(|place| Some(self.rows.get(place)?.label.as_str())).collect()
    }

    /// A time with its figures, such as `14:00: 3 Succeeded, 1 Failed`.
    pub(super) fn sentence(&self, place: usize) -> String {
        let Some(row) = self.rows.get(place) else { return String::new() };
        let parts = row.cells.iter().zip(&self.keys).map(|(cell, key)| (cell, key.label));
        format!("{}: {}", row.label, listed(parts))
    }

    /// The sums, such as `3 Succeeded, 1 Failed`.
    pub(super) fn sums(&self) -> String {
        listed(self.keys.iter().map(|key| (&key.total, key.label)))
    }
}

fn listed<'a>(parts: impl Iterator<Item = (&'a String, &'a str)>) -> String {
    parts.map(|(figure, label)| format!("{figure} {label}")).collect::<Vec<_>>().join(", ")
}
