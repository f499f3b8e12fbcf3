//! How the cells of a column are read. Where one text can mean several values, such as `01/02/2026` and `1.234`, the
//! person chooses the reading of the column; it is never guessed from a cell.

use contact_hub_domain::fields::FieldType;

/// The reading of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Reading {
    /// Only what has one meaning: dates with the year first, numbers without separators of thousands.
    #[default]
    Plain,
    /// Dates with the day first.
    DayFirst,
    /// Dates with the month first.
    MonthFirst,
    /// Numbers with a decimal point, and commas between thousands.
    Point,
    /// Numbers with a decimal comma, and points between thousands.
    Comma,
}

impl Reading {
    pub(super) const CODES: [(&'static str, Self); 5] = [
        ("plain", Self::Plain),
        ("dmy", Self::DayFirst),
        ("mdy", Self::MonthFirst),
        ("point", Self::Point),
        ("comma", Self::Comma),
    ];

    /// The reading with this code.
    pub(super) fn of(code: &str) -> Option<Self> {
        Self::CODES.into_iter().find(|(known, _)| *known == code).map(|(_, reading)| reading)
    }

    /// The code.
    pub(super) fn code(self) -> &'static str {
        let found = Self::CODES.into_iter().find(|(_, reading)| *reading == self);
        found.map_or("plain", |(code, _)| code)
    }

    /// The readings to choose from for values of a type.
    pub(super) const fn all_of(kind: FieldType) -> &'static [Self] {
        match kind {
            FieldType::Number => &[Self::Plain, Self::Point, Self::Comma],
            FieldType::Date | FieldType::DateTime => {
                &[Self::Plain, Self::DayFirst, Self::MonthFirst]
            }
            FieldType::String | FieldType::Boolean => &[Self::Plain],
        }
    }

    /// Whether values of a type have several readings.
    pub(super) const fn is_chosen_for(kind: FieldType) -> bool {
        Self::all_of(kind).len() > 1
    }
}
