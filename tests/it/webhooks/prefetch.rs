//! Prefetched deliveries: never more than eight attempts at once, and each delivery is sent once.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use contact_hub::wire::Environment;
use contact_hub_tests::{Received, Receiver, Reply, with_hub};

use super::outbox::{created, webhook_with};
use super::queued::{count_in_state, queue};
use crate::support::{hub_of, until};

/// This many requests are answered at once, and later ones slowly.
const QUICK: usize = 150;
const SLOW: usize = 50;
const SLOWLY: Duration = Duration::from_millis(150);

/// The largest number of requests that were in progress at the same time.
fn most_at_once(requests: &[Received]) -> usize {
    let slow = requests.iter().skip(QUICK);
    let times: Vec<(Instant, Instant)> = slow.map(|it| (it.at, it.at + SLOWLY)).collect();
    let at = |moment: Instant| {
        times.iter().filter(|(begin, end)| *begin <= moment && moment < *end).count()
    };
    times.iter().map(|(begin, _)| at(*begin)).max().unwrap_or(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_becomes_slow_has_at_most_eight_attempts_from_two_instances() {
    with_hub(async |hub| {
        let receiver = Receiver::scripted(|place| Reply {
            after: if place < QUICK { Duration::ZERO } else { SLOWLY },
            ..Reply::from(200)
        })
        .await;
        let client = hub.client().await.manage();
        let webhook = created(&client, &webhook_with("url", receiver.url())).await;
        let other = hub_of(&hub.database, &Environment::default());
        queue(hub, &webhook, QUICK + SLOW);
        let all = u64::try_from(QUICK + SLOW).expect("few");
        until(Duration::from_mins(1), async || count_in_state(&client, "succeeded").await == all)
            .await;
        let requests = receiver.requests();
        let ids: BTreeSet<&str> = requests.iter().map(|it| it.header("webhook-id")).collect();
        assert_eq!((requests.len(), ids.len()), (QUICK + SLOW, QUICK + SLOW));
        let most = most_at_once(&requests);
        assert!((2..=8).contains(&most), "{most} attempts at once");
        other.stop().await.expect("it stops");
    })
    .await;
}
