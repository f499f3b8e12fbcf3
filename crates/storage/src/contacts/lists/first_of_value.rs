//! The first of many contacts with one value of a field, in the order of their creation, on SQLite.
//!
//! The index of values has them by id, which is nearly that order. As many as the window has up to its end are read from
//! there. None that was created later than all of these is before its end. Ids have the time at which they were made (RFC
//! 9562, section 5.7), so those that are far behind it in the index are not read, unless the field has contacts whose ids
//! have another time: these have an index.

use contact_hub_domain::contacts::Sort;

use super::conditions::Conditions;
use super::order::direction;
use super::walk::bound;
use super::window::Window;
use crate::contacts::indexed::FieldNaming;
use crate::statement::{Statement, sql};

/// These are looked for if there are at least this many times as many matches as there are up to the end of the window.
const MANY: u64 = 8;

/// A key behind every id: it has one byte more.
const BEHIND_ALL: &str = "x'ffffffffffffffffffffffffffffffffff'";

impl Conditions {
    /// As [`hits_by_value`](Self::hits_by_value), for a window that is among the first of many matches with one value: without
    /// most of those behind it.
    pub(super) fn hits_near(
        &self,
        sorts: &[Sort],
        window: &Window,
        matches: u64,
    ) -> Option<Statement> {
        let only = self.values().next().filter(|it| it.is_one_value && self.number() == 1)?;
        let [Sort { descending, .. }] = *sorts else { return None };
        if !self.are_known_by_values(sorts) || matches / MANY < window.end() {
            return None;
        }
        let first = sql!(
            "SELECT contact_created_at FROM {} ORDER BY sort_key, contact_id {} LIMIT ?",
            &only.rows,
            direction(descending, window.from_the_end),
        );
        let first = first.bind(bound(window.end()));
        let ascends = descending == window.from_the_end;
        let last = if ascends { "max" } else { "min" };
        let last = sql!("(SELECT {}(contact_created_at) FROM ({}) AS first)", last, first);
        let is_in_order = sql!(
            "NOT EXISTS (SELECT 1 FROM indexed_values INDEXED BY indexed_values_not_in_order WHERE {} AND is_in_order = 0)",
            FieldNaming::Number.of("", self.company(), only.field),
        );
        Some(sql!(
            "SELECT id, created_at FROM (SELECT contact_id AS id, contact_created_at AS created_at FROM {} AND {} \
             ORDER BY sort_key) AS contacts",
            &only.rows,
            near(ascends, &last, &is_in_order),
        ))
    }
}

/// That a contact was created up to the last moment, or from it on, and that its id is not far behind it, if the ids are in
/// order.
fn near(ascends: bool, last: &Statement, is_in_order: &Statement) -> Statement {
    if ascends {
        sql!(
            "contact_created_at <= {} AND contact_id < CASE WHEN {} THEN {} ELSE {} END",
            last,
            is_in_order,
            with_time(last, " + 1001"),
            BEHIND_ALL,
        )
    } else {
        sql!(
            "contact_created_at >= {} AND contact_id >= CASE WHEN {} THEN {} ELSE x'' END",
            last,
            is_in_order,
            with_time(last, " - 1000"),
        )
    }
}

/// The beginning of the ids of a time that is some milliseconds from this moment.
fn with_time(moment: &Statement, milliseconds: &'static str) -> Statement {
    sql!("unhex(printf('%012X', {} / 1000{}))", moment, milliseconds)
}
