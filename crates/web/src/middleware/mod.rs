//! What runs around the handlers.

mod answer;
mod cors;
mod deprecated;
mod guard;
mod held;
mod kept;
mod observe;
mod once;
mod rate_limit;
mod render;
mod request_metrics;
mod unread;

pub(crate) use cors::{cors, preflights};
pub(crate) use deprecated::deprecated;
pub(crate) use guard::{bearer, guard};
pub(crate) use held::held;
pub(crate) use observe::observe;
pub(crate) use once::Once;
pub(crate) use rate_limit::count_refusal;
pub(crate) use render::log;
pub use request_metrics::RequestMetrics;
