//! Sends a POST that is done once, however often it is repeated; with the crates `reqwest` 0.13 and `tokio` 1.

use std::time::Duration;

use reqwest::Client;
use reqwest::header::RETRY_AFTER;

/// Repeats the call until its answer is final. Store the idempotency key before you send.
pub(crate) async fn send(
    url: &str,
    key: &str,
    body: &str,
    idempotency_key: &str,
) -> reqwest::Result<(u16, String)> {
    let client = Client::builder().timeout(Duration::from_mins(1)).build()?;
    let mut pause = 1;
    loop {
        let request = client.post(url).bearer_auth(key).header("Content-Type", "application/json");
        let request = request.header("Idempotency-Key", idempotency_key).body(body.to_owned());
        let mut wait = pause;
        // Without an answer nobody knows whether the call was done.
        if let Ok(answer) = request.send().await {
            let status = answer.status().as_u16();
            let after = answer.headers().get(RETRY_AFTER);
            wait = after.and_then(|it| it.to_str().ok()?.parse().ok()).unwrap_or(pause);
            if let Ok(text) = answer.text().await
                && !matches!(status, 408 | 429 | 500..)
                && !(status == 409 && text.contains("IDEMPOTENCY_KEY_IN_USE"))
            {
                return Ok((status, text));
            }
        }
        tokio::time::sleep(Duration::from_secs(wait)).await;
        pause = (2 * pause).min(60);
    }
}
