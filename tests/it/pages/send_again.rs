//! Forms that cannot be executed at the moment: what was typed is not lost.

use contact_hub_tests::{Answer, Browser, TestDatabase, field, with_hub};
use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, PgConnection, SqliteConnection};

use crate::process::Service;

const ANN: [(&str, &str); 3] =
    [("email", "ann@example.com"), ("first_name", "Ann"), ("last_name", "O'Neil")];

/// A connection that keeps others from writing.
enum Lock {
    Postgres(PgConnection),
    Sqlite(SqliteConnection),
}

impl Lock {
    /// Locks a table of PostgreSQL, or all of a database of SQLite against writes.
    fn on(database: &TestDatabase, table: &str) -> Self {
        let url = database.url_text();
        if database.is_postgres() {
            let mut connection = PgConnection::establish(url).expect("PostgreSQL");
            let lock = format!("BEGIN; LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE");
            connection.batch_execute(&lock).expect("a lock");
            return Self::Postgres(connection);
        }
        let path = url.trim_start_matches("sqlite://");
        let mut connection = SqliteConnection::establish(path).expect("SQLite");
        // The service may be writing at this moment.
        let lock = "PRAGMA busy_timeout = 20000; BEGIN IMMEDIATE";
        connection.batch_execute(lock).expect("a lock");
        Self::Sqlite(connection)
    }

    fn release(self) {
        match self {
            Self::Postgres(mut connection) => connection.batch_execute("ROLLBACK"),
            Self::Sqlite(mut connection) => connection.batch_execute("ROLLBACK"),
        }
        .expect("it is released");
    }
}

/// A service and the browser of its first user.
async fn signed_in(database: &TestDatabase, flags: &[&str]) -> (Service, Browser) {
    let mut service = Service::serve(database, flags);
    let link = service.rest_of_line("sign in");
    let browser = Browser::new(&service.base);
    browser.follow(link.strip_prefix(&service.base).expect("a path")).await;
    (service, browser)
}

/// Sends the form of a page that offers to send it again.
async fn send_again(browser: &Browser, page: &Answer, path: &str) -> Answer {
    assert!(page.text.contains(">Send again</button>"), "{}", page.text);
    assert!(page.text.contains(&format!("action=\"{path}\"")), "{}", page.text);
    let value = |name: &str| field(&page.text, name).expect(name).replace("&#39;", "'");
    let kept = ANN.map(|(name, _)| value(name));
    for ((name, sent), kept) in ANN.iter().zip(&kept) {
        assert_eq!(sent, kept, "{name}");
    }
    assert_eq!(value("csrf_token"), browser.token());
    let again: Vec<(&str, &str)> =
        ANN.iter().zip(&kept).map(|((name, _), kept)| (*name, kept.as_str())).collect();
    browser.post(path, &again).await
}

/// It gives up soon, but not on a busy machine whose database is not locked.
const IMPATIENT: [&str; 4] = ["--database-wait-ms", "3000", "--database-statement-ms", "5000"];

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_sent_again_when_the_database_is_busy() {
    let database = TestDatabase::empty();
    let (mut service, browser) = signed_in(&database, &IMPATIENT).await;
    // The second table is that by which the person is identified.
    for table in ["contacts", "sessions"] {
        if table == "sessions" && !database.is_postgres() {
            continue;
        }
        let lock = Lock::on(&database, table);
        let path = format!("/contacts/new?of={table}");
        let busy = browser.post(&path, &ANN).await.expect(503);
        lock.release();
        let again = send_again(&browser, &busy, &path).await;
        let expected = if table == "contacts" { 303 } else { 409 };
        assert_eq!(again.status, expected, "{}", again.text);
    }
    service.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_beyond_the_rate_limit_is_kept_unless_it_has_a_password() {
    let database = TestDatabase::empty();
    let (mut service, browser) = signed_in(&database, &["--rate-limit-pages", "4"]).await;
    let mut answer = browser.post("/contacts/new", &ANN).await;
    while answer.status != 429 {
        answer = browser.post("/contacts/new", &ANN).await;
    }
    assert!(answer.text.contains("Try again in "), "{}", answer.text);
    let _ = send_again(&browser, &answer, "/contacts/new").await.expect(429);
    let secrets = [("current", "old secret phrase"), ("password", "new secret phrase")];
    let refused = browser.post("/account/password", &secrets).await.expect(429);
    assert!(!refused.text.contains("secret phrase") && !refused.text.contains("Send again"));
    // A form of another site is not drawn.
    let foreign = browser.request(reqwest::Method::POST, "/contacts/new");
    let foreign = foreign.header("Sec-Fetch-Site", "cross-site").body("email=evil");
    let kind = "application/x-www-form-urlencoded";
    let refused = browser.send(foreign.header("Content-Type", kind)).await.expect(429);
    assert!(!refused.text.contains("Send again"), "{}", refused.text);
    service.stop();
}

/// Sends a form with this token, as a browser does from a page of this site or of another one.
async fn sent_from(browser: &Browser, site: &str, form: &[(&str, &str)], token: &str) -> Answer {
    let mut body = url::form_urlencoded::Serializer::new(String::new());
    body.extend_pairs(form).append_pair("csrf_token", token);
    let request = browser.request(reqwest::Method::POST, "/contacts/new");
    let request = request.header("Content-Type", "application/x-www-form-urlencoded");
    browser.send(request.header("Sec-Fetch-Site", site).body(body.finish())).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_of_the_session_before_is_sent_again_in_the_present_one() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let before = browser.token();
        browser.sign_in(&hub.hub.ports.access, client.made.user).await;
        assert_ne!(browser.token(), before);
        let refused = sent_from(&browser, "same-origin", &ANN, &before).await.expect(403);
        assert!(refused.text.contains("<h1>Your session has changed</h1>"), "{}", refused.text);
        let _ = send_again(&browser, &refused, "/contacts/new").await.expect(303);
        // Neither the form of another site, nor one without a token, nor a secret.
        let foreign = sent_from(&browser, "cross-site", &ANN, &before).await.expect(403);
        let bare = sent_from(&browser, "same-origin", &ANN, "").await.expect(403);
        let secret = [("name", "Ann"), ("password", "my secret phrase")];
        let secret = sent_from(&browser, "same-origin", &secret, &before).await.expect(403);
        assert!(secret.text.contains("<h1>Your session has changed</h1>"), "{}", secret.text);
        for refused in [foreign, bare, secret] {
            assert!(!refused.text.contains("Send again"), "{}", refused.text);
            assert!(!refused.text.contains("O&#39;Neil") && !refused.text.contains("phrase"));
        }
    })
    .await;
}
