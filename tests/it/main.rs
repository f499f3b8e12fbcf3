//! The service from outside: over HTTP, and as a process.

mod contacts;
