//! The contacts service without its adapters: words, rules, use cases, and the ports through which they reach the world.
//!
//! # Reading order
//!
//! 1. [`contacts`], [`fields`], [`access`], [`sync`] and [`webhooks`] are the capabilities: nouns that are valid once they exist, one module for
//!    each use case, the port that a store implements, and one error enum each.
//! 2. [`context`] is the first parameter of every use case: who asks, and through which ports.
//! 3. [`input`], [`property`] and [`violations`]: what a request gave, what it means, and everything that is wrong with it by
//!    dotted path.
//! 4. [`text`], [`time`], [`ids`] and [`ports`] are what all of them share.
//!
//! # Invariants
//!
//! - No clock, no chance, no input or output, no runtime, no SQL, no HTTP: all of it comes in through ports.
//! - A value that exists is valid; an adapter turns bytes into [`input::Input`] and validates nothing.
//! - A method of a store port is one transaction and names every outcome; absence is an outcome, never an error.
//!
//! # Embedding
//!
//! Bind the ports, authenticate, call a use case. The example stands in for three adapters with the mocks that the
//! feature `mocks` offers; a real service implements [`fields::FieldStore`] and the other store ports on its database.
//!
#![cfg_attr(feature = "mocks", doc = "```")]
#![cfg_attr(not(feature = "mocks"), doc = "```ignore")]
//! use std::sync::Arc;
//!
//! use contact_hub_domain::access::{
//!     Caller, CallerCompany, MockAccessStore, MockPasswordHasher, MockRateLimiter, MockSessionStore, Permissions,
//! };
//! use contact_hub_domain::contacts::MockContactStore;
//! use contact_hub_domain::context::{Context, Ports};
//! use contact_hub_domain::fields::{self, CreateFieldOutcome, FieldDraft, MockFieldStore};
//! use contact_hub_domain::ids::{CompanyId, DirectoryId, UserId};
//! use contact_hub_domain::limits::Limits;
//! use contact_hub_domain::ports::{MockRandomness, MockClock, MockIds};
//! use contact_hub_domain::sync::{Links, MockSyncStore};
//! use contact_hub_domain::webhooks::{
//!     MockDeliveryQueue, MockDeliverySignal, MockVault, MockWebhookSender, MockWebhookStore,
//! };
//! use uuid::Uuid;
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let mut ids = MockIds::new();
//! ids.expect_next().return_const(Uuid::from_u128(7));
//! let mut store = MockFieldStore::new();
//! store.expect_create().returning(|_, _, _| Ok(CreateFieldOutcome::Created));
//!
//! let ports = Ports {
//!     clock: Arc::new(MockClock::new()),
//!     ids: Arc::new(ids),
//!     randomness: Arc::new(MockRandomness::new()),
//!     key_uses: Arc::default(),
//!     rate_limiter: Arc::new(MockRateLimiter::new()),
//!     access: Arc::new(MockAccessStore::new()),
//!     sessions: Arc::new(MockSessionStore::new()),
//!     passwords: Arc::new(MockPasswordHasher::new()),
//!     fields: Arc::new(store),
//!     contacts: Arc::new(MockContactStore::new()),
//!     sync: Arc::new(MockSyncStore::new()),
//!     links: Links::new("https://hub.example"),
//!     webhooks: Arc::new(MockWebhookStore::new()),
//!     deliveries: Arc::new(MockDeliveryQueue::new()),
//!     signal: Arc::new(MockDeliverySignal::new()),
//!     sender: Arc::new(MockWebhookSender::new()),
//!     vault: Arc::new(MockVault::new()),
//!     url_policy: Arc::default(),
//!     limits: Limits::default(),
//! };
//! let caller = Caller {
//!     user_id: UserId::new(Uuid::from_u128(2)),
//!     company: CallerCompany {
//!         id: CompanyId::new(Uuid::from_u128(3)),
//!         directory_id: DirectoryId::new(Uuid::from_u128(4)),
//!         product_access: true,
//!         allowed_domains: Arc::default(),
//!     },
//!     permissions: Permissions::all(),
//! };
//!
//! let draft = FieldDraft { name: "Job Title".into(), r#type: "string".into() };
//! let field = fields::create(&Context { ports: &ports, caller: &caller }, &draft).await.unwrap();
//! assert_eq!(field.key.as_str(), "jobTitle");
//! # });
//! ```

pub mod access;
pub mod contacts;
pub mod context;
pub mod email;
pub mod fields;
pub mod ids;
pub mod input;
pub mod limits;
pub mod page;
pub mod ports;
pub mod property;
pub mod query;
mod rules;
pub mod sync;
pub mod text;
pub mod time;
pub mod violations;
pub mod web_address;
pub mod webhooks;
