//! HTTP exchanges with providers.
//!
//! Each has a deadline, follows no redirect, and reads a bounded part of an answer.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use contact_hub_domain::input::FromText;
use contact_hub_domain::web_address::leads_here;
use contact_hub_domain::webhooks::{PayloadUrl, UrlPolicy};
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse, http};
use reqwest::header::USER_AGENT as USER_AGENT_HEADER;
use reqwest::{Client, Request, Response};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use url::Url;

use crate::request::USER_AGENT;

/// How long one exchange may take.
const DEADLINE: Duration = Duration::from_secs(5);

/// The maximum number of bytes of an answer. Real ones have a tenth of that.
const MAX_BODY: usize = 128 << 10;

/// How many exchanges may run at once.
const AT_ONCE: usize = 32;

/// Why an exchange failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum ExchangeError {
    /// The address may not be dialled.
    #[error("the address may not be dialled")]
    Blocked,
    /// It took too long.
    #[error("the answer took too long")]
    Late,
    /// The answer is too large.
    #[error("the answer is too large")]
    TooLarge,
    /// The connection failed.
    #[error("the connection failed")]
    Failed(#[source] reqwest::Error),
    /// The answer is not HTTP.
    #[error("the answer cannot be read")]
    Malformed,
}

impl ExchangeError {
    /// The reason as a short name.
    pub(super) const fn word(&self) -> &'static str {
        match self {
            Self::Blocked => "blocked_address",
            Self::Late => "timeout",
            Self::TooLarge => "answer_too_large",
            Self::Failed(_) => "unreachable",
            Self::Malformed => "malformed_answer",
        }
    }
}

/// Exchanges with the providers of companies, or with those of the operator.
pub(super) struct Exchange {
    client: Client,
    /// Which addresses may be dialled; `None` for the operator's.
    policy: Option<UrlPolicy>,
    places: Semaphore,
}

impl Exchange {
    pub(super) fn new(client: Client, policy: Option<UrlPolicy>) -> Self {
        Self { client, policy, places: Semaphore::new(AT_ONCE) }
    }

    /// Whether an address may be dialled, or a browser be sent there.
    pub(super) fn permits(&self, address: &Url) -> bool {
        match &self.policy {
            Some(policy) => {
                let address = PayloadUrl::from_text(address.as_str());
                address.is_ok_and(|address| policy.permit(&address).is_ok())
            }
            None => {
                address.scheme() == "https" || (address.scheme() == "http" && leads_here(address))
            }
        }
    }

    async fn run(&self, request: HttpRequest) -> Result<HttpResponse, ExchangeError> {
        let mut request = Request::try_from(request).map_err(failed)?;
        if !self.permits(request.url()) {
            return Err(ExchangeError::Blocked);
        }
        if let Ok(name) = USER_AGENT.parse() {
            request.headers_mut().insert(USER_AGENT_HEADER, name);
        }
        let exchange = async {
            let _place = self.places.acquire().await.map_err(|_closed| ExchangeError::Late)?;
            let response = self.client.execute(request).await.map_err(failed)?;
            read(response).await
        };
        timeout(DEADLINE, exchange).await.unwrap_or(Err(ExchangeError::Late))
    }
}

/// An address may contain a secret of the provider.
fn failed(error: reqwest::Error) -> ExchangeError {
    ExchangeError::Failed(error.without_url())
}

async fn read(mut response: Response) -> Result<HttpResponse, ExchangeError> {
    let mut whole = http::Response::builder().status(response.status());
    if let Some(headers) = whole.headers_mut() {
        headers.clone_from(response.headers());
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        if body.len() + chunk.len() > MAX_BODY {
            return Err(ExchangeError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    whole.body(body).map_err(|_never| ExchangeError::Malformed)
}

impl<'c> AsyncHttpClient<'c> for Exchange {
    type Error = ExchangeError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, ExchangeError>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.run(request))
    }
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::webhooks::UrlPolicy;
    use reqwest::Client;

    use super::Exchange;

    #[test]
    fn company_providers_are_limited_to_public_https_addresses() {
        let permits = |policy: Option<UrlPolicy>, address: &str| {
            Exchange::new(Client::new(), policy).permits(&address.parse().expect("an address"))
        };
        let of_company = |address| permits(Some(UrlPolicy::default()), address);
        assert!(of_company("https://id.example/x"));
        for address in
            ["http://id.example", "https://127.0.0.1", "https://localhost", "https://[::1]"]
        {
            assert!(!of_company(address), "{address}");
        }
        let of_operator = |address| permits(None, address);
        for address in
            ["https://10.0.0.1", "https://id.internal", "http://localhost:9", "http://[::1]"]
        {
            assert!(of_operator(address), "{address}");
        }
        for address in ["http://id.internal", "ftp://localhost", "http://10.0.0.1"] {
            assert!(!of_operator(address), "{address}");
        }
    }
}
