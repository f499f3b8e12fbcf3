//! The figures of the overview.

mod calls;
mod contact_days;
mod key_days;
mod imports;
mod setup;
mod standing;
mod store;

pub(crate) use calls::delete_old as delete_old_calls;
pub(crate) use contact_days::delete_old as delete_old_contact_days;
pub(crate) use key_days::delete_old as delete_old_key_days;
