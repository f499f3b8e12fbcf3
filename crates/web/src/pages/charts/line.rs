//! A line over time, such as the growth of a number. Its scale need not begin at 0.

use super::figures::Figures;
use super::scale::{GridLine, Scale, Share};
use super::series::{Series, Times};

/// A chart of one line.
#[derive(Clone, Debug)]
pub(crate) struct LineChart {
    /// What it shows, in a sentence.
    pub(crate) title: String,
    /// The scale.
    pub(crate) lines: Vec<GridLine>,
    /// The line, in hundredths of a percent.
    pub(crate) points: String,
    /// The ends of the surface below it.
    pub(crate) foot: String,
    /// The last figure.
    pub(crate) last: Option<Point>,
    /// A place for each time, with its figure.
    pub(crate) places: Vec<Point>,
    /// The figures.
    pub(crate) figures: Figures,
}

/// A figure on the line.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    /// How far from the left.
    pub(crate) x: Share,
    /// How far below the top.
    pub(crate) y: Share,
    /// The left end of its place.
    pub(crate) left: Share,
    /// The width of its place.
    pub(crate) width: Share,
    /// Its figure.
    pub(crate) title: String,
}

impl LineChart {
    /// The figures of one series over these times.
    pub(crate) fn new(what: &str, times: Times, series: &Series) -> Self {
        let values = &series.values;
        let least = values.iter().min().copied().unwrap_or_default();
        let scale = Scale::around(least, values.iter().max().copied().unwrap_or_default());
        let figures = Figures::new(times, std::slice::from_ref(series));
        let count = figures.rows.len();
        let point = |at: usize| {
            let left = Share::of_parts(at, count);
            let end = Share::of_parts(at + 1, count);
            Point {
                // From edge to edge; a single figure is in the middle.
                x: if count > 1 { Share::of_parts(at, count - 1) } else { Share(end.0 / 2) },
                y: scale.height(u128::from(series.at(at))).rest(),
                left,
                width: Share(end.0 - left.0),
                title: figures.sentence(at),
            }
        };
        let places: Vec<Point> = (0..count).map(point).collect();
        let points: Vec<_> = places.iter().map(|it| format!("{},{}", it.x.0, it.y.0)).collect();
        let newest = places.last().cloned();
        let now = newest.as_ref().map_or("nothing", |it| it.title.as_str());
        let ends = [places.last(), places.first()];
        let foot: Vec<_> =
            ends.into_iter().flatten().map(|it| format!("{},10000", it.x.0)).collect();
        Self {
            title: format!("{what}, last {now}"),
            lines: scale.lines(),
            points: points.join(" "),
            foot: foot.join(" "),
            last: newest,
            places,
            figures,
        }
    }
}
