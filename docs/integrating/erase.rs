//! Erases a person; with the crates `reqwest` 0.13, `serde` 1 and `serde_json` 1.

use std::time::Duration;

use reqwest::{Client, RequestBuilder};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct Found {
    data: Vec<Contact>,
}

#[derive(Deserialize)]
struct Contact {
    id: String,
}

/// Returns what was stored, `None` if no contact has the email. With `block` the email cannot come back.
pub(crate) async fn erase(hub: &str, key: &str, email: &str) -> reqwest::Result<Option<String>> {
    let client = Client::builder().timeout(Duration::from_mins(1)).build()?;
    let lookup = format!("{hub}/api/public/v1/contacts/lookup");
    let send =
        async |request: RequestBuilder| request.bearer_auth(key).send().await?.error_for_status();
    let body = json!({ "emails": [email] });
    let found: Found = send(client.post(lookup).json(&body)).await?.json().await?;
    let Some(Contact { id }) = found.data.first() else { return Ok(None) };
    let contact = format!("{hub}/api/manage/v1/contacts/{id}");
    let known = send(client.get(format!("{contact}/everything"))).await?.text().await?;
    send(client.post(format!("{contact}/erase")).json(&json!({ "block": true }))).await?;
    Ok(Some(known))
}
