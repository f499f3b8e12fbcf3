//! Small charts, drawn on the server as SVG: bars over time, a line, and a sparkline for a row of a table.
//!
//! A chart has no script and no style of its own. Positions are attributes, in percent, so that it fits any width while
//! its text keeps its size; colours are classes (`static/css/charts.css`). The meaning of a colour is also shown by the
//! order, a pattern and the legend, and a table has the figures (`templates/charts.html`).

mod bars;
mod figures;
mod line;
mod number;
mod scale;
mod series;
mod sparkline;
#[cfg(test)]
mod tests;

pub(crate) use bars::BarChart;
pub(crate) use line::LineChart;
pub(crate) use number::grouped;
pub(crate) use series::{Series, Times, Tone};
pub(crate) use sparkline::Sparkline;
