//! Keeps a copy of the contacts; with the crates `reqwest` 0.13, `serde` 1, and `serde_json` 1 with `raw_value`.
//! `crates/mirror` is a whole program.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use reqwest::{Client, StatusCode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
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
    pub(crate) contacts: BTreeMap<String, Contact>,
}

/// A contact as it is copied.
#[derive(Deserialize, Serialize)]
pub(crate) struct Contact {
    id: String,
    email: String,
    first_name: String,
    last_name: String,
    avatar_url: Option<String>,
    created_at: String,
    updated_at: String,
    /// By the keys of the fields, which never change, unlike their names. As raw values numbers keep all digits.
    #[serde(deserialize_with = "by_key")]
    field_values: BTreeMap<String, Box<RawValue>>,
}

#[derive(Deserialize)]
struct FieldValue {
    key: String,
    value: Box<RawValue>,
}

fn by_key<'de, D: Deserializer<'de>>(
    values: D,
) -> Result<BTreeMap<String, Box<RawValue>>, D::Error> {
    let values = Vec::<FieldValue>::deserialize(values)?;
    Ok(values.into_iter().map(|it| (it.key, it.value)).collect())
}

/// An answer.
#[derive(Deserialize)]
struct Page<T> {
    data: Vec<T>,
    meta: Meta,
}

#[derive(Deserialize)]
struct Meta {
    next: Option<String>,
    #[serde(default)]
    missing: Vec<String>,
}

/// An entry of the feed.
#[derive(Deserialize)]
struct Entry {
    r#type: String,
    object_id: String,
}

impl Hub {
    async fn call<T: DeserializeOwned>(
        &self,
        path: &str,
        body: Option<Value>,
    ) -> reqwest::Result<Page<T>> {
        let client = Client::builder().timeout(Duration::from_mins(1)).build()?;
        let url = format!("{}{path}", self.url);
        let request = match body {
            Some(body) => client.post(url).json(&body),
            None => client.get(url),
        };
        request.bearer_auth(&self.key).send().await?.error_for_status()?.json().await
    }

    async fn changes(&self, after: &str) -> reqwest::Result<Page<Entry>> {
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
        let cursor = latest.meta.next.unwrap_or_default();
        let mut copy = Copy { cursor, contacts: BTreeMap::new() };
        let mut after = Some(String::new());
        while let Some(cursor) = after {
            let path = "/api/public/v1/contacts?include=field_values&page[size]=100&page[after]=";
            let part = self.call::<Contact>(&format!("{path}{cursor}"), None).await?;
            copy.store(part.data);
            after = part.meta.next;
        }
        Ok(copy)
    }

    /// Stores contacts as they are now. If their values are too many for one call, each half is looked up.
    async fn look_up(&self, copy: &mut Copy, ids: &[&str]) -> reqwest::Result<()> {
        let mut parts = vec![ids];
        while let Some(ids) = parts.pop() {
            let body = json!({ "ids": ids });
            let found = self.call::<Contact>("/api/public/v1/contacts/lookup", Some(body)).await;
            let is_rejected =
                |error: &reqwest::Error| error.status() == Some(StatusCode::UNPROCESSABLE_ENTITY);
            if ids.len() > 1 && found.as_ref().is_err_and(is_rejected) {
                let (first, second) = ids.split_at(ids.len() / 2);
                parts.extend([first, second]);
                continue;
            }
            let Page { data, meta } = found?;
            copy.store(data);
            for id in &meta.missing {
                copy.contacts.remove(id);
            }
        }
        Ok(())
    }

    /// Applies all changes since the last run.
    async fn follow(&self, mut copy: Copy) -> reqwest::Result<Copy> {
        loop {
            let Page { data, meta } = self.changes(&copy.cursor).await?;
            let entries = data.iter().filter(|entry| entry.r#type.starts_with("contact."));
            let ids: BTreeSet<_> = entries.map(|entry| entry.object_id.as_str()).collect();
            if !ids.is_empty() {
                self.look_up(&mut copy, &Vec::from_iter(ids)).await?;
            }
            copy.cursor = meta.next.unwrap_or_default();
            if data.is_empty() {
                return Ok(copy);
            }
        }
    }
}

impl Copy {
    fn store(&mut self, contacts: Vec<Contact>) {
        self.contacts.extend(contacts.into_iter().map(|it| (it.id.clone(), it)));
    }
}
