//! Bars without a scale, as small as a word. Each series is one path, so that a page can have a hundred sparklines.

use std::fmt::Write as _;

use super::bars::{columns, highest};
use super::scale::{FULL, Scale};
use super::series::{Series, Tone};

/// The height of the drawing, in the units of its paths.
const HEIGHT: u64 = 100;

/// A sparkline. Its title is its text alternative, so the row that it is in needs no table of its figures.
#[derive(Clone, Debug)]
pub(crate) struct Sparkline {
    /// What it shows, with the figures that matter.
    pub(crate) title: String,
    /// How many times it has, which is its width in the units of its paths.
    pub(crate) times: usize,
    /// The height in the units of its paths.
    pub(crate) height: u64,
    /// A path for each series, with a line for each of its bars.
    pub(crate) paths: Vec<(Tone, String)>,
}

impl Sparkline {
    /// The series over this many times.
    pub(crate) fn new(title: String, times: usize, series: &[Series]) -> Self {
        let scale = Scale::from_zero(highest(times, series));
        let mut paths: Vec<_> = series.iter().map(|it| (it.tone, String::new())).collect();
        for (place, column) in columns(times, series, &scale, |_| String::new()).iter().enumerate()
        {
            for segment in &column.segments {
                let path = paths.iter_mut().find(|(tone, _)| *tone == segment.tone);
                let (top, foot) = (segment.y.0, segment.y.0 + segment.height.0);
                if let Some((_, path)) = path {
                    // Writing to a text cannot fail.
                    let _ = write!(path, "M{place}.5 {}V{}", unit(foot), unit(top));
                }
            }
        }
        paths.retain(|(_, path)| !path.is_empty());
        Self { title, times, height: HEIGHT, paths }
    }
}

const fn unit(share: u64) -> u64 {
    share * HEIGHT / FULL
}
