//! The contacts service without its adapters: types, rules, use cases, and ports.
//!
//! # Reading order
//!
//! 1. [`contacts`], [`fields`], [`access`], [`sync`], [`webhooks`], [`changes`], [`audit`], [`alerts`] and [`overview`]
//!    are the capabilities: types that are valid once they exist, one module for each use case, the port that a store
//!    implements, and one error enum each.
//! 2. [`context`] is the first parameter of every use case: who asks, and through which ports.
//! 3. [`input`], [`property`] and [`violations`]: the raw input of a request, its parsed form, and all its errors by
//!    dotted path.
//! 4. [`text`], [`time`], [`ids`] and [`ports`] are what all of them share.
//!
//! # Invariants
//!
//! - No clock, randomness, input or output, runtime, SQL or HTTP. Ports provide them.
//! - A value that exists is valid; an adapter turns bytes into [`input::Input`] and validates nothing.
//! - A method of a store port is one transaction and names every outcome; absence is an outcome, never an error.
//!
//! # Compatibility
//!
//! Structs that only use cases return are `#[non_exhaustive]`, so that they can grow. Enums are exhaustive, because
//! each adapter has to handle a new error or state.
//!
//! # Embedding
//!
//! Bind the ports of a capability, authenticate, call a use case. This program embeds contacts and their fields only, with a
//! store of plain rows ([`row_store`]).
//! The feature `mocks` has a mock of every port.
//!
//! ```
#![doc = include_str!("../examples/embed.rs")]
//! ```

pub mod access;
pub mod alerts;
pub mod audit;
pub mod author;
pub mod changes;
pub mod contacts;
pub mod context;
pub mod email;
pub mod fields;
pub mod idempotency;
pub mod ids;
pub mod input;
pub mod limits;
pub mod live;
pub mod overview;
pub mod page;
pub mod ports;
pub mod property;
pub mod row_store;
mod rules;
pub mod sorting;
pub mod sync;
pub mod text;
mod texts;
pub mod time;
pub mod violations;
pub mod web_address;
pub mod webhooks;
mod words;
