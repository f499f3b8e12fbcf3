//! The duties of [`SyncStore`], line by line.

mod assets;
mod concurrency;
mod integrations;
mod overview;
mod requests_together;
mod sample;
mod syncs;
