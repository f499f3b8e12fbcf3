//! A call with a key that waits within its transaction.

use std::time::Duration;

use contact_hub_tests::with_hub;
use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, PgConnection, RunQueryDsl as _};
use reqwest::Method;
use serde_json::json;

use super::keyed;
use crate::support::{created, person, until};

/// Longer than fields are cached.
const OUTDATED: Duration = Duration::from_secs(1);

fn is_waiting(connection: &mut PgConnection) -> bool {
    // A transaction sees the sessions as they were at its first query.
    connection.batch_execute("SELECT pg_stat_clear_snapshot()").expect("it looks anew");
    let waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' \
         AND query LIKE '%INTO changes%'";
    diesel::sql_query(waiting).execute(connection).expect("they are counted") > 0
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_waits_until_the_cached_fields_are_outdated_is_answered() {
    with_hub(async |hub| {
        if !hub.database.is_postgres() || hub.database.cluster().is_some() {
            return;
        }
        let client = hub.client().await;
        let path = format!("/contacts/{}", created(&client, &person("ann@example.com")).await);
        let mut locking = PgConnection::establish(hub.database.url_text()).expect("it connects");
        let lock = "BEGIN; LOCK TABLE changes IN ACCESS EXCLUSIVE MODE";
        locking.batch_execute(lock).expect("entries of the feed wait");
        let body = json!({"first_name": "Anna"});
        let change = keyed(&client, Method::PATCH, &path, "k", &body);
        let release = async {
            until(Duration::from_secs(10), async || is_waiting(&mut locking)).await;
            tokio::time::sleep(OUTDATED).await;
            locking.batch_execute("COMMIT").expect("the entry is written");
        };
        let (answer, ()) = tokio::join!(change, release);
        assert_eq!(answer.expect(200).data()["first_name"], "Anna");
    })
    .await;
}
