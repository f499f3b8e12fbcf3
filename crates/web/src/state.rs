//! What every handler may reach.

use std::sync::Arc;

use contact_hub_domain::context::Ports;
use contact_hub_domain::webhooks::IpNetwork;

use crate::metrics_access::MetricsAccess;
use crate::openapi::served::ServedDocument;
use crate::readiness::Readiness;

/// Renders the metrics in Prometheus text format.
pub type RenderMetrics = Arc<dyn Fn() -> String + Send + Sync>;

/// What a server shares among its threads.
pub struct WebState {
    /// Every port.
    pub ports: Ports,
    /// The address under which clients reach the service, without a slash at its end.
    pub public_url: String,
    /// The origins whose pages may call the service; none switches CORS off.
    pub cors_origins: Vec<String>,
    /// The networks of proxies whose word on the client's address and scheme is taken.
    pub trusted_proxies: Vec<IpNetwork>,
    /// The OpenAPI document, once it is written.
    pub openapi: ServedDocument,
    /// Tells whether the service can do its work.
    pub readiness: Arc<dyn Readiness>,
    /// Serves the metrics on this server to those who may read them; `None` when another listener does.
    pub metrics: Option<(MetricsAccess, RenderMetrics)>,
}
