//! A PostgreSQL that requires TLS.

use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

use contact_hub_tests::{Proxy, TestDatabase, TestHub, TlsServer, with_database};

use crate::lock_waits::{lock_contacts, until_lists_wait};
use crate::process::bare;

/// How long the hub waits for its database.
const WAIT: Duration = Duration::from_secs(2);

/// It promises to answer within the wait plus a second. More is allowed here, since the machine may be busy.
const IN_TIME: Duration = Duration::from_secs(12);

fn migrate(database: &TestDatabase, url: &str) -> Output {
    bare(database, &["migrate", "--database-url", url]).output().expect("it runs")
}

fn accepted(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The error message of a failed command.
fn complaint(output: &Output) -> String {
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn verified(root: &Path) -> String {
    format!("&sslmode=verify-full&sslrootcert={}", root.display())
}

#[test]
fn only_a_server_that_can_be_verified_is_used() {
    let Some(server) = TlsServer::start() else { return };
    let database = TestDatabase::empty();
    let try_at = |host: &str, parameters: &str| migrate(&database, &server.url(host, parameters));

    accepted(&try_at("localhost", &verified(&server.root())));
    let by_authority = verified(&server.root()).replace("verify-full", "verify-ca");
    accepted(&try_at("elsewhere.example", &by_authority));

    let wrong = complaint(&try_at("localhost", &verified(&server.other_root())));
    assert!(wrong.contains("not signed by an authority of sslrootcert"), "{wrong}");
    let wrong = complaint(&try_at("elsewhere.example", &verified(&server.root())));
    assert!(wrong.contains("it is for another host"), "{wrong}");
    let wrong = complaint(&try_at("localhost", "&sslmode=disable"));
    assert!(wrong.contains("pg_hba.conf"), "{wrong}");
    let wrong = complaint(&try_at("localhost", "&sslmode=verify-full&sslrootcert=/missing"));
    assert!(wrong.contains("sslrootcert=/missing"), "{wrong}");
    let wrong = complaint(&try_at("localhost", "&sslmode=verifyfull"));
    assert!(wrong.contains("sslmode cannot be \"verifyfull\""), "{wrong}");
    assert!(!wrong.contains("secret"), "{wrong}");
}

#[test]
fn the_authorities_of_the_system_can_be_replaced() {
    let Some(server) = TlsServer::start() else { return };
    let database = TestDatabase::empty();
    for parameters in ["&sslmode=verify-full&sslrootcert=system", "&sslmode=verify-full"] {
        let url = server.url("localhost", parameters);
        let mut command = bare(&database, &["migrate", "--database-url", &url]);
        accepted(&command.env("SSL_CERT_FILE", server.root()).output().expect("it runs"));
        let wrong = command.env("SSL_CERT_FILE", server.other_root()).output();
        let wrong = complaint(&wrong.expect("it runs"));
        assert!(wrong.contains("not signed by an authority"), "{wrong}");
    }
}

#[test]
fn a_server_that_requires_tls_is_used_even_if_the_address_does_not_mention_it() {
    let Some(server) = TlsServer::start() else { return };
    let database = TestDatabase::empty();
    for parameters in ["", "&sslmode=allow", "&sslmode=prefer", "&sslmode=require"] {
        accepted(&migrate(&database, &server.url("localhost", parameters)));
    }
    let wrong = server.url("localhost", "").replace("secret", "wrong-password");
    let wrong = complaint(&migrate(&database, &wrong));
    assert!(wrong.contains("password authentication failed"), "{wrong}");
    assert!(!wrong.contains("wrong-password"), "{wrong}");
}

#[test]
fn the_next_server_of_an_address_is_used_when_one_is_down() {
    let Some(server) = TlsServer::start() else { return };
    let database = TestDatabase::empty();
    let port = server.address().port();
    let root = server.root();
    // Nothing listens at port 1.
    let url = server.url("localhost", &verified(&root));
    let url = url.replace(&format!("localhost:{port}"), &format!("localhost:1,localhost:{port}"));
    let url = url.replace("hostaddr=127.0.0.1", "hostaddr=127.0.0.1,127.0.0.1");
    accepted(&migrate(&database, &format!("{url}&target_session_attrs=read-write")));
}

/// Runs a test on a hub whose database is behind a proxy, encrypted and verified.
async fn with_tls(test: impl AsyncFnOnce(&TestHub, &TlsServer, &Proxy)) {
    let Some(server) = TlsServer::start() else { return };
    let proxy = Proxy::before(server.address()).await;
    with_database(
        async |database, settings| {
            accepted(&migrate(database, &server.url("localhost", &verified(&server.root()))));
            let port = proxy.address().port();
            let url = TlsServer::url_at(port, "localhost", &verified(&server.root()));
            settings.database_url = url.parse().expect("an address");
            settings.database_wait_ms = WAIT.as_millis().try_into().expect("milliseconds");
        },
        async |hub| test(hub, &server, &proxy).await,
    )
    .await;
}

/// Calls until the service answers.
async fn until_answered(client: &contact_hub_tests::Client) {
    let again = Instant::now();
    while client.get("/contacts").await.status != 200 {
        assert!(again.elapsed() < Duration::from_secs(30), "it recovers");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_end_in_time_when_the_server_is_silent_or_restarts() {
    with_tls(async |hub, server, proxy| {
        let client = hub.client().await;
        let _warm = client.get("/contacts").await.expect(200);
        proxy.fall_silent();
        for _call in 0..3 {
            let began = Instant::now();
            let answer = client.get("/contacts").await;
            let _refused = answer.expect_error(503, "SERVICE_UNAVAILABLE");
            assert!(began.elapsed() < IN_TIME, "{:?}", began.elapsed());
        }
        proxy.pass();
        until_answered(&client).await;
        proxy.cut();
        until_answered(&client).await;
        server.restart();
        until_answered(&client).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_statement_of_a_disconnected_client_is_cancelled() {
    with_tls(async |hub, server, _proxy| {
        let client = hub.client().await;
        let _warm = client.get("/contacts").await.expect(200);
        let mut other = server.connect();
        lock_contacts(&mut other);
        let call = tokio::spawn({
            let client = client.clone();
            async move { client.get("/contacts?search=ab").await }
        });
        until_lists_wait(&mut other, true, Duration::from_secs(15)).await;
        call.abort();
        // Sooner than the lock's own time limit ends it.
        until_lists_wait(&mut other, false, Duration::from_secs(8)).await;
    })
    .await;
}
