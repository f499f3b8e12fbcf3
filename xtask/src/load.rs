//! Clients that create contacts at running instances, and record what was acknowledged and how long each call took.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

/// The deadline of a call.
const CALL_WITHIN: Duration = Duration::from_secs(10);

/// What the emails of the created contacts begin with.
pub(crate) const EMAILS: &str = "load-";

/// How many errors are described.
const DESCRIBED: usize = 10;

/// Running clients. They call the instances in turn.
pub(crate) struct Load {
    shared: Arc<Shared>,
    clients: Vec<JoinHandle<()>>,
}

struct Shared {
    http: Client,
    key: String,
    bases: RwLock<Vec<String>>,
    stopped: AtomicBool,
    next: AtomicU64,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    created: Vec<Created>,
    reads: u64,
    failed: u64,
    failures: Vec<String>,
}

/// An acknowledged contact.
#[derive(Clone)]
pub(crate) struct Created {
    /// Its email.
    pub(crate) email: String,
    began: Instant,
    took: Duration,
}

/// The results of all clients.
pub(crate) struct Outcome {
    /// The acknowledged contacts.
    pub(crate) created: Vec<Created>,
    /// How many lists and pages were read.
    pub(crate) reads: u64,
    /// How many calls failed.
    pub(crate) failed: u64,
    /// The first failures.
    pub(crate) failures: Vec<String>,
}

/// How long calls took.
pub(crate) struct Latencies {
    calls: usize,
    middle: Duration,
    slow: Duration,
    slowest: Duration,
}

impl Load {
    /// Starts this many clients.
    pub(crate) fn start(
        runtime: &Runtime,
        key: &str,
        bases: &[String],
        count: usize,
    ) -> Result<Self> {
        let http = Client::builder().no_proxy().timeout(CALL_WITHIN).build()?;
        let shared = Arc::new(Shared {
            http,
            key: key.to_owned(),
            bases: RwLock::new(bases.to_vec()),
            stopped: AtomicBool::new(false),
            next: AtomicU64::new(0),
            seen: Mutex::default(),
        });
        let clients = (0..count).map(|_| runtime.spawn(Arc::clone(&shared).run())).collect();
        Ok(Self { shared, clients })
    }

    /// Calls these instances from now on.
    pub(crate) fn aim(&self, bases: &[String]) {
        let mut aimed = self.shared.bases.write().unwrap_or_else(PoisonError::into_inner);
        bases.clone_into(&mut aimed);
    }

    /// The contacts that are acknowledged by now.
    pub(crate) fn created(&self) -> Vec<Created> {
        self.shared.seen().created.clone()
    }

    /// Ends all clients after their current calls.
    pub(crate) fn stop(self, runtime: &Runtime) -> Result<Outcome> {
        self.shared.stopped.store(true, Ordering::Relaxed);
        for client in self.clients {
            runtime.block_on(client).context("a client panicked")?;
        }
        let Seen { created, reads, failed, failures } = std::mem::take(&mut *self.shared.seen());
        Ok(Outcome { created, reads, failed, failures })
    }
}

impl Shared {
    async fn run(self: Arc<Self>) {
        while !self.stopped.load(Ordering::Relaxed) {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            self.create(number).await;
            match number % 8 {
                0 => self.read(number, "/api/public/v1/contacts?page[size]=20").await,
                4 => self.read(number, "/sign-in").await,
                _ => {}
            }
        }
    }

    async fn create(&self, number: u64) {
        let email = format!("{EMAILS}{number}@example.com");
        let person = json!({"email": email, "first_name": "Load", "last_name": number.to_string()});
        let began = Instant::now();
        match self.call(number, Method::POST, "/api/public/v1/contacts", Some(&person)).await {
            Ok(()) => {
                let took = began.elapsed();
                self.seen().created.push(Created { email, began, took });
            }
            Err(error) => self.fail(&error),
        }
    }

    async fn read(&self, number: u64, path: &str) {
        match self.call(number, Method::GET, path, None).await {
            Ok(()) => self.seen().reads += 1,
            Err(error) => self.fail(&error),
        }
    }

    async fn call(
        &self,
        number: u64,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<()> {
        let base = {
            let bases = self.bases.read().unwrap_or_else(PoisonError::into_inner);
            let place = usize::try_from(number)? % bases.len().max(1);
            bases.get(place).cloned().context("no instance")?
        };
        let shown = format!("{method} {path} of {base}");
        let request = self.http.request(method, format!("{base}{path}")).bearer_auth(&self.key);
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        let answer = request.send().await.with_context(|| shown.clone())?;
        let status = answer.status();
        let text = answer.text().await.with_context(|| shown.clone())?;
        if !matches!(status, StatusCode::OK | StatusCode::CREATED) {
            bail!("{shown}: {status} {text}");
        }
        Ok(())
    }

    fn fail(&self, error: &anyhow::Error) {
        let mut seen = self.seen();
        seen.failed += 1;
        if seen.failures.len() < DESCRIBED {
            seen.failures.push(format!("{error:#}"));
        }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Latencies {
    /// The latencies of the calls that began in this time.
    pub(crate) fn between(created: &[Created], from: Instant, to: Instant) -> Self {
        let within = created.iter().filter(|it| (from..to).contains(&it.began));
        let mut took: Vec<Duration> = within.map(|it| it.took).collect();
        took.sort_unstable();
        let part = |percent: usize| {
            let place = (took.len() * percent / 100).min(took.len().saturating_sub(1));
            took.get(place).copied().unwrap_or_default()
        };
        Self { calls: took.len(), middle: part(50), slow: part(99), slowest: part(100) }
    }

    /// In words.
    pub(crate) fn text(&self) -> String {
        let millis = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1000.0);
        let Self { calls, middle, slow, slowest } = self;
        format!(
            "{calls} contacts created, p50 {}, p99 {}, slowest {}",
            millis(*middle),
            millis(*slow),
            millis(*slowest)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_are_of_the_calls_that_began_in_a_time() {
        let start = Instant::now();
        let created = |millis: u64| Created {
            email: String::new(),
            began: start + Duration::from_millis(millis),
            took: Duration::from_millis(millis),
        };
        let all: Vec<Created> = (1..=200).map(created).collect();
        let first = Latencies::between(&all, start, start + Duration::from_millis(101));
        assert_eq!(
            first.text(),
            "100 contacts created, p50 51.0 ms, p99 100.0 ms, slowest 100.0 ms"
        );
        let none = Latencies::between(&[], start, start);
        assert_eq!(none.text(), "0 contacts created, p50 0.0 ms, p99 0.0 ms, slowest 0.0 ms");
    }
}
