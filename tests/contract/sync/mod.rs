//! The duties of [`SyncStore`], line by line.

mod assets;
mod concurrency;
mod integrations;
mod sample;
mod syncs;
