//! The database goes away and comes back.

use std::time::{Duration, Instant};

use contact_hub_tests::with_hub;
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};

use crate::lock_waits::{lock_contacts, until_lists_wait};

/// PostgreSQL ends every connection to the test's database and rejects new ones, then accepts them again.
#[tokio::test(flavor = "multi_thread")]
async fn answers_503_without_hanging_and_recovers_without_a_restart() {
    with_hub(async |hub| {
        if !hub.database.is_postgres() {
            return;
        }
        let client = hub.client().await;
        let _warm = client.get("/fields").await.expect(200);
        let url = hub.database.url_text().to_owned();
        let (server, name) = url.rsplit_once('/').expect("a database");
        let mut admin =
            PgConnection::establish(&format!("{server}/postgres")).expect("PostgreSQL answers");
        let close = format!(
            "ALTER DATABASE {name} ALLOW_CONNECTIONS false; \
             SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        );
        admin.batch_execute(&close).expect("the database is closed");
        let started = Instant::now();
        let refused = client.get("/fields").await;
        assert!(started.elapsed() < Duration::from_mins(1), "no request hangs");
        let refused = refused.expect_error(503, "SERVICE_UNAVAILABLE");
        assert!(refused.header("retry-after").parse::<u32>().is_ok());
        admin
            .batch_execute(&format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true"))
            .expect("open again");
        let deadline = Instant::now() + Duration::from_secs(30);
        while client.get("/fields").await.status != 200 {
            assert!(Instant::now() < deadline, "it recovers");
        }
    })
    .await;
}

/// Statements of disconnected clients are cancelled, so they do not block connections that others need.
#[tokio::test(flavor = "multi_thread")]
async fn the_statement_of_a_disconnected_client_is_cancelled() {
    with_hub(async |hub| {
        if !hub.database.is_postgres() {
            return;
        }
        let client = hub.client().await;
        let _warm = client.get("/contacts").await.expect(200);
        let mut other = PgConnection::establish(hub.database.url_text()).expect("it connects");
        lock_contacts(&mut other);
        let call = tokio::spawn({
            let client = client.clone();
            async move { client.get("/contacts?search=ab").await }
        });
        until_lists_wait(&mut other, true, Duration::from_secs(15)).await;
        call.abort();
        // Sooner than the lock timeout would end it.
        until_lists_wait(&mut other, false, Duration::from_secs(8)).await;
    })
    .await;
}
