//! Instances on one PostgreSQL count calls together.

use std::sync::Arc;
use std::time::{Duration, Instant};

use contact_hub::hub::Hub;
use contact_hub::settings::ServeSettings;
use contact_hub::wire::Environment;
use contact_hub_domain::access::{
    AccessError, GiveBack, LinkPurpose, SIGN_IN_ATTEMPTS, create_link, redeem_link, sign_in,
};
use contact_hub_domain::author::Call;
use contact_hub_tests::{
    Answer, TestDatabase, TestHub, with_hub, with_idle_settings, with_settings,
};
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};

use crate::process::Service;
use crate::support::{execute, get, hub_with, is_long, until};

const HERE: std::net::IpAddr = std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

fn limit(quota: u32) -> impl FnOnce(&mut ServeSettings) {
    move |settings| settings.rate_limit_standard = quota
}

/// Another instance with the clock of the first.
fn beside(hub: &TestHub, quota: u32) -> Hub {
    let environment = Environment {
        clock: Arc::new(hub.clock.clone()),
        follows_database: false,
        ..Environment::default()
    };
    hub_with(&hub.database, &environment, limit(quota))
}

/// Makes this many concurrent calls to each of these addresses in turn; returns how many are admitted.
async fn admitted(addresses: &[String], token: &str, calls: usize) -> usize {
    let tasks: Vec<_> = addresses
        .iter()
        .map(|base| {
            let (url, token) = (format!("{base}/api/public/v1/contacts/x"), token.to_owned());
            tokio::spawn(async move {
                let http = reqwest::Client::new();
                let mut admitted = 0;
                for _ in 0..calls {
                    admitted += usize::from(is_admitted(&http, &url, &token).await);
                }
                admitted
            })
        })
        .collect();
    let mut sum = 0;
    for task in tasks {
        sum += task.await.expect("no panic");
    }
    sum
}

/// Whether a call for a contact that does not exist is admitted.
async fn is_admitted(http: &reqwest::Client, url: &str, token: &str) -> bool {
    let answer = Answer::of(http.get(url).bearer_auth(token)).await;
    assert!(matches!(answer.status, 404 | 429), "{}", answer.text);
    answer.status == 404
}

#[tokio::test(flavor = "multi_thread")]
async fn four_instances_admit_the_quota_together_and_one_admits_all_of_it() {
    with_settings(limit(200), async |hub| {
        if !hub.database.is_postgres() {
            return;
        }
        let token = hub.client().await.made.token;
        let others: Vec<Hub> = (0..3).map(|_| beside(hub, 200)).collect();
        let mut all = vec![hub.base()];
        all.extend(others.iter().map(|other| format!("http://{}", other.address)));
        let one = all.get(1..2).expect("one").to_vec();
        // All at the same time, as a burst.
        assert_eq!(admitted(&all, &token, 150).await, 200);
        hub.clock.advance(40);
        assert_eq!(admitted(&all, &token, 3).await, 0);
        hub.clock.advance(26);
        assert_eq!(admitted(&one, &token, 90).await, 90);
        hub.clock.advance(30);
        assert_eq!(admitted(&all, &token, 100).await, 110, "all but those of one instance");
        hub.clock.advance(66);
        assert_eq!(admitted(&one, &token, 230).await, 200, "all of it at one instance");
        for other in others {
            other.stop().await.expect("it stops");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_that_stops_returns_its_quota_at_once() {
    with_settings(limit(100), async |hub| {
        if !hub.database.is_postgres() {
            return;
        }
        let token = hub.client().await.made.token;
        let other = beside(hub, 100);
        let there = [format!("http://{}", other.address)];
        assert_eq!(admitted(&there, &token, 30).await, 30);
        other.stop().await.expect("it stops");
        assert_eq!(admitted(&[hub.base()], &token, 100).await, 70);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_calls_cost_few_statements_and_rejected_ones_none() {
    with_idle_settings(limit(600), async |hub| {
        let client = hub.client().await;
        let _warm = client.get("/contacts/x").await.expect(404);
        let before = hub.hub.storage.statements();
        assert_eq!(admitted(&[hub.base()], &client.made.token, 400).await, 400);
        let cost = hub.hub.storage.statements() - before;
        // The key is looked up every 0.9 s too.
        eprintln!("400 calls cost {cost} statements");
        assert!(cost < 80, "400 calls cost {cost} statements");
        assert_eq!(admitted(&[hub.base()], &client.made.token, 250).await, 199);
        let (before, began) = (hub.hub.storage.statements(), Instant::now());
        assert_eq!(admitted(&[hub.base()], &client.made.token, 100).await, 0);
        let cost = u128::from(hub.hub.storage.statements() - before);
        let lookups = began.elapsed().as_millis() / 900;
        assert!(cost < 10 + lookups, "100 rejected calls cost {cost} statements");
    })
    .await;
}

/// The calls that instances in this process have counted on their own.
async fn alone(hub: &TestHub) -> u64 {
    let metrics = get(hub, "/metrics").await.expect(200).text;
    let name = "contact_hub_http_requests_limited_alone_total{limit=\"standard\"}";
    let line = metrics.lines().find_map(|line| line.strip_prefix(name));
    line.map_or(0, |figure| figure.trim().parse().expect("a number"))
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_shared_store_each_instance_counts_alone_and_reports_later() {
    with_settings(limit(50), async |hub| {
        if !hub.database.is_postgres() {
            return;
        }
        let token = hub.client().await.made.token;
        let other = beside(hub, 50);
        let (here, there) = ([hub.base()], [format!("http://{}", other.address)]);
        assert_eq!(admitted(&here, &token, 2).await + admitted(&there, &token, 2).await, 4);
        let before = alone(hub).await;
        let mut locking =
            PgConnection::establish(hub.database.url_text()).expect("PostgreSQL answers");
        locking
            .batch_execute("BEGIN; LOCK TABLE rate_windows IN ACCESS EXCLUSIVE MODE")
            .expect("questions wait");
        let each = [admitted(&here, &token, 60).await, admitted(&there, &token, 60).await];
        assert!(each.iter().all(|admitted| (44..=48).contains(admitted)), "{each:?}");
        assert!(alone(hub).await > before);
        locking.batch_execute("COMMIT").expect("questions are answered");
        // Once they have reported it, a third instance knows it too.
        let third = beside(hub, 50);
        until(Duration::from_secs(30), async || {
            let address = format!("http://{}", third.address);
            admitted(&[address], &token, 1).await == 0
        })
        .await;
        hub.clock.advance(70);
        until(Duration::from_secs(30), async || admitted(&here, &token, 1).await == 1).await;
        for hub in [other, third] {
            hub.stop().await.expect("it stops");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_shared_store_does_not_fail_calls() {
    with_settings(limit(5), async |hub| {
        if !hub.database.is_postgres() {
            return;
        }
        let token = hub.client().await.made.token;
        execute(&hub.database, "DROP TABLE rate_windows");
        assert_eq!(admitted(&[hub.base()], &token, 20).await, 5);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_sign_in_attempts_count_at_every_instance() {
    with_hub(async |hub| {
        if !hub.database.is_postgres() {
            return;
        }
        let (email, password) = ("api@acme.example", "correct horse battery");
        let made = hub.client().await.made;
        let other = beside(hub, 0);
        let ports = [&hub.hub.ports.access, &other.ports.access];
        let link = create_link(ports[0], None, made.user, LinkPurpose::SetPassword).await.unwrap();
        let token = link.token.reveal().to_owned();
        let _signed_in =
            redeem_link(ports[0], &token, &password.into(), HERE, &Call::default()).await.unwrap();
        let attempts = async |count: u32| {
            for n in 0..count {
                let place = usize::try_from(n % 2).unwrap();
                let wrong =
                    sign_in(ports[place], email, "wrong horse battery", HERE, &Call::default())
                        .await;
                assert!(matches!(wrong, Err(AccessError::SignInRefused)), "{wrong:?}");
            }
        };
        attempts(SIGN_IN_ATTEMPTS - 1).await;
        let _signed_in =
            sign_in(ports[1], email, password, HERE, &Call::default()).await.expect("a session");
        ports[1].rate_limiter.give_back(GiveBack::Expired, ports[1].environment.clock.now()).await;
        attempts(1).await;
        for ports in ports {
            let refused = sign_in(ports, email, password, HERE, &Call::default()).await;
            assert!(matches!(refused, Err(AccessError::TooManyAttempts(_))), "{refused:?}");
        }
        other.stop().await.expect("it stops");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn four_processes_admit_no_more_than_the_quota_in_any_minute() {
    const QUOTA: usize = 400;
    let database = TestDatabase::empty();
    if !database.is_postgres() {
        return;
    }
    let flags = ["--rate-limit-standard", "400", "--database-wait-ms", "20000"];
    let mut services = vec![Service::serve(&database, &flags)];
    let key = services[0].bootstrap_key();
    services.extend((0..3).map(|_| Service::serve(&database, &flags)));
    let bases: Vec<String> = services.iter().map(|service| service.base.clone()).collect();
    assert_eq!(admitted(&bases, &key, 350).await, QUOTA);
    if is_long() {
        let calls = spend_for(Duration::from_secs(150), &bases, &key).await;
        // A call was counted between the moments at which it was sent and answered.
        let most = calls.iter().enumerate().map(|(n, (_, end))| {
            let within = |(sent, _): &&(Duration, Duration)| *sent + Duration::from_mins(1) > *end;
            calls[..=n].iter().rev().take_while(within).count()
        });
        let most = most.max().expect("calls were admitted");
        eprintln!("at most {most} of {QUOTA} in a minute, {} in all", calls.len());
        assert!(most <= QUOTA + QUOTA / 100, "{most}");
        assert!(calls.len() > QUOTA, "{}", calls.len());
    }
    for mut service in services {
        service.stop();
    }
}

/// Calls without pauses for this long. Returns for each admitted call when it was sent and when it was answered.
async fn spend_for(time: Duration, bases: &[String], key: &str) -> Vec<(Duration, Duration)> {
    let (started, http) = (Instant::now(), reqwest::Client::new());
    let mut calls = Vec::new();
    while started.elapsed() < time {
        for base in bases {
            let sent = started.elapsed();
            if is_admitted(&http, &format!("{base}/api/public/v1/contacts/x"), key).await {
                calls.push((sent, started.elapsed()));
            }
        }
    }
    calls
}
