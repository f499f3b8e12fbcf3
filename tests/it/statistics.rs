//! A running service keeps the statistics of PostgreSQL up to date.

use std::time::{Duration, Instant};

use contact_hub_tests::with_hub;
use diesel::sql_types::Integer;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl};
use serde_json::{Value, json};

#[derive(QueryableByName)]
struct Analysed {
    #[diesel(sql_type = Integer)]
    pages: i32,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_has_grown_is_analysed_soon() {
    with_hub(async |hub| {
        if !hub.database.is_postgres() || hub.database.cluster().is_some() {
            return;
        }
        let never = "UPDATE pg_class SET relpages = 0 WHERE oid = CAST('contacts' AS regclass)";
        hub.database.execute(never);
        let client = hub.client().await;
        for bulk in 0..5 {
            let row = |n: i32| json!({"email": format!("p{bulk}-{n}@x.example"), "first_name": "Ann", "last_name": "Lee"});
            let rows: Vec<Value> = (0..1000).map(row).collect();
            let _written = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
        }
        let mut other = PgConnection::establish(hub.database.url_text()).expect("a connection");
        let mut pages = || {
            let select = "SELECT relpages AS pages FROM pg_class WHERE oid = CAST('contacts' AS regclass)";
            let analysed: Analysed =
                diesel::sql_query(select).get_result(&mut other).expect("a table");
            analysed.pages
        };
        // Autovacuum would take a minute.
        let deadline = Instant::now() + Duration::from_secs(30);
        while pages() < 64 {
            assert!(Instant::now() < deadline, "it was not analysed");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    })
    .await;
}
