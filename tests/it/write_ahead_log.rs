//! The write-ahead log of SQLite shrinks after a peak.

use std::time::{Duration, Instant};

use contact_hub_tests::with_hub;
use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};

const PEAK: &str = "PRAGMA busy_timeout = 60000; CREATE TABLE peak AS WITH RECURSIVE n(i) AS \
     (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 24) SELECT randomblob(1048576) AS b FROM n";

#[tokio::test(flavor = "multi_thread")]
async fn the_log_shrinks_after_a_peak_without_a_further_write() {
    with_hub(async |hub| {
        if hub.database.is_postgres() {
            return;
        }
        let client = hub.client().await;
        let _opens_the_database = client.get("/contacts").await.expect(200);
        let path = hub.database.directory().join("hub.db");
        let size = || std::fs::metadata(path.with_extension("db-wal")).expect("a log").len();
        let mut other = SqliteConnection::establish(&path.display().to_string()).expect("it opens");
        other.batch_execute(PEAK).expect("a peak");
        assert!(size() > 24 << 20, "{}", size());
        let deadline = Instant::now() + Duration::from_mins(1);
        while size() > 0 {
            assert!(Instant::now() < deadline, "{}", size());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let ada =
            serde_json::json!({"email": "ada@example.com", "first_name": "Ada", "last_name": "L"});
        let _created = client.post("/contacts", &ada).await.expect(201);
    })
    .await;
}
