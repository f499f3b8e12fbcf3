//! Health and metrics.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::time::{Duration, Instant};

use contact_hub_tests::{Answer, TestDatabase, with_hub, with_idle_hub, with_settings};

use crate::process::Service;
use crate::support::{expect_described, get, until};

#[tokio::test(flavor = "multi_thread")]
async fn a_service_with_its_database_is_live_and_ready() {
    with_hub(async |hub| {
        for path in ["/health/live", "/health/ready"] {
            let answer = get(hub, path).await.expect(200);
            assert!(answer.data().is_object(), "{}", answer.text);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn readiness_queries_the_database_and_liveness_does_not() {
    with_idle_hub(async |hub| {
        let cost = crate::support::statements_of(hub, async || {
            let _ = get(hub, "/health/live").await.expect(200);
        });
        assert_eq!(cost.await, 0);
        let began = Instant::now();
        let cost = crate::support::statements_of(hub, async || {
            for _call in 0..50 {
                let _ = get(hub, "/health/ready").await.expect(200);
            }
        });
        let cost = cost.await;
        let most = 1 + began.elapsed().as_secs();
        assert!(cost <= most, "fifty calls cost {cost} statements, once a second would be {most}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_are_in_prometheus_text_format_without_ids() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let _ = client.get("/contacts/01931e3a-7c00-7000-8000-0000000000ab").await.expect(404);
        let _ = get(hub, "/nothing/else").await.expect(404);
        let answer = get(hub, "/metrics").await.expect(200);
        assert!(answer.header("content-type").starts_with("text/plain"));
        let has_route = |line: &str| {
            line.starts_with("contact_hub_http_requests_total{") && line.contains("/contacts/{id}")
        };
        assert!(answer.text.lines().any(has_route), "{}", answer.text);
        // A gauge of a pool that both databases have, and a counter of an event that has not happened yet.
        for early in [
            "contact_hub_db_connections_max{pool=\"deliveries\"}",
            "\ncontact_hub_http_connections_refused_total ",
        ] {
            assert!(answer.text.contains(early), "{early}: {}", answer.text);
        }
        for absent in ["0000000000ab", "/nothing", &client.made.token, "example"] {
            assert!(!answer.text.contains(absent), "{absent}");
        }
        let is_comment_or_sample =
            |line: &str| line.is_empty() || line.starts_with("# ") || line.contains(' ');
        assert!(answer.text.lines().all(is_comment_or_sample));
    })
    .await;
}

/// Metrics of the process and its database.
const SEEN: [&str; 12] = [
    "\nprocess_start_time_seconds ",
    "\nprocess_cpu_seconds_total ",
    "\nprocess_resident_memory_bytes ",
    "\nprocess_open_fds ",
    "\nprocess_max_fds ",
    "\ncontact_hub_build_info{version=",
    "\ncontact_hub_ready 1\n",
    "\ncontact_hub_budget_limit_bytes{pool=\"held\"}",
    "\ncontact_hub_budget_in_use_bytes{pool=\"worked_on\"}",
    "\ncontact_hub_db_size_bytes ",
    "\ncontact_hub_alert_emails_waiting ",
    "\ncontact_hub_webhook_leases_taken_over_total ",
];

#[tokio::test(flavor = "multi_thread")]
async fn metrics_cover_the_process_and_the_database_and_are_all_described() {
    let database = TestDatabase::migrated();
    let backups = database.directory().join("backups");
    std::fs::create_dir(&backups).expect("a directory");
    let backups = backups.display().to_string();
    let is_sqlite = !database.is_postgres();
    let of_sqlite = if is_sqlite { &["--backup-dir", &backups][..] } else { &[] };
    let mut service = Service::serve(&database, &[&["--no-bootstrap"], of_sqlite].concat());
    let mut text = String::new();
    until(Duration::from_secs(20), async || {
        text = service.get("/metrics").await.expect(200).text;
        SEEN.iter().all(|sample| text.contains(sample)) && text.contains("http_requests_total")
    })
    .await;
    assert_eq!(text.contains("\ncontact_hub_backups_total{"), is_sqlite, "{text}");
    assert_eq!(text.contains("\ncontact_hub_db_log_size_bytes "), is_sqlite, "{text}");
    let kind = if is_sqlite { "database=\"sqlite\"" } else { "database=\"postgresql\"" };
    assert!(text.contains(kind), "{text}");
    assert!(text.contains("\n# TYPE process_cpu_seconds_total counter\n"), "{text}");
    expect_described(&text);
    service.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_with_503_are_counted_by_their_cause() {
    with_idle_hub(async |hub| {
        hub.hub.announce_stop();
        let _ = get(hub, "/health/ready").await.expect_error(503, "SERVICE_UNAVAILABLE");
        let text = get(hub, "/metrics").await.expect(200).text;
        assert!(text.contains("contact_hub_http_unavailable_total{cause=\"stopping\"}"), "{text}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_move_to_their_own_listener_when_they_have_one() {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address: SocketAddr = free.local_addr().unwrap();
    drop(free);
    let change = |settings: &mut contact_hub::settings::ServeSettings| {
        settings.metrics_listen = Some(address);
    };
    with_settings(change, async |hub| {
        let _ = get(hub, "/metrics").await.expect_error(404, "NOT_FOUND");
        let answer = Answer::of(hub.http().get(format!("http://{address}/metrics"))).await;
        assert!(answer.expect(200).text.contains("contact_hub_http_requests_total"));
        for path in ["/", "/health/live", "/api/public/v1/fields", "/metrics/", "/nothing"] {
            let answer = Answer::of(hub.http().get(format!("http://{address}{path}"))).await;
            let answer = answer.expect_error(404, "NOT_FOUND");
            assert!(!answer.header("x-request-id").is_empty());
        }
        let answer = Answer::of(hub.http().post(format!("http://{address}/metrics"))).await;
        let answer = answer.expect_error(405, "METHOD_NOT_ALLOWED");
        assert_eq!(answer.header("allow"), "GET, HEAD, OPTIONS");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_are_not_found_for_calls_through_a_proxy() {
    with_hub(async |hub| {
        let url = format!("{}/metrics", hub.base());
        for header in ["X-Forwarded-For", "Forwarded"] {
            let answer = Answer::of(hub.http().get(&url).header(header, "for=192.0.2.1")).await;
            let _ = answer.expect_error(404, "NOT_FOUND");
        }
        let _ = get(hub, "/metrics").await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_with_a_token_are_returned_to_clients_that_send_it() {
    const TOKEN: &str = "a-token-for-metrics";
    let change = |settings: &mut contact_hub::settings::ServeSettings| {
        settings.metrics_token = Some(TOKEN.to_owned());
    };
    with_settings(change, async |hub| {
        let url = format!("{}/metrics", hub.base());
        let _ = get(hub, "/metrics").await.expect_error(404, "NOT_FOUND");
        let wrong = Answer::of(hub.http().get(&url).bearer_auth("a token for metricz")).await;
        let _ = wrong.expect_error(404, "NOT_FOUND");
        let passed_on = hub.http().get(&url).bearer_auth(TOKEN).header("X-Forwarded-For", "::1");
        assert!(
            Answer::of(passed_on)
                .await
                .expect(200)
                .text
                .contains("contact_hub_http_requests_total")
        );
    })
    .await;
}
