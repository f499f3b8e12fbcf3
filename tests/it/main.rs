//! Black-box tests of the service, over HTTP and as a process.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what the tests share fails the test that uses it"
)]

mod access;
mod alerts;
mod audit;
mod backups;
mod bootstrap;
mod changes;
mod client;
mod cluster;
mod commands;
mod company;
mod connections;
mod contacts;
mod crash;
mod database_tls;
mod demo;
mod edge;
mod erasures;
mod fields;
mod files_of_others;
mod idempotency;
mod instances;
mod integrating;
mod limits;
mod lock_waits;
mod logs;
mod master_key;
mod migrating;
mod mirror;
mod oidc;
mod openapi;
mod outage;
mod pages;
mod prepared;
mod process;
mod quantities;
mod queries;
mod receiver;
mod replicas;
mod restart;
mod signatures;
mod silence;
mod snippets;
mod statistics;
mod support;
mod surface;
mod sync;
mod tenancy;
mod traces;
mod unwritable;
mod usage;
mod webhooks;
mod write_ahead_log;
