//! A company with something in every table.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use contact_hub_domain::access::allow_oidc_domain;
use contact_hub_tests::{Answer, Browser, Client, TestDatabase, TestHub};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl as _, SqliteConnection};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{execute, person, person_with_values};
use crate::sync::sample::{Setting, setting};

/// A text that only its contacts contain.
pub(super) const VALUE: &str = "vermillion-umbrella";

/// Writes to every table that a company has rows in.
pub(super) async fn busy(hub: &TestHub) -> Setting {
    let client = hub.client().await;
    let field = json!({"name": "Colour", "type": "string", "filterable": true});
    let _ = client.post("/fields", &field).await.expect(201);
    let rows: Vec<Value> = (0..120)
        .map(|n| person_with_values(&format!("p{n}@example.com"), &json!({"colour": VALUE})))
        .collect();
    let bulk = client.request(Method::POST, "/contacts/bulk").header("Idempotency-Key", "one");
    let _ = Answer::of(bulk.json(&json!({"contacts": rows}))).await.expect(200);
    for email in ["gone@example.com", "erased@example.com"] {
        let made = client.post("/contacts", &person(email)).await.expect(201);
        let path = format!("/contacts/{}", made.data()["id"].as_str().expect("an id"));
        let _ = client.delete(&path).await.expect(204);
        if email.starts_with("erased") {
            let erase = format!("{path}/erase");
            let _ = client.manage().post(&erase, &json!({"block": true})).await.expect(204);
        }
    }
    // An erasure applies the changes of counts, so one is left after it.
    let _ = client.post("/contacts", &person("last@example.com")).await.expect(201);
    let invited = json!({"email": "ann@acme.example", "permissions": []});
    let _ = client.manage().post("/users", &invited).await.expect(201);
    let browser = sign_in(hub, &client).await;
    let view = [("name", "All"), ("query", "sort=email")];
    let _ = browser.post("/contacts/views", &view).await.expect(303);
    let _ = browser.post("/contacts/import/end", &[("refused", "1")]).await.expect(204);
    single_sign_on(hub, &client, &browser).await;
    let setting = setting(client, &[200]).await;
    setting.requested().await;
    let follower =
        json!({"name": "Fields", "url": setting.receiver.url(), "events": ["fieldsChanged"]});
    let _ = setting.client.manage().post("/webhooks", &follower).await.expect(201);
    store_what_is_transient(&hub.database, &setting.client.made.company.to_string());
    setting
}

async fn single_sign_on(hub: &TestHub, client: &Client, browser: &Browser) {
    let domain = format!("{}.example", client.made.company);
    let allowed = allow_oidc_domain(&hub.hub.ports.access, client.made.company, &domain).await;
    allowed.expect("a domain");
    let provider = [
        ("name", "Login"),
        ("issuer", "https://id.example"),
        ("client_id", "hub"),
        ("client_secret", "s3cret"),
        ("domains", &domain),
    ];
    let _ = browser.post("/admin/company/sign-on/new", &provider).await.expect(303);
}

/// The user of a client signs in with a link, sets a password, adds a passkey, and gets another link.
async fn sign_in(hub: &TestHub, client: &Client) -> Browser {
    let browser = Browser::new(&hub.base());
    browser.sign_in(&hub.hub.ports.access, client.made.user).await;
    let (database, user) = (&hub.database, client.made.user.to_string());
    let (id, at) = (blob(database, &user), moment(database));
    let passkey = blob(database, &new_id().to_string());
    let credential = bytes(database, "07");
    let link = blob(database, &new_id().to_string());
    let hash = bytes(database, &new_id().simple().to_string());
    for insert in [
        format!("user_passwords (user_id, password_hash, set_at) VALUES ({id}, 'x', {at})"),
        format!(
            "passkeys (id, user_id, credential_id, public_key, counter, name, created_at) \
             VALUES ({passkey}, {id}, {credential}, '{{}}', 0, 'Laptop', {at})"
        ),
        format!(
            "sign_in_links (id, user_id, token_hash, purpose, created_at, expires_at) \
             VALUES ({link}, {id}, {hash}, 'sign_in', {at}, {at})"
        ),
        format!(
            "oidc_subjects (provider, issuer, subject, user_id, linked_at) \
             VALUES ('acme', 'https://id.example', '{user}', {id}, {at})"
        ),
    ] {
        execute(database, &format!("INSERT INTO {insert} ON CONFLICT DO NOTHING"));
    }
    browser
}

/// Bytes in hexadecimal digits.
fn bytes(database: &TestDatabase, digits: &str) -> String {
    if database.is_postgres() { format!("'\\x{digits}'") } else { format!("x'{digits}'") }
}

/// An id that does not exist.
fn new_id() -> Uuid {
    static LAST: AtomicU32 = AtomicU32::new(0);
    Uuid::from_u128(u128::from(LAST.fetch_add(1, Ordering::Relaxed)) + 1)
}

fn blob(database: &TestDatabase, id: &str) -> String {
    if database.is_postgres() { format!("'{id}'") } else { format!("x'{}'", id.replace('-', "")) }
}

fn yes(database: &TestDatabase) -> &'static str {
    if database.is_postgres() { "true" } else { "1" }
}

fn moment(database: &TestDatabase) -> &'static str {
    if database.is_postgres() { "now()" } else { "1" }
}

/// Rows that a service writes and soon deletes, or that appear only after a while.
#[expect(clippy::too_many_lines, reason = "one statement for each table")]
fn store_what_is_transient(database: &TestDatabase, company: &str) {
    let (company, at) = (blob(database, company), moment(database));
    let other = || blob(database, &new_id().to_string());
    for text in [
        format!(
            "INSERT INTO delivery_leases (delivery_id, company_id, webhook_id, lease, owner, claimed_at, until) \
             VALUES ({}, {company}, {}, {}, {}, {at}, {at})",
            other(),
            other(),
            other(),
            other()
        ),
        format!(
            "INSERT INTO alert_choices (company_id, user_id, kind, by_email, by_webhook) \
             SELECT company_id, id, 'webhook_off', {}, {} FROM users WHERE company_id = {company} LIMIT 1",
            yes(database),
            yes(database)
        ),
        format!(
            "INSERT INTO alerts (company_id, user_id, batch, kind, object_id, name, detail, times, first_at, last_at) \
             VALUES ({company}, {}, {}, 'webhook_off', {}, '', '', 1, {at}, {at})",
            other(),
            other(),
            other()
        ),
        format!(
            "INSERT INTO alert_mails (company_id, user_id, since, attempts) VALUES ({company}, {}, {at}, 0)",
            other()
        ),
        format!(
            "INSERT INTO alert_events (company_id, at, kind, object_id, name, detail) \
             VALUES ({company}, {at}, 'webhook_off', {}, '', '')",
            other()
        ),
        format!(
            "INSERT INTO erasures (webhook_id, company_id, after_id) VALUES ({}, {company}, {})",
            other(),
            other()
        ),
        format!(
            "INSERT INTO settlements (company_id, webhook_id, generation, exhausted, skipped, state, at) \
             VALUES ({company}, {}, 1, 0, 0, 'cancelled', {at})",
            other()
        ),
        format!(
            "INSERT INTO event_contacts (event_id, contact_id, company_id) SELECT id, {}, company_id FROM events \
             WHERE company_id = {company} LIMIT 1",
            other()
        ),
        format!(
            "INSERT INTO delivery_counts (company_id, webhook_id, generation, state, is_test, number) \
             VALUES ({company}, {}, 0, 'pending', {}, 1)",
            other(),
            if database.is_postgres() { "false" } else { "0" }
        ),
        format!(
            "INSERT INTO delivery_outcomes (company_id, webhook_id, hour, succeeded, failed, last_at, last_status) \
             VALUES ({company}, {}, {at}, 1, 0, {at}, 200)",
            other()
        ),
        format!(
            "INSERT INTO change_purges (company_id, position, ordinal) VALUES ({company}, 0, 0)"
        ),
        format!(
            "INSERT INTO call_counts (company_id, hour, instance_id, admitted, refused, peak) \
             VALUES ({company}, {at}, {}, 1, 0, 1)",
            other()
        ),
        format!(
            "INSERT INTO contact_days (company_id, day, active) VALUES ({company}, {at}, 1) ON CONFLICT DO NOTHING"
        ),
        format!(
            "INSERT INTO key_days (company_id, key_id, day, calls) VALUES ({company}, {}, {at}, 1)",
            other()
        ),
        format!(
            "INSERT INTO field_value_blocks (company_id, field_id, first_key, number) \
             VALUES ({company}, {}, {}, 1)",
            other(),
            if database.is_postgres() { "'\\x07'" } else { "x'07'" }
        ),
        format!(
            "INSERT INTO delivery_attempts (id, company_id, delivery_id, number, trigger, started_at, duration_ms, \
             status_code) SELECT {}, company_id, id, 99, 'scheduled', {at}, 1, 200 FROM deliveries \
             WHERE company_id = {company} LIMIT 1",
            other()
        ),
    ] {
        execute(database, &text);
    }
}

#[derive(QueryableByName)]
struct Counted {
    #[diesel(sql_type = diesel::sql_types::Text)]
    name: String,
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    number: i64,
}

const OWNED_BY_USERS: [&str; 6] =
    ["api_keys", "oidc_subjects", "passkeys", "sessions", "sign_in_links", "user_passwords"];

/// The number of rows of a company in each table: tables with a column `company_id`, tables of its users, and its own row.
pub(crate) fn rows_of(database: &TestDatabase, company: &str, user: &str) -> BTreeMap<String, i64> {
    let (company, user) = (blob(database, company), blob(database, user));
    let tables = if database.is_postgres() {
        "SELECT table_name::text AS name, 0::bigint AS number FROM information_schema.columns \
         WHERE column_name = 'company_id' AND table_schema = 'public'"
    } else {
        "SELECT sqlite_master.name, 0 AS number FROM sqlite_master JOIN pragma_table_info(sqlite_master.name) AS part \
         WHERE sqlite_master.type = 'table' AND part.name = 'company_id'"
    };
    let count = |table: &str, condition: String| {
        format!("SELECT '{table}' AS name, count(*) AS number FROM {table} WHERE {condition}")
    };
    let counts = query(database, tables)
        .into_iter()
        .map(|table| count(&table.name, format!("company_id = {company}")));
    let of_users = OWNED_BY_USERS.map(|table| count(table, format!("user_id = {user}")));
    let own = count("companies", format!("id = {company}"));
    // On SQLite they have no company: those that are not of a field of another one.
    let indexed = (!database.is_postgres()).then(|| {
        let others = format!("SELECT index_number FROM fields WHERE company_id <> {company}");
        count("indexed_values", format!("field_number NOT IN ({others})"))
    });
    let all: Vec<String> = counts.chain(of_users).chain([own]).chain(indexed).collect();
    let counted = query(database, &all.join(" UNION ALL "));
    counted.into_iter().map(|it| (it.name, it.number)).collect()
}

/// How many rows a table has, or this part of a query, from its table on, selects.
pub(crate) fn number_in(database: &TestDatabase, table: &str) -> i64 {
    let text = format!("SELECT '' AS name, count(*) AS number FROM {table}");
    query(database, &text)[0].number
}

fn query(database: &TestDatabase, text: &str) -> Vec<Counted> {
    let url = database.url_text();
    if database.is_postgres() {
        let mut connection = PgConnection::establish(url).expect("PostgreSQL answers");
        diesel::sql_query(text).load(&mut connection).expect(text)
    } else {
        let path = url.trim_start_matches("sqlite://");
        let mut connection = SqliteConnection::establish(path).expect("SQLite opens");
        diesel::sql_query(text).load(&mut connection).expect(text)
    }
}
