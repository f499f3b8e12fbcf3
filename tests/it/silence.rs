//! The database does not answer: connections to it stay open, but no data arrives.

use std::time::{Duration, Instant};

use contact_hub_tests::{Answer, Client, Proxy, TestDatabase, TestHub, with_database};
use tokio::sync::OnceCell;

use crate::process::{Service, bare, key_file};
use crate::support::{get, person};

/// How long the hub waits for its database.
const WAIT: Duration = Duration::from_secs(2);

/// It promises to answer within the wait plus a second. More is allowed here, since the machine may be busy; a call
/// that hangs takes as long as the silence.
const IN_TIME: Duration = Duration::from_secs(12);

/// More calls than there are connections.
const CALLS: usize = 24;

/// Runs a test on a hub whose PostgreSQL is behind a proxy, and that waits this long for it; SQLite is a file, which
/// cannot become silent.
pub(crate) async fn with_proxy(wait: Duration, test: impl AsyncFnOnce(&TestHub, &Proxy)) {
    let between = OnceCell::new();
    with_database(
        async |database, settings| {
            settings.database_wait_ms = wait.as_millis().try_into().expect("milliseconds");
            if database.is_postgres() {
                let (proxy, url) = database.through_proxy().await;
                settings.database_url = url.parse().expect("an address");
                between.set(proxy).ok();
            }
        },
        async |hub| {
            if let Some(proxy) = between.get() {
                test(hub, proxy).await;
            }
        },
    )
    .await;
}

/// The concurrent calls to the hub: reads by id, lists, writes, a key that is not cached, readiness.
async fn calls(hub: &TestHub, clients: &[Client]) -> Vec<(Duration, Answer)> {
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..CALLS {
        let client = clients[number % clients.len()].clone();
        calls.spawn(async move {
            let began = Instant::now();
            let answer = match number % 4 {
                0 => client.get("/contacts/01931e3a-7c00-7000-8000-0000000000ab").await,
                1 => client.get("/contacts?search=ab").await,
                2 => client.post("/contacts", &person(&format!("{number}@example.com"))).await,
                _ => client.get("/fields").await,
            };
            (began.elapsed(), answer)
        });
    }
    let ready = Answer::of(hub.http().get(format!("{}/health/ready", hub.base())));
    let (answers, ready) = tokio::join!(calls.join_all(), async {
        let began = Instant::now();
        let answer = ready.await;
        (began.elapsed(), answer)
    });
    answers.into_iter().chain([ready]).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_fail_in_time_and_succeed_again_as_soon_as_the_database_answers() {
    with_proxy(WAIT, async |hub, proxy| {
        let clients = [hub.client().await, hub.client().await];
        for client in &clients {
            let _warm = client.get("/fields").await.expect(200);
        }
        proxy.fall_silent();
        let mut longest = Duration::ZERO;
        for round in 0..3 {
            for (number, (took, answer)) in calls(hub, &clients).await.into_iter().enumerate() {
                // Readiness is cached for a second, and the metrics query it too.
                if round == 0 && number == CALLS && answer.status == 200 {
                    continue;
                }
                let answer = answer.expect_error(503, "SERVICE_UNAVAILABLE");
                assert!(!answer.header("retry-after").is_empty());
                longest = longest.max(took);
            }
            let _live = get(hub, "/health/live").await.expect(200);
        }
        println!("with a wait of {WAIT:?} the longest call took {longest:?}");
        assert!(longest < IN_TIME, "{longest:?}");
        proxy.pass();
        let again = Instant::now();
        while get(hub, "/health/ready").await.status != 200 {
            assert!(again.elapsed() < Duration::from_secs(30), "it recovers");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        println!("it recovered in {:?}", again.elapsed());
        // Readiness may use the first connection that works while the others are still being replaced.
        println!("all calls were answered {:?} later", until_answered(hub, &clients).await);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_works_after_many_silences() {
    with_proxy(WAIT, async |hub, proxy| {
        let client = hub.client().await;
        for _round in 0..3 {
            let _before = client.get("/fields").await.expect(200);
            proxy.fall_silent();
            let _refused = client.get("/fields").await.expect(503);
            proxy.cut();
            let again = Instant::now();
            while client.get("/fields").await.status != 200 {
                assert!(again.elapsed() < Duration::from_secs(30), "it recovers");
            }
        }
    })
    .await;
}

/// Calls until each is answered, and returns how long that took.
async fn until_answered(hub: &TestHub, clients: &[Client]) -> Duration {
    let began = Instant::now();
    loop {
        let answers = calls(hub, clients).await;
        if answers.iter().all(|(_, answer)| answer.status < 500) {
            return began.elapsed();
        }
        assert!(
            began.elapsed() < 2 * IN_TIME,
            "{:?}",
            answers.iter().map(|(took, it)| (*took, it.status)).collect::<Vec<_>>()
        );
    }
}

/// Every connection stays open and is useless, and only new ones reach the database.
#[tokio::test(flavor = "multi_thread")]
async fn dead_connections_are_detected_and_replaced_together() {
    with_proxy(WAIT, async |hub, proxy| {
        let clients = [hub.client().await, hub.client().await];
        for _round in 0..3 {
            // As many connections as possible, and a reader of contacts.
            let _before = until_answered(hub, &clients).await;
            proxy.forget();
            for (took, _) in calls(hub, &clients).await {
                assert!(took < IN_TIME, "{took:?}");
            }
            println!("all calls were answered {:?} later", until_answered(hub, &clients).await);
        }
    })
    .await;
}

/// A unit of work whose client has disconnected releases its connection and its locks, although nobody waits for it.
#[tokio::test(flavor = "multi_thread")]
async fn calls_of_disconnected_clients_on_dead_connections_hold_no_resources() {
    with_proxy(WAIT, async |hub, proxy| {
        let clients = [hub.client().await, hub.client().await];
        let _before = until_answered(hub, &clients).await;
        proxy.forget();
        let left = tokio::time::timeout(WAIT / 4, calls(hub, &clients)).await;
        assert!(left.is_err(), "nothing is answered that soon");
        println!("all calls were answered {:?} later", until_answered(hub, &clients).await);
    })
    .await;
}

/// The process exits although its threads wait for the database.
#[tokio::test(flavor = "multi_thread")]
async fn the_process_ends_in_time_while_the_database_is_silent() {
    let database = TestDatabase::migrated();
    if !database.is_postgres() {
        return;
    }
    let (proxy, url) = database.through_proxy().await;
    let key = key_file(&database);
    let command = bare(
        &database,
        &[
            "serve",
            "--no-bootstrap",
            "--listen",
            "127.0.0.1:0",
            "--secret-key-file",
            &key,
            "--database-url",
            &url,
        ],
    );
    let service = tokio::task::spawn_blocking(move || {
        let service = Service::start(&database, command);
        (service, database)
    });
    let (service, _database) = service.await.expect("it starts");
    let http = reqwest::Client::new();
    proxy.fall_silent();
    let base = service.base.clone();
    let calls: Vec<_> =
        (0..CALLS).map(|_| tokio::spawn(http.get(format!("{base}/health/ready")).send())).collect();
    for call in calls {
        let _outcome = call.await.expect("it ends");
    }
    let began = Instant::now();
    let ended = tokio::task::spawn_blocking(move || {
        let mut service = service;
        service.stop();
    });
    ended.await.expect("it ends by itself");
    println!("it ended in {:?}", began.elapsed());
    assert!(began.elapsed() < Duration::from_secs(40), "{:?}", began.elapsed());
}
