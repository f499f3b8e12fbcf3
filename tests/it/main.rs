//! The service from outside: over HTTP, and as a process.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod contacts;
mod fields;
mod limits;
mod openapi;
mod outage;
