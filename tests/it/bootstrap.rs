//! The first company is created as soon as the database permits it.

use std::time::Duration;

use contact_hub::bootstrap::{first_company, first_company_within};
use contact_hub_tests::{Answer, TestDatabase, with_idle_hub};
use tokio::time::timeout;

use crate::process::Service;

/// Longer than any of this takes, on a loaded machine too.
const SOON: Duration = Duration::from_mins(1);

#[tokio::test(flavor = "multi_thread")]
async fn creating_the_first_company_is_retried_until_the_database_accepts_it() {
    with_idle_hub(async |hub| {
        let (ports, storage) = (hub.hub.ports.access.clone(), &hub.hub.storage);
        hub.database.execute("ALTER TABLE companies RENAME TO companies_elsewhere");
        let before = storage.statements();
        assert!(first_company(&ports).await.is_err(), "there is no such table");
        let of_one_try = storage.statements() - before;
        assert!(of_one_try > 0);
        let before = storage.statements();
        let tries = tokio::spawn(async move { first_company_within(&ports, SOON).await });
        let two_tries = async {
            while storage.statements() < before + 2 * of_one_try {
                tokio::task::yield_now().await;
            }
        };
        timeout(SOON, two_tries).await.expect("it is tried again");
        assert!(!tries.is_finished());
        hub.database.execute("ALTER TABLE companies_elsewhere RENAME TO companies");
        let made = timeout(SOON, tries).await.expect("in time").expect("no panic");
        let made = made.expect("it is made").expect("the database was empty");
        let again = first_company(&hub.hub.ports.access).await.expect("it is looked for");
        assert!(again.is_none(), "{} is the only one", made.company.id);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn creating_the_first_company_is_not_retried_forever() {
    with_idle_hub(async |hub| {
        hub.database.execute("ALTER TABLE companies RENAME TO companies_elsewhere");
        let made = first_company_within(&hub.hub.ports.access, Duration::from_millis(600));
        assert!(timeout(SOON, made).await.expect("in time").is_err());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_records_the_first_company_with_its_owner_and_key() {
    let database = TestDatabase::empty();
    let mut service = Service::serve(&database, &[]);
    let key = service.bootstrap_key();
    let url = format!("{}/api/manage/v1/audit", service.base);
    let audit = Answer::of(reqwest::Client::new().get(url).bearer_auth(key)).await.expect(200);
    let entries = audit.data().as_array().expect("entries");
    let mut actions: Vec<&str> =
        entries.iter().map(|entry| entry["action"].as_str().expect("an action")).collect();
    actions.sort_unstable();
    let expected = ["api_key.created", "company.created", "user.created", "user.invited"];
    assert_eq!(actions, expected, "{}", audit.text);
    service.stop();
}
