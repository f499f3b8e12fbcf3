//! What the health page asks of whoever assembles the service.

use async_trait::async_trait;

/// Tells whether the service can do its work: the database answers and its schema is current.
#[async_trait]
pub trait Readiness: Send + Sync {
    /// `Ok`, or what is missing in one sentence without details of the operator's.
    async fn check(&self) -> Result<(), &'static str>;
}
