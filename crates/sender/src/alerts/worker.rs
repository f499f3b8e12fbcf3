//! The worker.

use std::sync::Arc;
use std::time::Duration;

use contact_hub_domain::alerts::{
    AlertQueue, AnnounceAlerts, ClaimMails, DueMail, KEY_NOTICE_SECONDS, MailError, Mailer,
};
use contact_hub_domain::ids::LeaseId;
use contact_hub_domain::ports::{Clock, Ids, StoreError};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::DeliverySignal;
use futures_util::FutureExt as _;
use metrics::counter;
use tokio::sync::oneshot;
use tokio::task::{JoinError, JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};

/// How often it looks for emails that are due.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// How often it looks for keys that expire soon.
const KEYS_EVERY: Duration = Duration::from_hours(1);

/// How many keys one transaction looks at.
const KEYS: u32 = 50;

/// From how many alerts one transaction creates events.
const EVENTS: u32 = 20;

/// How many emails are sent at once.
const AT_ONCE: usize = 8;

/// How long sending an email may take.
const DEADLINE: Duration = Duration::from_secs(30);

/// How long a claim holds: longer than sending and recording take.
const HOLD: Duration = Duration::from_mins(2);

/// The pause after the first failure. Each further one doubles it, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_mins(1);
const LONGEST_PAUSE: Duration = Duration::from_hours(1);

/// How long an email is tried.
const TRIED_FOR: Duration = Duration::from_hours(24);

/// The ports of the worker.
#[derive(Clone)]
pub struct AlertPorts {
    /// The queue of emails.
    pub queue: Arc<dyn AlertQueue>,
    /// The mail server; without one, alerts are deleted when they are due.
    pub mailer: Option<Arc<dyn Mailer>>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Creates ids of leases, batches, events and deliveries.
    pub ids: Arc<dyn Ids>,
    /// Wakes the worker that delivers to webhooks.
    pub signal: Arc<dyn DeliverySignal>,
}

/// The options of the worker.
#[derive(Clone, Copy, Debug)]
pub struct AlertOptions {
    /// How long the alerts of a user are collected before they are sent.
    pub collect: Duration,
    /// The shortest time between two emails to a user.
    pub every: Duration,
}

/// The running worker.
#[derive(Debug)]
pub struct Alerting {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Alerting {
    /// Starts it on the current runtime.
    #[must_use]
    pub fn start(ports: AlertPorts, options: AlertOptions) -> Self {
        let (stop, stopped) = oneshot::channel();
        let work =
            Work { sender: Sender { ports, options }, sending: JoinSet::new(), keys_at: None };
        Self { stop, task: tokio::spawn(work.run(stopped).boxed()) }
    }

    /// Stops it. Emails that are being sent are recorded first, within their deadline.
    pub async fn stop(self) {
        // This fails only when the task has ended already.
        self.stop.send(()).ok();
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the worker of alerts failed");
        }
    }
}

struct Work {
    sender: Sender,
    /// The emails that are being sent, at most [`AT_ONCE`].
    sending: JoinSet<()>,
    /// When keys were last looked at.
    keys_at: Option<Timestamp>,
}

impl Work {
    async fn run(mut self, mut stopped: oneshot::Receiver<()>) {
        loop {
            self.round().await;
            let is_busy = self.sending.len() >= AT_ONCE;
            tokio::select! {
                biased;
                _ = &mut stopped => break,
                Some(ended) = self.sending.join_next(), if is_busy => note(ended),
                () = sleep(LOOK_EVERY) => {}
            }
            while let Some(ended) = self.sending.try_join_next() {
                note(ended);
            }
        }
        while let Some(ended) = self.sending.join_next().await {
            note(ended);
        }
    }

    /// A step that fails does not keep the others from their work.
    async fn round(&mut self) {
        note_failure("keys were not checked", self.look_at_keys().await);
        note_failure("alerts did not become events", self.make_events().await);
        note_failure("no emails were claimed", self.send_due().await);
    }

    async fn send_due(&mut self) -> Result<(), StoreError> {
        let Sender { ports, options } = &self.sender;
        let free = AT_ONCE.saturating_sub(self.sending.len());
        let now = ports.clock.now();
        if free == 0 || !ports.queue.is_due(now, options.collect).await? {
            return Ok(());
        }
        let id = || ports.ids.next();
        let claim = ClaimMails {
            lease: LeaseId::new(id()),
            batches: (0..free).map(|_| id()).collect(),
            now,
            collect: options.collect,
            hold: HOLD,
        };
        for mail in ports.queue.claim(claim).await? {
            let sender = self.sender.clone();
            self.sending.spawn(async move { sender.send_and_record(&mail).await });
        }
        Ok(())
    }

    async fn look_at_keys(&mut self) -> Result<(), StoreError> {
        let now = self.sender.ports.clock.now();
        if self.keys_at.is_some_and(|at| now < at.plus(KEYS_EVERY)) {
            return Ok(());
        }
        let within = Duration::from_secs(KEY_NOTICE_SECONDS.unsigned_abs());
        let looked = self.sender.ports.queue.alert_of_keys(now, within, KEYS).await?;
        if u32::try_from(looked).is_ok_and(|looked| looked < KEYS) {
            self.keys_at = Some(now);
        }
        Ok(())
    }

    /// Creates events from alerts until none are left.
    async fn make_events(&self) -> Result<(), StoreError> {
        while self.sender.ports.queue.has_events().await? {
            let (ids, now) = (Arc::clone(&self.sender.ports.ids), self.sender.ports.clock.now());
            let new = AnnounceAlerts { ids, now, limit: EVENTS };
            if self.sender.ports.queue.announce_alerts(new).await? == 0 {
                break;
            }
            self.sender.ports.signal.wake();
        }
        Ok(())
    }
}

/// Sends emails and records them.
#[derive(Clone)]
struct Sender {
    ports: AlertPorts,
    options: AlertOptions,
}

impl Sender {
    async fn send_and_record(&self, mail: &DueMail) {
        if let Err(error) = self.send(mail).await {
            tracing::debug!(%error, "an email was not recorded; it is sent again when its lease ends");
        }
    }

    async fn send(&self, mail: &DueMail) -> Result<(), StoreError> {
        let Some(mailer) = &self.ports.mailer else { return self.finish(mail).await };
        let sent = timeout(DEADLINE, mailer.send(mail)).await;
        let sent = sent.unwrap_or_else(|_late| Err(MailError::Failed("it took too long".into())));
        let user = mail.held.user;
        match sent {
            Ok(()) => {
                count("sent");
                self.finish(mail).await
            }
            Err(MailError::Rejected) => {
                count("rejected");
                tracing::warn!(%user, "the mail server rejects a user's address; alerts are dropped");
                self.finish(mail).await
            }
            Err(error) => {
                count("failed");
                let now = self.ports.clock.now();
                if mail.first_attempt_at.plus(TRIED_FOR) <= now {
                    tracing::error!(%user, %error, "alerts were not sent within a day, and are dropped");
                    return self.finish(mail).await;
                }
                tracing::warn!(%user, %error, attempt = mail.attempt, "alerts were not sent");
                let at = now.plus(pause_after(mail.attempt));
                self.ports.queue.retry(mail.held, at.minus(self.options.collect)).await
            }
        }
    }

    async fn finish(&self, mail: &DueMail) -> Result<(), StoreError> {
        let next = self.ports.clock.now().plus(self.options.every);
        self.ports.queue.finish(mail.held, next.minus(self.options.collect)).await
    }
}

/// Logs why a step failed, which the next round repeats. That the database is away is logged elsewhere.
fn note_failure(what: &'static str, done: Result<(), StoreError>) {
    match done {
        Ok(()) => {}
        Err(error @ StoreError::Unavailable(_)) => tracing::debug!(%error, "{what}"),
        Err(error) => tracing::error!(%error, "{what}"),
    }
}

/// Logs a panic.
fn note(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "sending an email failed");
    }
}

fn count(outcome: &'static str) {
    counter!("contact_hub_alert_emails_total", "outcome" => outcome).increment(1);
}

/// The pause after this many failed attempts.
fn pause_after(attempts: u32) -> Duration {
    let doublings = attempts.saturating_sub(1).min(16);
    FIRST_PAUSE.saturating_mul(1 << doublings).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::{FIRST_PAUSE, LONGEST_PAUSE, pause_after};

    #[test]
    fn pauses_double_up_to_an_hour() {
        assert_eq!([1, 2, 3].map(pause_after), [FIRST_PAUSE, FIRST_PAUSE * 2, FIRST_PAUSE * 4]);
        assert_eq!([7, 100, u32::MAX].map(pause_after), [LONGEST_PAUSE; 3]);
    }
}
