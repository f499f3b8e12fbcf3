//! `contact-hub check`

use contact_hub_tests::{Binary, TestDatabase};
use serde_json::{Value, json};

use super::{create_webhook, filled, found};
use crate::process::{Service, key_file};
use crate::support::person_with_values;

/// The exit code and the report.
fn check(database: &TestDatabase, arguments: &[&str]) -> (Option<i32>, Value) {
    let output = Binary::on(database).run(&[&["check"], arguments].concat());
    let report = serde_json::from_slice(&output.stdout);
    (output.status.code(), report.unwrap_or_else(|_| panic!("{output:?}")))
}

/// Creates contacts with a value of a filterable field.
async fn create_with_cities(service: &Service, key: &str, contacts: usize) {
    let field = json!({"name": "City", "type": "string", "filterable": true});
    let _ = service.call("POST", "/fields", key, Some(&field)).await.expect(201);
    for number in 0..contacts {
        let person =
            person_with_values(&format!("p{number}@example.com"), &json!({"city": "Bern"}));
        let _ = service.call("POST", "/contacts", key, Some(&person)).await.expect(201);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_beside_a_running_service_finds_no_problem() {
    let database = TestDatabase::empty();
    let mut service = Service::serve(&database, &[]);
    let key = service.bootstrap_key();
    create_with_cities(&service, &key, 5).await;
    let (code, report) = check(&database, &["--secret-key-file", &key_file(&database)]);
    let worst = report["level"].as_str().unwrap();
    // The test machine may have a small disk or a low limit on open files.
    let codes = [("ok", 0), ("warning", 1), ("error", 2)];
    let expected = codes.into_iter().find(|(level, _)| *level == worst);
    assert_eq!(code, expected.map(|(_, code)| code));
    for check in [
        "database",
        "schema",
        "clock",
        "leases",
        "deliveries",
        "emails",
        "integrity",
        "counts",
        "values",
        "secrets",
    ] {
        assert_eq!(found(&report, check)["level"], "ok", "{report}");
    }
    assert!(
        found(&report, "counts")["found"].as_str().unwrap().contains("contacts: 5"),
        "{report}"
    );
    assert!(found(&report, "values")["found"].as_str().unwrap().contains("values: 5"), "{report}");
    service.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_counts_and_values_and_secrets_that_cannot_be_opened_are_errors() {
    let database = TestDatabase::empty();
    let mut service = Service::serve(&database, &[]);
    let key = service.bootstrap_key();
    let _ = create_webhook(&service, &key).await;
    create_with_cities(&service, &key, 3).await;
    service.stop();
    database.execute("UPDATE contact_counts SET active = active + 2");
    database.execute("DELETE FROM indexed_values");
    let other = database.directory().join("other.key").display().to_string();
    std::fs::write(&other, "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=").unwrap();
    let (code, report) = check(&database, &["--secret-key-file", &other]);
    assert_eq!((code, report["level"].as_str()), (Some(2), Some("error")), "{report}");
    let counts = found(&report, "counts");
    assert_eq!(counts["level"], "error", "{report}");
    assert!(counts["found"].as_str().unwrap().contains("there are 3"), "{report}");
    assert!(!counts["advice"].as_str().unwrap().is_empty());
    let values = found(&report, "values");
    assert_eq!(values["level"], "error", "{report}");
    assert!(values["found"].as_str().unwrap().contains("3 values are not indexed"), "{report}");
    assert!(values["advice"].as_str().unwrap().contains("filterable again"), "{report}");
    assert_eq!(found(&report, "secrets")["level"], "error", "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_lease_that_no_instance_takes_over_is_a_warning() {
    let database = TestDatabase::empty();
    let _key = filled(&database).await;
    let (id, moment) = if database.is_postgres() {
        ("gen_random_uuid()", "now() - interval '1 hour'")
    } else {
        ("randomblob(16)", "(unixepoch() - 3600) * 1000000")
    };
    database.execute(&format!(
        "INSERT INTO delivery_leases (delivery_id, company_id, webhook_id, lease, owner, claimed_at, until) \
         VALUES ({id}, {id}, {id}, {id}, {id}, {moment}, {moment})"
    ));
    let (code, report) = check(&database, &["--secret-key-file", &key_file(&database)]);
    assert_eq!(found(&report, "leases")["level"], "warning", "{report}");
    assert!(matches!(code, Some(1 | 2)), "{code:?}");
}

#[test]
fn a_named_key_file_that_does_not_exist_is_found() {
    let database = TestDatabase::migrated();
    let (code, report) = check(&database, &["--secret-key-file", "nofile.key"]);
    assert_eq!(code, Some(2));
    let secrets = found(&report, "secrets");
    assert_eq!(secrets["level"], "error", "{report}");
    let expected = "the secret key file nofile.key does not exist";
    assert_eq!(secrets["found"], expected, "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_or_outdated_database_is_found() {
    let database = TestDatabase::empty();
    let (code, report) = check(&database, &[]);
    assert_eq!(code, Some(2));
    let missing = if database.is_postgres() { "schema" } else { "database" };
    assert_eq!(found(&report, missing)["level"], "error", "{report}");
    assert!(
        database.is_postgres() || !super::database_file(&database).exists(),
        "it creates nothing"
    );

    crate::migrating::noted_as_begun(&database);
    let (_, report) = check(&database, &[]);
    assert_eq!(found(&report, "schema")["level"], "warning", "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_index_is_found() {
    let database = TestDatabase::empty();
    let _key = filled(&database).await;
    if database.is_postgres() {
        database.execute(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'webhooks_by_company'::regclass",
        );
    } else {
        // The index is damaged: rows are deleted while it is hidden from SQLite.
        database.execute(
            "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'company_id, id', 'company_id, name') \
             WHERE name = 'webhooks_by_company'; PRAGMA writable_schema = RESET",
        );
    }
    let (code, report) = check(&database, &["--secret-key-file", &key_file(&database)]);
    assert_eq!(
        (code, found(&report, "integrity")["level"].as_str()),
        (Some(2), Some("error")),
        "{report}"
    );
}
