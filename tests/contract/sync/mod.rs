//! The duties of [`SyncStore`], line by line.

mod assets;
mod concurrency;
mod integrations;
mod overview;
mod sample;
mod syncs;
