//! The figures of the overview.

mod calls;
mod contact_days;
mod imports;
mod key_days;
mod setup;
mod standing;
mod store;
