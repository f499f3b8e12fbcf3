//! Passkeys, and the challenges of ceremonies.

mod challenges;
mod keys;
mod store;

pub(crate) use challenges::delete_old as delete_old_challenges;
pub(super) use keys::delete_all;
