//! The service over HTTP: bytes in, a use case, an envelope out.
//!
//! A handler extracts, calls one use case and wraps. The function `endpoint` beside it says who may call it and how the
//! OpenAPI document describes it. The code that all handlers share is around them: `routes` lists every endpoint,
//! `middleware/` runs around every request, `extract/` decodes requests, and only `envelope` and `error` write answers.
//!
//! # To add an endpoint
//!
//! 1. The handler and its `endpoint`, in the folder of its capability, in a file named by its verb; its wire shapes in
//!    `json.rs` and their schemas in `shapes.rs` beside it.
//! 2. One line in `routes`.
//! 3. A test in `tests/it/<capability>/<verb>.rs`.
//!
//! # Never here
//!
//! No rule, no SQL. Status codes are here and nowhere else.

mod access;
mod audit;
mod budget;
mod changes;
mod constant_time;
mod contacts;
mod endpoint;
mod envelope;
mod error;
mod extract;
mod fields;
mod handler;
mod header_names;
mod health;
mod heavy;
mod metrics_access;
mod middleware;
mod openapi;
mod origin;
mod pages;
mod patience;
mod readiness;
mod request_id;
mod resource;
mod routes;
mod server;
mod state;
mod sync;
mod unavailable;
mod webhooks;

pub use access::export_company::{CompanyExportError, WriteLine, export_company};
pub use budget::Budget;
pub use extract::query::FromQuery;
pub use heavy::{Heavy, HeavyThreads};
pub use metrics_access::MetricsAccess;
pub use middleware::RequestMetrics;
pub use openapi::served::ServedDocument;
pub use openapi::version::OpenApiVersion;
pub use pages::live::places::LivePlaces;
pub use patience::Patience;
pub use readiness::Readiness;
pub use routes::{configure, configure_metrics, forms, operations};
pub use server::{MAX_WORKERS, ServerOptions, serve};
pub use state::{RenderMetrics, Stopping, WebState};

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::middleware::Condition;
use actix_web::{App, Error, web};

/// The application of one server thread, with the routes that [`configure`] or [`configure_metrics`] registers.
pub fn app(
    state: web::Data<WebState>,
    routes: fn(&mut web::ServiceConfig),
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody>,
        Error = Error,
        InitError = (),
    >,
> {
    let cors = Condition::new(!state.cors_origins.is_empty(), middleware::cors(&state));
    App::new()
        .app_data(state)
        .configure(routes)
        .wrap(cors)
        .wrap(actix_web::middleware::from_fn(middleware::preflights))
        .wrap(actix_web::middleware::from_fn(middleware::observe))
}
