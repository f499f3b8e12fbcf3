//! What runs around the handlers.

mod guard;
mod observe;
mod rate_limit;
mod render;

pub(crate) use guard::guard;
pub(crate) use observe::observe;
