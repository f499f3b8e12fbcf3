//! The test harness: a database for each test, a running hub, a client of one company, the built binary.
//!
//! `CONTACT_HUB_TEST_DATABASE` selects the database: `sqlite` (the default) or the address of a PostgreSQL server on
//! which databases may be created. With `CONTACT_HUB_TEST_POOLER` the services use a pooler in front of it. Every test
//! has a separate database, so tests run in parallel and in any order. `CONTACT_HUB_TEST_BINARY` names a binary to test
//! in place of the built one.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::disallowed_methods,
    reason = "a harness fails the test that uses it"
)]

mod authority;
mod binary;
mod browser;
mod chrome;
mod client;
mod clock;
mod collector;
mod company;
mod database;
mod hub;
mod identity_provider;
mod mail_server;
mod mail_session;
mod nodes;
mod passkey;
mod plans;
mod proxy;
mod receiver;
mod rows;
mod tls_server;
mod two_step;

pub use authority::Authority;
pub use binary::{Binary, Running, mirror};
pub use browser::{Browser, field};
pub use chrome::Chrome;
pub use client::{Answer, Client};
pub use clock::TestClock;
pub use collector::{Collector, SpanSeen};
pub use company::{CompanyOptions, Made, caller_of, create_company};
pub use database::TestDatabase;
pub use hub::{TestHub, with_database, with_hub, with_idle_hub, with_idle_settings, with_settings};
pub use identity_provider::{IdentityProvider, OIDC_CLIENT, Script};
pub use mail_server::{Mail, MailServer, Treatment};
pub use mail_session::{MailRules, MailSecurity};
pub use nodes::Cluster;
pub use passkey::SoftPasskey;
pub use proxy::Proxy;
pub use receiver::{Received, Receiver, Reply};
pub use tls_server::TlsServer;
pub use two_step::code_at;
