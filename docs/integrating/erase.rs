//! Erases a person; with the crates `reqwest` 0.13 and `serde_json` 1.

use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};

/// Returns what was stored, `None` if no contact has the email. With `block` the email cannot come back.
pub(crate) async fn erase(hub: &str, key: &str, email: &str) -> reqwest::Result<Option<Value>> {
    let (client, lookup) = (Client::new(), format!("{hub}/api/public/v1/contacts/lookup"));
    let send =
        async |request: RequestBuilder| request.bearer_auth(key).send().await?.error_for_status();
    let body = json!({ "emails": [email] });
    let found: Value = send(client.post(lookup).json(&body)).await?.json().await?;
    let Some(id) = found["data"][0]["id"].as_str() else { return Ok(None) };
    let contact = format!("{hub}/api/manage/v1/contacts/{id}");
    let known = send(client.get(format!("{contact}/everything"))).await?.json().await?;
    send(client.post(format!("{contact}/erase")).json(&json!({ "block": true }))).await?;
    Ok(Some(known))
}
