//! Where a number is on a chart. Only whole numbers are used, so that no rounding depends on the machine.

use std::fmt;

use super::number::of_scale;

/// A part of the width or height of a chart, in hundredths of a percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Share(pub(super) u64);

/// All of it.
pub(super) const FULL: u64 = 10_000;

impl Share {
    /// The position of a part among this many equal parts.
    pub(super) fn of_parts(place: usize, parts: usize) -> Self {
        let (place, parts) = (wide(place), wide(parts.max(1)));
        Self(u64::try_from(place * u128::from(FULL) / parts).unwrap_or(FULL).min(FULL))
    }

    /// What is left of the whole.
    pub(super) const fn rest(self) -> Self {
        Self(FULL.saturating_sub(self.0))
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}%", self.0 / 100, self.0 % 100)
    }
}

/// A line across the chart, with its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GridLine {
    /// How far below the top.
    pub(crate) y: Share,
    /// Its number.
    pub(crate) label: String,
}

/// The numbers from the foot to the top of a chart. Its ends and its middle are round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scale {
    low: u128,
    step: u128,
}

impl Scale {
    /// From 0 to at least `most`.
    pub(super) fn from_zero(most: u64) -> Self {
        Self { low: 0, step: round_up(u128::from(most).div_ceil(2)) }
    }

    /// Around numbers that may be far from 0.
    pub(super) fn around(least: u64, most: u64) -> Self {
        let (least, most) = (u128::from(least.min(most)), u128::from(most));
        let mut step = round_up((most - least).div_ceil(2));
        if least == most {
            return Self { low: least.saturating_sub(step), step };
        }
        while least / step * step + 2 * step < most {
            step = round_up(step + 1);
        }
        Self { low: least / step * step, step }
    }

    /// How far above the foot a number is.
    pub(super) fn height(&self, number: u128) -> Share {
        let above = number.saturating_sub(self.low).min(2 * self.step);
        Share(u64::try_from(above * u128::from(FULL) / (2 * self.step)).unwrap_or(FULL))
    }

    /// Its top, its middle and its foot.
    pub(super) fn lines(&self) -> Vec<GridLine> {
        let numbers = [2, 1, 0].map(|steps| self.low + steps * self.step);
        let line = |(number, label)| GridLine { y: self.height(number).rest(), label };
        numbers.into_iter().zip(of_scale(numbers)).map(line).collect()
    }
}

/// The next of 1, 2, 3, 4, 5, 6, 8, 10, 20 and so on, at least 1.
fn round_up(number: u128) -> u128 {
    let mut unit = 1;
    loop {
        if let Some(round) =
            [1, 2, 3, 4, 5, 6, 8].map(|it| it * unit).into_iter().find(|it| *it >= number)
        {
            return round;
        }
        unit *= 10;
    }
}

fn wide(number: usize) -> u128 {
    u128::try_from(number).unwrap_or(u128::MAX >> 64)
}
