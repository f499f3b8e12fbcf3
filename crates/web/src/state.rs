//! What all handlers share.

use std::sync::Arc;

use contact_hub_domain::context::Ports;
use contact_hub_domain::webhooks::IpNetwork;
use tokio::sync::watch;

use crate::budget::{Budget, Party};
use crate::error::ApiError;
use crate::heavy::Heavy;
use crate::metrics_access::MetricsAccess;
use crate::middleware::RequestMetrics;
use crate::openapi::served::ServedDocument;
use crate::pages::live::places::LivePlaces;
use crate::patience::Patience;
use crate::readiness::Readiness;

/// Renders the metrics in Prometheus text format.
pub type RenderMetrics = Arc<dyn Fn() -> String + Send + Sync>;

/// The state that a server shares among its threads.
pub struct WebState {
    /// Every port.
    pub ports: Ports,
    /// The address under which clients reach the service, without a slash at its end.
    pub public_url: String,
    /// The origins whose pages may call the service; none switches CORS off.
    pub cors_origins: Vec<String>,
    /// The networks of proxies whose headers on the client's address and scheme are trusted.
    pub trusted_proxies: Vec<IpNetwork>,
    /// The memory that requests in progress may take.
    pub budget: Arc<Budget>,
    /// Where heavy work is done.
    pub heavy: Heavy,
    /// How slow a client may be.
    pub patience: Patience,
    /// Whether the service is about to stop.
    pub stopping: Stopping,
    /// The metrics of requests.
    pub requests: RequestMetrics,
    /// The open streams of pages that show changes by themselves.
    pub live: Arc<LivePlaces>,
    /// The OpenAPI document, once it is written.
    pub openapi: ServedDocument,
    /// Checks whether the service is ready.
    pub readiness: Arc<dyn Readiness>,
    /// Serves the metrics on this server to those who may read them; `None` when another listener does.
    pub metrics: Option<(MetricsAccess, RenderMetrics)>,
}

impl WebState {
    /// Runs heavy work of a party that needs this many bytes, on separate threads and once there is memory for it.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        party: Party,
        bytes: usize,
        work: impl Future<Output = Result<T, ApiError>> + Send + 'static,
    ) -> Result<T, ApiError> {
        let granted = self.budget.work(party, bytes).await?;
        let work = async move {
            let done = work.await;
            drop(granted);
            done
        };
        self.heavy.run(work).await
    }
}

/// Whether the service is about to stop: it still answers, but says that it is not ready and asks for new connections to be
/// made elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Stopping(Arc<watch::Sender<bool>>);

impl Stopping {
    /// Marks that the service begins to stop.
    pub fn begin(&self) {
        self.0.send_replace(true);
    }

    /// Whether it has begun to stop.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until it has begun to stop.
    pub(crate) async fn begun(&self) {
        self.0.subscribe().wait_for(|begun| *begun).await.ok();
    }
}
