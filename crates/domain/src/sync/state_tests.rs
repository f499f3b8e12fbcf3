//! The table of states and steps, cell by cell and for any order of steps.

use proptest::prelude::*;
use uuid::Uuid;

use super::{AssetSync, Step, Stepped, SyncState};
use crate::ids::{AssetId, IntegrationId, SyncId};
use crate::input::FromText;
use crate::sync::{ErrorMessage, MapEntry, MapId, MapUrl, Report};
use crate::time::Timestamp;

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).expect("in range")
}

fn map(id: &str) -> MapEntry {
    MapEntry {
        id: MapId::from_text(id).expect("an id"),
        url: MapUrl::from_text("https://a.example").expect("a URL"),
    }
}

fn message(text: &str) -> ErrorMessage {
    ErrorMessage::from_text(text).expect("a message")
}

fn sync(state: SyncState) -> AssetSync {
    AssetSync {
        id: SyncId::new(Uuid::from_u128(1)),
        asset_id: AssetId::new(Uuid::from_u128(2)),
        integration_id: IntegrationId::new(Uuid::from_u128(3)),
        requested_by: None,
        requested_at: at(1),
        state,
    }
}

fn reports() -> [Report; 4] {
    [
        Report::Completed(map("1")),
        Report::Completed(map("2")),
        Report::Failed(message("a")),
        Report::Failed(message("b")),
    ]
}

fn steps() -> Vec<Step> {
    reports().into_iter().map(Step::Report).chain([Step::Supersede, Step::Withdraw]).collect()
}

/// The states, each with its row of the table: the index of the state that each step leads to, `=` for no change, `!`
/// for a refusal.
const TABLE: [&str; 7] = ["123456", "=!!!==", "!=!!==", "!!=!==", "!!!===", "!!!!==", "!!!!=="];

fn states(reported_at: Timestamp) -> [SyncState; 7] {
    [
        SyncState::Requested,
        SyncState::Completed { map: map("1"), reported_at },
        SyncState::Completed { map: map("2"), reported_at },
        SyncState::Failed { message: message("a"), reported_at },
        SyncState::Failed { message: message("b"), reported_at },
        SyncState::Superseded,
        SyncState::Withdrawn,
    ]
}

#[test]
fn every_step_in_every_state_follows_the_table() {
    for (row, state) in TABLE.iter().zip(states(at(2))) {
        for (cell, step) in row.chars().zip(steps()) {
            let expected = match cell {
                '=' => Stepped::Unchanged,
                '!' => Stepped::Refused,
                place => {
                    let place = usize::try_from(place.to_digit(10).expect("a place"));
                    Stepped::Moved(sync(states(at(3))[place.expect("small")].clone()))
                }
            };
            assert_eq!(sync(state.clone()).after(&step, at(3)), expected, "{state:?} {step:?}");
        }
    }
}

#[test]
fn is_shown_in_the_terms_of_the_interface() {
    let shown: Vec<_> = states(at(2))
        .map(|state| {
            let sync = sync(state);
            let message = sync.error_message().is_some();
            (sync.status().as_str(), sync.map().is_some(), message, sync.reported_at())
        })
        .into_iter()
        .collect();
    let reported = Some(at(2));
    assert_eq!(
        shown,
        [
            ("sync_requested", false, false, None),
            ("completed", true, false, reported),
            ("completed", true, false, reported),
            ("failed", false, true, reported),
            ("failed", false, true, reported),
            ("failed", false, true, None),
            ("failed", false, true, None),
        ]
    );
}

proptest! {
    /// In any order of steps, a sync is closed once, by the first step, and never changes again.
    #[test]
    fn the_first_step_closes_the_sync(places in prop::collection::vec(0_usize..6, 1..12)) {
        let mut current = sync(SyncState::Requested);
        let mut moves = 0;
        for (time, place) in (2..).zip(&places) {
            if let Stepped::Moved(next) = current.after(&steps()[*place], at(time)) {
                prop_assert!(current.is_open() && !next.is_open());
                current = next;
                moves += 1;
            }
        }
        prop_assert_eq!(moves, 1);
        prop_assert_eq!(&current.state, &states(at(2))[places[0] + 1]);
        prop_assert_eq!(current.reported_at().is_some(), places[0] < 4);
    }
}
