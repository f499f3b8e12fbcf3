//! Who may call.

mod last_use;
mod order;
mod permission;
mod revoke;
mod token;
