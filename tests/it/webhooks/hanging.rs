//! Receivers that accept connections and never answer only delay their own company.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use contact_hub_tests::{Receiver, with_hub};
use tokio::net::TcpStream;

use super::outbox::{created, webhook_with};
use super::queued::queue;
use crate::support::until;

const HANGING: usize = 60;

/// Deliveries to each webhook, so that more wait than may be in progress.
const EACH: usize = 20;

const DEADLINE: Duration = Duration::from_secs(12);

#[tokio::test(flavor = "multi_thread")]
async fn another_company_gets_its_deliveries_while_many_webhooks_hang() {
    with_hub(async |hub| {
        let (blocked, healthy) = (hub.client().await.manage(), hub.client().await.manage());
        let accepted = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&accepted);
        let silent = Receiver::raw(move |stream: TcpStream| {
            counted.fetch_add(1, Ordering::Relaxed);
            async move {
                std::future::pending::<()>().await;
                drop(stream);
            }
        })
        .await;
        for _ in 0..HANGING {
            let webhook = created(&blocked, &webhook_with("url", silent.url())).await;
            queue(hub, &webhook, EACH);
        }
        until(DEADLINE, async || accepted.load(Ordering::Relaxed) >= HANGING).await;
        let receiver = Receiver::start(&[200]).await;
        let webhook = created(&healthy, &webhook_with("url", receiver.url())).await;
        for count in 1..=5 {
            queue(hub, &webhook, 1);
            until(DEADLINE, async || receiver.count() >= count).await;
        }
    })
    .await;
}
