//! A PostgreSQL that only takes TLS, and builds with and without it.

use std::path::Path;
use std::process::Output;

use contact_hub_tests::{TestDatabase, TlsServer};

use crate::process::bare;

/// How the binary under test was built.
fn has_tls(database: &TestDatabase) -> bool {
    let output = bare(database, &["--version"]).output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let (_, answer) = text.split_once("TLS towards PostgreSQL: ").expect(&text);
    answer.trim() == "yes"
}

fn migrate(database: &TestDatabase, url: &str) -> Output {
    bare(database, &["migrate", "--database-url", url]).output().expect("it runs")
}

/// What a command that failed says.
fn complaint(output: &Output) -> String {
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn verified(root: &Path) -> String {
    format!("&sslmode=verify-full&sslrootcert={}", root.display())
}

#[test]
fn a_build_with_tls_uses_only_the_server_that_it_can_verify() {
    let database = TestDatabase::empty();
    let Some(server) = TlsServer::start().filter(|_| has_tls(&database)) else { return };
    let try_at = |host: &str, parameters: &str| migrate(&database, &server.url(host, parameters));

    let output = try_at("localhost", &verified(&server.root()));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let url = server.url("localhost", "");
    let mut list = bare(&database, &["company", "list", "--json", "--database-url", &url]);
    let list = list.output().expect("it runs");
    assert!(list.status.success(), "{}", String::from_utf8_lossy(&list.stderr));

    let url = server.url("localhost", "&sslmode=verify-full&sslrootcert=system");
    let mut by_system = bare(&database, &["company", "list", "--json", "--database-url", &url]);
    let trusting = by_system.env("SSL_CERT_FILE", server.root()).output().expect("it runs");
    assert!(trusting.status.success(), "{}", String::from_utf8_lossy(&trusting.stderr));
    let wrong = complaint(&by_system.env("SSL_CERT_FILE", server.other_root()).output().unwrap());
    assert!(wrong.contains("certificate verify failed"), "{wrong}");

    let wrong = complaint(&try_at("localhost", &verified(&server.other_root())));
    assert!(wrong.contains("certificate verify failed"), "{wrong}");
    let wrong = complaint(&try_at("elsewhere.example", &verified(&server.root())));
    assert!(wrong.contains("does not match host name"), "{wrong}");
    let wrong = complaint(&try_at("localhost", "&sslmode=disable"));
    assert!(wrong.contains("pg_hba.conf"), "{wrong}");
}

#[test]
fn a_build_without_tls_says_what_to_do() {
    let database = TestDatabase::empty();
    let Some(server) = TlsServer::start().filter(|_| !has_tls(&database)) else { return };
    for parameters in ["", "&sslmode=require", &verified(&server.root())] {
        let refused = complaint(&migrate(&database, &server.url("localhost", parameters)));
        assert!(refused.contains("--features postgres-tls"), "{refused}");
        assert!(!refused.contains("secret"), "{refused}");
    }
}
