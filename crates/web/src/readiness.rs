//! The readiness check, which the program provides.

use async_trait::async_trait;

/// Checks whether the service is ready: the database answers and its schema is current.
#[async_trait]
pub trait Readiness: Send + Sync {
    /// `Ok`, or what is missing in one sentence without details of the installation.
    async fn check(&self) -> Result<(), &'static str>;
}
