//! Proves that an adapter keeps contacts and fields as Contact Hub's own stores do.
//!
//! A program that embeds [`contact_hub_domain`] with its own store implements
//! [`ContactStore`](contact_hub_domain::contacts::ContactStore) and
//! [`FieldStore`](contact_hub_domain::fields::FieldStore), or for plain rows
//! [`RowStore`](contact_hub_domain::row_store::RowStore). One function tests the implementation: random sequences of
//! creates, bulks, changes, deletions, values and fields are done through the use cases, and after each write contacts
//! with their versions, look-ups, values in use and lists by cursor are compared with a plain model in memory; after each
//! sequence also lists and values page by page. A difference is shrunk to a short sequence and reported by a panic.
//!
//! Then it checks duties that random writes do not show, each in a company of its own: expected versions, keys and limits
//! of fields, limits of bytes, and that a company sees and changes nothing of another.
//!
//! It does not test other ports, the entries that writes add to the change feed and the audit, or concurrent calls.
//!
//! ```
//! use std::future::Future;
//! use std::pin::Pin;
//!
//! use contact_hub_store_tests::{Harness, Subject, any_sequence_of_writes_is_as_the_model_says};
//!
//! struct OfMyStore {
//!     runtime: tokio::runtime::Runtime,
//! }
//!
//! impl Harness for OfMyStore {
//!     fn subject(&self) -> Subject {
//!         // Ports with the adapter, and the caller of a new company.
//!         # unimplemented!()
//!     }
//!
//!     fn block_on(&self, work: Pin<Box<dyn Future<Output = ()> + '_>>) {
//!         self.runtime.block_on(work);
//!     }
//! }
//!
//! # if false {
//! let runtime = tokio::runtime::Runtime::new()?;
//! any_sequence_of_writes_is_as_the_model_says(&OfMyStore { runtime }, 40);
//! # }
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! `examples/redb` is an adapter over an embedded key-value store, and `tests/redb.rs` its test.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a difference is reported by a panic, as in any test"
)]

mod compare;
mod duties;
mod lists;
mod model;
mod steps;
mod subject;

use std::future::Future;
use std::pin::Pin;

use proptest::prelude::prop;
use proptest::test_runner::{Config, TestRunner};

pub use subject::{Background, Subject};

/// The longest sequence of writes.
const MAX_STEPS: usize = 16;

/// Gives adapters to test, and runs their futures.
pub trait Harness {
    /// The adapter with a company that has no contacts and no fields yet; called for each sequence and each duty.
    fn subject(&self) -> Subject;

    /// Runs a future to its end, on the runtime that the adapter needs.
    fn block_on(&self, work: Pin<Box<dyn Future<Output = ()> + '_>>);
}

/// Does this many random sequences of writes, each in its own company, and compares the adapter with the model after
/// every write. Then it checks the duties that random writes do not show.
///
/// # Panics
///
/// When they differ, with the shortest sequence that was found, or when the adapter neglects a duty.
pub fn any_sequence_of_writes_is_as_the_model_says(harness: &impl Harness, cases: u32) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let sequences = prop::collection::vec(steps::step(), 1..MAX_STEPS);
    let result = TestRunner::new(config).run(&sequences, |steps| {
        let subject = harness.subject();
        harness.block_on(Box::pin(subject.run(&steps)));
        Ok(())
    });
    if let Err(failed) = result {
        panic!("the adapter and the model differ: {failed}");
    }
    duties::check(harness);
}
