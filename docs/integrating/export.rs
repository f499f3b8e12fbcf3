//! Exports all contacts, each once, also when connections break off; with the crates `reqwest` 0.13, `serde` 1,
//! `serde_json` 1 and `tokio` 1.

use std::error::Error;
use std::time::Duration;

use reqwest::{Client, StatusCode};
use serde::Deserialize;

#[derive(Deserialize)]
struct Line {
    #[serde(rename = "_cursor")]
    cursor: String,
}

/// Calls a function with each line: a contact and its values. Filters, sorts and search can be added to the address.
pub(crate) async fn export(
    hub: &str,
    key: &str,
    mut each: impl FnMut(&[u8]),
) -> Result<(), Box<dyn Error>> {
    let client = Client::builder().read_timeout(Duration::from_mins(1)).build()?;
    let mut after = String::new();
    loop {
        let url = format!("{hub}/api/public/v1/contacts/export?page[after]={after}");
        let answer = client.get(url).bearer_auth(key).send().await;
        match answer.and_then(reqwest::Response::error_for_status) {
            Ok(answer) => match lines(answer, &mut after, &mut each).await {
                Ok(()) => return Ok(()),
                Err(error) if error.is::<serde_json::Error>() => return Err(error),
                // It broke off. The export goes on after the last whole line.
                Err(_broken) => {}
            },
            Err(error) => match error.status() {
                Some(StatusCode::TOO_MANY_REQUESTS) | None => {}
                Some(status) if status.is_server_error() => {}
                Some(_refused) => return Err(error.into()),
            },
        }
        tokio::time::sleep(Duration::from_secs(5)).await;
    }
}

async fn lines(
    mut answer: reqwest::Response,
    after: &mut String,
    each: &mut impl FnMut(&[u8]),
) -> Result<(), Box<dyn Error>> {
    let mut rest = Vec::new();
    while let Some(bytes) = answer.chunk().await? {
        rest.extend(bytes);
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = rest.drain(..=end).collect();
            *after = serde_json::from_slice::<Line>(&line)?.cursor;
            each(&line);
        }
    }
    if rest.is_empty() { Ok(()) } else { Err("the last line has no end".into()) }
}
