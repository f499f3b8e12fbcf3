//! Who may call.

mod company;
mod keys;
mod last_use;
mod order;
mod permission;
mod revoke;
mod sign_in;
mod token;
mod users;
