//! The work after a webhook: fetch the content, write it, report the result.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;
use url::Url;

use crate::caller::{Answer, CallError, Caller};
use crate::event::SyncRequested;
use crate::folder::Folder;
use crate::step::Step;

/// The pauses before retries of a failed call.
const PATIENCE: [Duration; 3] =
    [Duration::from_secs(1), Duration::from_secs(5), Duration::from_secs(30)];

/// How many characters of the HTML a step shows.
const SHOWN: usize = 400;

/// The options of a receiver.
#[derive(Clone)]
pub struct Options {
    /// The service's public address.
    pub hub: Url,
    /// The API key of a user with the permission `download_email`.
    pub key: String,
    /// The webhook's secret.
    pub secret: String,
    /// Where the content is written.
    pub folder: PathBuf,
    /// Whether every sync is reported as failed.
    pub fail: bool,
    /// The current time, in seconds since the Unix epoch.
    pub now: Arc<dyn Fn() -> i64 + Send + Sync>,
    /// Called with each step.
    pub tell: Arc<dyn Fn(&Step) + Send + Sync>,
}

/// Processes requested syncs, one after the other.
pub(crate) struct Platform {
    pub(crate) options: Options,
    pub(crate) caller: Caller,
    pub(crate) folder: Arc<Folder>,
    /// The base address of the entries.
    pub(crate) base: String,
}

impl Platform {
    /// Works until the sender is dropped.
    pub(crate) async fn run(self, mut requests: UnboundedReceiver<SyncRequested>) {
        while let Some(event) = requests.recv().await {
            let finished = match self.sync(&event).await {
                Ok(()) => {
                    let (folder, id) = (Arc::clone(&self.folder), event.id.clone());
                    on_disk(move || folder.done(&id)).await
                }
                Err(why) => Err(why),
            };
            if let Err(why) = finished {
                (self.options.tell)(&Step::Left { id: event.id, why });
            }
        }
    }

    async fn sync(&self, event: &SyncRequested) -> Result<(), String> {
        let report = match self.entry(event).await {
            Ok(report) => report,
            Err(why) => json!({"status": "failed", "error_message": why}),
        };
        self.report(event, report).await
    }

    /// Writes the content, and returns the address of the entry.
    async fn entry(&self, event: &SyncRequested) -> Result<Value, String> {
        if self.options.fail {
            return Err("This receiver was started with --fail.".to_owned());
        }
        let content = self.content(event).await?;
        let (folder, kept) = (Arc::clone(&self.folder), event.clone());
        let written = on_disk(move || folder.write(&kept, &content)).await?;
        (self.options.tell)(&Step::Written(written));
        let SyncRequested { integration_id, asset_id, map_id, .. } = event;
        Ok(json!({
            "status": "completed",
            // An asset that was synced before keeps its id, so that a repeated sync updates that entry.
            "map_id": map_id.as_ref().unwrap_or(asset_id),
            "map_url": format!("{}/entries/{integration_id}/{asset_id}", self.base),
        }))
    }

    async fn content(&self, event: &SyncRequested) -> Result<Value, String> {
        let mut answer = self.call(Method::GET, &event.content_link, None).await?;
        let content = answer.json.pointer_mut("/data").map(Value::take);
        let content =
            content.filter(|_| answer.is_success()).ok_or_else(|| answer.description())?;
        let html = content.get("html").and_then(Value::as_str).unwrap_or_default();
        (self.options.tell)(&Step::Fetched {
            name: event.asset_name.clone(),
            html: html.len(),
            beginning: html.chars().take(SHOWN).collect(),
        });
        Ok(content)
    }

    async fn report(&self, event: &SyncRequested, mut report: Value) -> Result<(), String> {
        let text = |name: &str| report.get(name).and_then(Value::as_str).map(str::to_owned);
        let with = text("map_url").or_else(|| text("error_message")).unwrap_or_default();
        let status = text("status").unwrap_or_default();
        if let Some(members) = report.as_object_mut() {
            // The asset may have several open syncs; this names the one.
            members.insert("sync_id".to_owned(), event.sync_id.clone().into());
        }
        let answer = self.call(Method::PATCH, &event.sync_status_link, Some(&report)).await?;
        if answer.is_success() {
            (self.options.tell)(&Step::Reported { status, with });
        } else if matches!(answer.status, 404 | 409) {
            // Superseded by a newer request, already reported, or deleted: nothing is left to do.
            (self.options.tell)(&Step::ReportRefused(answer.description()));
        } else {
            return Err(answer.description());
        }
        Ok(())
    }

    /// Calls until the answer is final.
    async fn call(
        &self,
        method: Method,
        link: &str,
        body: Option<&Value>,
    ) -> Result<Answer, String> {
        // The key is sent only to the service, regardless of the addresses in a payload.
        let origin = Url::parse(link).map(|url| url.origin());
        if !origin.is_ok_and(|origin| origin == self.options.hub.origin()) {
            return Err(format!("the link {link} does not lead to {}", self.options.hub));
        }
        for pause in PATIENCE {
            let called = self.caller.call(method.clone(), link, body).await;
            let (why, after) = match called {
                Ok(answer) if answer.may_succeed_later() => (
                    answer.description(),
                    answer.retry_after.map_or(pause, |asked| asked.max(pause)),
                ),
                Ok(answer) => return Ok(answer),
                Err(error) => (error.to_string(), pause),
            };
            (self.options.tell)(&Step::Retrying { why, after });
            tokio::time::sleep(after).await;
        }
        self.caller.call(method, link, body).await.map_err(|error: CallError| error.to_string())
    }
}

/// Runs file operations on a blocking thread.
pub(crate) async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T, String> {
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(error)) => Err(format!("the folder cannot be used: {error}")),
        Err(_stopped) => Err("the receiver stops".to_owned()),
    }
}
