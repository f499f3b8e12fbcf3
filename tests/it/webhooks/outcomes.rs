//! Counts of attempts, compared with the attempts themselves.

use contact_hub_tests::TestDatabase;
use diesel::sql_types::BigInt;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection};

#[derive(QueryableByName)]
struct Numbers {
    #[diesel(sql_type = BigInt)]
    attempts: i64,
    #[diesel(sql_type = BigInt)]
    counted: i64,
}

/// Checks that each recorded attempt is counted once.
pub(super) fn assert_counted_once(database: &TestDatabase) {
    let text = "SELECT (SELECT count(*) FROM delivery_attempts) AS attempts, \
         (SELECT CAST(sum(succeeded + failed) AS bigint) FROM delivery_outcomes) AS counted";
    let url = database.url_text();
    let numbers: Numbers = if database.is_postgres() {
        let mut connection = PgConnection::establish(url).expect("PostgreSQL");
        diesel::sql_query(text).get_result(&mut connection).expect("numbers")
    } else {
        let path = url.trim_start_matches("sqlite://");
        let mut connection = SqliteConnection::establish(path).expect("SQLite");
        diesel::sql_query(text).get_result(&mut connection).expect("numbers")
    };
    assert_eq!(numbers.counted, numbers.attempts);
}
