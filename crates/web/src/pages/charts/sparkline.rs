//! Bars without a scale, as small as a word.

use super::bars::{Column, columns, highest};
use super::scale::Scale;
use super::series::Series;

/// A sparkline. Its title is its text alternative, so the row that it is in needs no table of its figures.
#[derive(Clone, Debug)]
pub(crate) struct Sparkline {
    /// What it shows, with the figures that matter.
    pub(crate) title: String,
    /// A bar for each time.
    pub(crate) columns: Vec<Column>,
}

impl Sparkline {
    /// The series over so many times.
    pub(crate) fn new(title: String, times: usize, series: &[Series]) -> Self {
        let scale = Scale::from_zero(highest(times, series));
        Self { title, columns: columns(times, series, &scale, |_| String::new()) }
    }
}
