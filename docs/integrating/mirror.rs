//! Keeps a copy of the contacts; with the crates `reqwest` 0.13 and `serde_json` 1. `crates/mirror` is a whole program.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

/// A hub and a key.
pub(crate) struct Hub {
    pub(crate) url: String,
    pub(crate) key: String,
}

/// A copy; store it after each run.
pub(crate) struct Copy {
    cursor: String,
    /// By id.
    pub(crate) contacts: BTreeMap<String, Value>,
}

impl Hub {
    async fn call(&self, path: &str, body: Option<Value>) -> reqwest::Result<Value> {
        let (client, url) = (Client::new(), format!("{}{path}", self.url));
        let request = match body {
            Some(body) => client.post(url).json(&body),
            None => client.get(url),
        };
        request.bearer_auth(&self.key).send().await?.error_for_status()?.json().await
    }

    async fn changes(&self, after: &str) -> reqwest::Result<Value> {
        self.call(&format!("/api/manage/v1/changes?page[size]=1000&after={after}"), None).await
    }

    /// Brings a copy up to date, or begins one.
    pub(crate) async fn mirror(&self, copy: Option<Copy>) -> reqwest::Result<Copy> {
        let copy = match copy {
            Some(copy) => copy,
            None => self.first_copy().await?,
        };
        match self.follow(copy).await {
            // The cursor has expired.
            Err(error) if error.status() == Some(StatusCode::GONE) => {
                self.follow(self.first_copy().await?).await
            }
            result => result,
        }
    }

    /// The cursor must be from before the contacts are read.
    async fn first_copy(&self) -> reqwest::Result<Copy> {
        let latest = self.changes("latest").await?;
        let mut copy = Copy { cursor: next(&latest).to_owned(), contacts: BTreeMap::new() };
        let mut after = String::new();
        loop {
            let path = "/api/public/v1/contacts?include=field_values&page[size]=100&page[after]=";
            let part = self.call(&format!("{path}{after}"), None).await?;
            copy.store(&part);
            if part["meta"]["next"].is_null() {
                return Ok(copy);
            }
            next(&part).clone_into(&mut after);
        }
    }

    /// Applies all changes since the last run.
    async fn follow(&self, mut copy: Copy) -> reqwest::Result<Copy> {
        loop {
            let page = self.changes(&copy.cursor).await?;
            let entries = entries(&page).iter();
            let of_contacts = entries.filter(|entry| text(&entry["type"]).starts_with("contact."));
            let ids: BTreeSet<_> = of_contacts.map(|entry| text(&entry["object_id"])).collect();
            if !ids.is_empty() {
                let body = json!({ "ids": ids });
                let found = self.call("/api/public/v1/contacts/lookup", Some(body)).await?;
                copy.store(&found);
                for id in found["meta"]["missing"].as_array().into_iter().flatten() {
                    copy.contacts.remove(text(id));
                }
            }
            next(&page).clone_into(&mut copy.cursor);
            if page["data"] == json!([]) {
                return Ok(copy);
            }
        }
    }
}

impl Copy {
    fn store(&mut self, answer: &Value) {
        let contacts = entries(answer).iter();
        self.contacts.extend(contacts.map(|it| (text(&it["id"]).to_owned(), it.clone())));
    }
}

fn entries(answer: &Value) -> &[Value] {
    answer["data"].as_array().map_or(&[], Vec::as_slice)
}

fn next(answer: &Value) -> &str {
    text(&answer["meta"]["next"])
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
