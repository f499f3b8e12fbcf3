//! Bars over time, with the series of a time on top of each other.

use super::figures::Figures;
use super::scale::{FULL, GridLine, Scale, Share};
use super::series::{Series, Times, Tone};

/// A bar leaves one part in this many of its place free, so that neighbours do not touch.
const GAP: u64 = 4;

/// The minimum height of a figure that is not 0, in hundredths of a percent, so that one failure among thousands is
/// visible.
const MIN: u64 = 200;

/// A chart of bars.
#[derive(Clone, Debug)]
pub(crate) struct BarChart {
    /// The beginning of the ids in its SVG; each chart of a page has its own.
    pub(crate) id: &'static str,
    /// What it shows, in a sentence.
    pub(crate) title: String,
    /// The scale.
    pub(crate) lines: Vec<GridLine>,
    /// A bar for each time.
    pub(crate) columns: Vec<Column>,
    /// The figures.
    pub(crate) figures: Figures,
    /// Whether every figure is 0.
    pub(crate) is_empty: bool,
}

/// What is drawn for one time.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    /// The left end of its place.
    pub(crate) left: Share,
    /// The width of its place.
    pub(crate) place: Share,
    /// The left end of its bar.
    pub(crate) x: Share,
    /// The width of its bar.
    pub(crate) width: Share,
    /// Its figures.
    pub(crate) title: String,
    /// Its bar, from below.
    pub(crate) segments: Vec<Segment>,
}

/// The part of a bar that belongs to one series.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// Its meaning.
    pub(crate) tone: Tone,
    /// How far it begins below the top.
    pub(crate) y: Share,
    /// Its height.
    pub(crate) height: Share,
}

impl BarChart {
    /// The series over these times.
    pub(crate) fn new(id: &'static str, what: &str, times: Times, series: &[Series]) -> Self {
        let scale = Scale::from_zero(highest(times.labels.len(), series));
        let figures = Figures::new(times, series);
        let columns = columns(figures.rows.len(), series, &scale, |at| figures.sentence(at));
        Self {
            id,
            title: format!("{what}: {}", figures.sums()),
            lines: scale.lines(),
            columns,
            is_empty: series.iter().all(|it| it.total() == 0),
            figures,
        }
    }
}

/// The highest bar.
pub(super) fn highest(times: usize, series: &[Series]) -> u64 {
    let sum = |at: usize| series.iter().fold(0_u64, |sum, it| sum.saturating_add(it.at(at)));
    (0..times).map(sum).max().unwrap_or_default()
}

/// A column for each time.
pub(super) fn columns(
    times: usize,
    series: &[Series],
    scale: &Scale,
    title: impl Fn(usize) -> String,
) -> Vec<Column> {
    let column = |at: usize| {
        let left = Share::of_parts(at, times);
        let place = Share(Share::of_parts(at + 1, times).0 - left.0);
        let gap = place.0 / GAP;
        Column {
            left,
            place,
            x: Share(left.0 + gap / 2),
            width: Share(place.0 - gap),
            title: title(at),
            segments: segments(at, series, scale),
        }
    };
    (0..times).map(column).collect()
}

fn segments(at: usize, series: &[Series], scale: &Scale) -> Vec<Segment> {
    let shown: Vec<&Series> = series.iter().filter(|it| it.at(at) > 0).collect();
    let height = |it: &&Series| scale.height(u128::from(it.at(at))).0.max(MIN);
    let mut heights: Vec<u64> = shown.iter().map(height).collect();
    let surplus = heights.iter().sum::<u64>().saturating_sub(FULL);
    if let Some(tallest) = heights.iter_mut().max() {
        *tallest = tallest.saturating_sub(surplus);
    }
    let mut top = FULL;
    let segment = |(it, height): (&&Series, u64)| {
        top = top.saturating_sub(height);
        Segment { tone: it.tone, y: Share(top), height: Share(height) }
    };
    shown.iter().zip(heights).map(segment).collect()
}
