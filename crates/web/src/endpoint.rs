//! One method of one path.

use actix_web::Route;
use actix_web::http::Method;

/// One method of one path.
pub(crate) struct Endpoint {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) route: Route,
}
