//! The Rust client with a real hub and with servers that misbehave, and the commands that use it.

mod attempts;
mod calls;
mod commands;
mod streams;
mod webhooks;

use std::time::Duration;

use contact_hub_client::{ContactHub, Error, NewContact, Retries};
use contact_hub_tests::{Client, TestHub};

/// The client with the key of a new company, and the plain client of the same company.
async fn client(hub: &TestHub) -> (ContactHub, Client) {
    let plain = hub.client().await;
    (ContactHub::new(&hub.base(), &plain.made.token).expect("a client"), plain)
}

fn ann(number: usize) -> NewContact {
    NewContact::new(format!("ann{number:03}@example.com"), "Ann", format!("Lee{number:03}"))
}

/// The status and the code of an error of the hub.
#[track_caller]
fn code(error: &Error) -> (u16, Option<&str>) {
    let answer = error.answer().unwrap_or_else(|| panic!("{error:?}"));
    (answer.status, answer.code.as_deref())
}

/// Pauses that are too short to slow down a test.
fn quick() -> Retries {
    Retries { first_pause: Duration::from_millis(1), ..Retries::default() }
}
