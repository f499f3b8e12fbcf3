//! The requests of the attacks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::target::Target;

/// How long a client waits for a search before it disconnects.
const LEAVES_AFTER: Duration = Duration::from_secs(1);

/// The content type of a form.
pub(super) const FORM: &str = "application/x-www-form-urlencoded";

/// A request with a JSON body.
pub(super) fn json_of(request: RequestBuilder, body: Vec<u8>) -> RequestBuilder {
    request.header(CONTENT_TYPE, "application/json").body(body)
}

/// Sends the same request this many times at once, and aborts at the end of the time.
pub(super) async fn at_once(request: &RequestBuilder, calls: u32, lasts: Duration) -> u32 {
    all_at_once((0..calls).filter_map(|_call| request.try_clone()).collect(), lasts).await
}

/// Sends requests at once, and aborts at the end of the time; returns how many succeeded.
pub(super) async fn all_at_once(requests: Vec<RequestBuilder>, lasts: Duration) -> u32 {
    let mut clients = JoinSet::new();
    for request in requests {
        clients.spawn(async move {
            request.timeout(lasts).send().await.is_ok_and(|answer| answer.status().is_success())
        });
    }
    let done = clients.join_all().await;
    u32::try_from(done.into_iter().filter(|is_done| *is_done).count()).unwrap_or(u32::MAX)
}

/// Creates contacts that every search matches.
pub(super) async fn fill(target: &Arc<Target>, contacts: u32) -> Result<()> {
    for bulk in 0..contacts.div_ceil(1000) {
        let row = |number: u32| {
            json!({"email": format!("an.{bulk}.{number}@bench.example"),
                "first_name": "Anna", "last_name": format!("Annis {number}")})
        };
        let body = json!({ "contacts": (0..1000).map(row).collect::<Vec<_>>() });
        let request = target.request(Method::POST, "/api/public/v1/contacts/bulk").json(&body);
        request.send().await?.error_for_status()?;
    }
    Ok(())
}

/// Eight clients search repeatedly; each disconnects before its answer.
pub(super) async fn searches(target: &Arc<Target>, lasts: Duration) {
    let (end, mut clients) = (Instant::now() + lasts, JoinSet::new());
    for client in 0..8 {
        let target = Arc::clone(target);
        clients.spawn(async move {
            let sort = ["last_name", "-last_name", "email", "-email"];
            let sort = sort.get(client % sort.len()).copied().unwrap_or_default();
            let path = format!("/api/public/v1/contacts?search=an&sort[]={sort}&page[number]=90");
            while Instant::now() < end {
                let request = target.request(Method::GET, &path).timeout(LEAVES_AFTER);
                request.send().await.ok();
            }
        });
    }
    clients.join_all().await;
}

/// Attempts to sign in, each as another user.
pub(super) async fn sign_ins(target: &Arc<Target>, calls: u32, lasts: Duration) {
    let (end, mut clients) = (Instant::now() + lasts, JoinSet::new());
    for client in 0..32 {
        let target = Arc::clone(target);
        clients.spawn(async move {
            for number in (client..calls).step_by(32) {
                if Instant::now() > end {
                    return;
                }
                let body = format!("email=p{number}@bench.example&password=");
                let request = target.stranger(Method::POST, "/sign-in");
                request.header(CONTENT_TYPE, FORM).body(body).send().await.ok();
            }
        });
    }
    clients.join_all().await;
}

/// How many bulks the keys of one user can send within a few seconds.
pub(super) async fn keys(target: &Arc<Target>) -> Result<u32> {
    let users: Value =
        target.request(Method::GET, "/api/manage/v1/users").send().await?.json().await?;
    let user = users.pointer("/data/0/id").and_then(Value::as_str).context("no user")?;
    let body = serde_json::to_vec(&json!({"contacts": [{"email": "a@bench.example",
        "first_name": "A", "last_name": "B"}]}))?;
    let mut allowed = 0;
    for number in 0..5 {
        let path = format!("/api/manage/v1/users/{user}/api-keys");
        let made = target.request(Method::POST, &path).json(&json!({"name": format!("{number}")}));
        let made: Value = made.send().await?.json().await?;
        let token = made.pointer("/data/token").and_then(Value::as_str).context("no token")?;
        let request = target.stranger(Method::POST, "/api/public/v1/contacts/bulk");
        let request = json_of(request.bearer_auth(token), body.clone());
        allowed += at_once(&request, 80, Duration::from_secs(30)).await;
    }
    Ok(allowed)
}
