//! How cells become values under the reading of their column.

use contact_hub_domain::fields::{FieldType, FieldValue};
use contact_hub_domain::input::Input;

use super::reading::Reading;
use super::spelling;

/// The reading that these cells need. `None` when several read equally many of them, and not all to the same values.
pub(super) fn needed(kind: FieldType, cells: &[String]) -> Option<Reading> {
    let read = |reading: &Reading| -> Vec<Option<FieldValue>> {
        cells.iter().map(|cell| value(kind, *reading, cell)).collect()
    };
    let all = Reading::all_of(kind).iter().map(|reading| (*reading, read(reading)));
    let all: Vec<(Reading, Vec<Option<FieldValue>>)> = all.collect();
    let count = |values: &[Option<FieldValue>]| values.iter().flatten().count();
    let most = all.iter().map(|(_, values)| count(values)).max()?;
    let mut best = all.iter().filter(|(_, values)| count(values) == most);
    let (first, values) = best.next()?;
    best.all(|(_, others)| others == values).then_some(*first)
}

/// The type of field that could hold these cells. An empty column suggests text.
pub(super) fn suggested(cells: &[String]) -> FieldType {
    let fits = |kind: FieldType| {
        let reads = |reading: &Reading| cells.iter().all(|it| value(kind, *reading, it).is_some());
        Reading::all_of(kind).iter().any(reads)
    };
    let kinds = [FieldType::Number, FieldType::Boolean, FieldType::Date, FieldType::DateTime];
    let fitting = kinds.into_iter().find(|kind| !cells.is_empty() && fits(*kind));
    fitting.unwrap_or(FieldType::String)
}

/// The value of a cell; `None` when it cannot be read.
pub(super) fn value(kind: FieldType, reading: Reading, cell: &str) -> Option<FieldValue> {
    FieldValue::validate(kind, &input(kind, reading, cell)).ok()
}

/// A cell as input for a field of this type. A cell that cannot be read stays text, which the validation of the field
/// rejects.
pub(super) fn input(kind: FieldType, reading: Reading, cell: &str) -> Input {
    let word = cell.trim();
    let read = match kind {
        FieldType::String => None,
        FieldType::Boolean => spelling::boolean(word).map(Input::Bool),
        FieldType::Number => spelling::number(word, reading).map(Input::Number),
        FieldType::Date => spelling::date(word, reading).map(Input::Text),
        FieldType::DateTime => spelling::moment(word, reading).map(Input::Text),
    };
    read.unwrap_or_else(|| cell.into())
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::fields::FieldType::{self, Boolean, Date, DateTime, Number};
    use proptest::prelude::*;

    use super::Reading::{self, Comma, DayFirst, MonthFirst, Plain, Point};
    use super::{needed, suggested, value};
    use crate::fields::json::text_of;

    fn read(kind: FieldType, reading: Reading, cell: &str) -> Option<String> {
        value(kind, reading, cell).map(|value| text_of(&value))
    }

    fn check(kind: FieldType, cases: &[(Reading, &str, Option<&str>)]) {
        for (reading, cell, expected) in cases {
            assert_eq!(read(kind, *reading, cell).as_deref(), *expected, "{reading:?} {cell}");
        }
    }

    #[test]
    fn booleans_have_many_spellings() {
        for word in ["yes", "Y", "TRUE", "t", "1", " on "] {
            check(Boolean, &[(Plain, word, Some("true"))]);
        }
        for word in ["no", "N", "False", "f", "0", "Off"] {
            check(Boolean, &[(Plain, word, Some("false"))]);
        }
        check(Boolean, &[(Plain, "maybe", None), (Plain, "2", None), (Plain, "ja", None)]);
    }

    #[test]
    fn dates_are_parsed_in_the_chosen_order() {
        check(
            Date,
            &[
                (Plain, "2026-01-31", Some("2026-01-31")),
                (Plain, "2026/1/3", Some("2026-01-03")),
                (Plain, "03.01.2026", None),
                (DayFirst, "03.01.2026", Some("2026-01-03")),
                (DayFirst, " 3/1/2026 ", Some("2026-01-03")),
                (DayFirst, "2026-01-03", Some("2026-01-03")),
                (DayFirst, "01/31/2026", None),
                (MonthFirst, "01/31/2026", Some("2026-01-31")),
                (MonthFirst, "31/01/2026", None),
                (DayFirst, "03.01.26", None),
                (DayFirst, "03.01/2026", None),
                (DayFirst, "003.01.2026", None),
                (DayFirst, "30.02.2026", None),
                (DayFirst, "03 01 2026", None),
                (DayFirst, "+3.01.2026", None),
                (DayFirst, "", None),
            ],
        );
    }

    #[test]
    fn timestamps_without_a_time_zone_are_in_utc() {
        check(
            DateTime,
            &[
                (Plain, "2026-01-31T09:30:00+01:00", Some("2026-01-31T08:30:00+00:00")),
                (Plain, "2026-01-31 09:30", Some("2026-01-31T09:30:00+00:00")),
                (Plain, "2026-01-31", Some("2026-01-31T00:00:00+00:00")),
                (DayFirst, "31.01.2026 9:30:15", Some("2026-01-31T09:30:15+00:00")),
                (DayFirst, "31.01.2026, 9:30 UTC", Some("2026-01-31T09:30:00+00:00")),
                (MonthFirst, "1/31/2026 12:05 AM", Some("2026-01-31T00:05:00+00:00")),
                (MonthFirst, "1/31/2026 12:05 pm", Some("2026-01-31T12:05:00+00:00")),
                (MonthFirst, "1/31/2026 13:05 PM", None),
                (DayFirst, "31.01.2026 09:30 -05:00", Some("2026-01-31T14:30:00+00:00")),
                (Plain, "31.01.2026 09:30", None),
                (Plain, "2026-01-31 25:00", None),
                (Plain, "2026-01-31 9", None),
                (Plain, "today", None),
            ],
        );
    }

    #[test]
    fn numbers_are_parsed_with_the_chosen_decimal_separator() {
        check(
            Number,
            &[
                (Plain, "1234.5", Some("1234.5")),
                (Plain, "-1.50", Some("-1.50")),
                (Plain, "+7", Some("7")),
                (Plain, "1e5", Some("1e5")),
                (Plain, "1,5", None),
                (Plain, "007", None),
                (Point, "1,234,567.5", Some("1234567.5")),
                (Point, "1,5", None),
                (Point, "1234,567", None),
                (Comma, "1.234.567,5", Some("1234567.5")),
                (Comma, "-0,25", Some("-0.25")),
                (Comma, "1.5", None),
                (Comma, ",5", None),
                (Comma, "1,", None),
                (Comma, "--1", None),
                (Point, "0x10", None),
            ],
        );
    }

    #[test]
    fn a_format_is_only_chosen_if_the_cells_determine_it() {
        let needed = |kind, cells: &[&str]| {
            let cells: Vec<String> = cells.iter().map(|it| (*it).to_owned()).collect();
            needed(kind, &cells)
        };
        assert_eq!(needed(Date, &["2026-01-02"]), Some(Plain));
        assert_eq!(needed(Date, &["01.02.2026"]), None);
        assert_eq!(needed(Date, &["01.02.2026", "13.02.2026"]), Some(DayFirst));
        assert_eq!(needed(Date, &["01/02/2026", "02/13/2026"]), Some(MonthFirst));
        assert_eq!(needed(Date, &["02/02/2026"]), Some(DayFirst));
        assert_eq!(needed(DateTime, &["01.02.2026 10:00"]), None);
        assert_eq!(needed(Number, &["1", "2.5"]), Some(Plain));
        assert_eq!(needed(Number, &["1,234"]), None);
        assert_eq!(needed(Number, &["1.234"]), None);
        assert_eq!(needed(Number, &["1.234,5"]), Some(Comma));
        assert_eq!(needed(Number, &["1,234.5"]), Some(Point));
        assert_eq!(needed(Number, &["x"]), Some(Plain));
        assert_eq!(needed(Boolean, &[]), Some(Plain));
    }

    #[test]
    fn a_type_is_suggested_that_every_cell_fits() {
        let of = |cells: &[&str]| {
            suggested(&cells.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(of(&["1", "2,5"]), Number);
        assert_eq!(of(&["yes", "0"]), Boolean);
        assert_eq!(of(&["31.01.2026", "2026-01-01"]), Date);
        assert_eq!(of(&["31.01.2026 10:00"]), DateTime);
        assert_eq!(of(&["12345", "01234"]), FieldType::String);
        assert_eq!(of(&[]), FieldType::String);
    }

    proptest! {
        #[test]
        fn no_cell_causes_a_panic(cell in "[-+0-9.,:/ TZeEamp]{0,24}|.{0,12}") {
            for kind in [Boolean, Number, Date, DateTime, FieldType::String] {
                for (_, reading) in Reading::CODES {
                    let _ = value(kind, reading, &cell);
                }
            }
        }

        #[test]
        fn every_date_survives_a_round_trip_in_every_order(y in 1_u32..=9999, m in 1_u32..=12, d in 1_u32..=28) {
            let day = Some(format!("{y:04}-{m:02}-{d:02}"));
            prop_assert_eq!(read(Date, Plain, &format!("{y:04}-{m}-{d}")), day.clone());
            prop_assert_eq!(read(Date, DayFirst, &format!("{d}.{m}.{y:04}")), day.clone());
            prop_assert_eq!(read(Date, MonthFirst, &format!("{m}/{d}/{y:04}")), day);
        }
    }
}
