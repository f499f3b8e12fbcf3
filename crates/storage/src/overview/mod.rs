//! The figures of the overview.

mod calls;
mod contact_days;
mod setup;
mod standing;
mod store;
