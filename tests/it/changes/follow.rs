//! Following the feed: no entry is skipped or repeated, however many transactions write and in whichever order they
//! commit.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use contact_hub_domain::access::{KeyDraft, create_key, revoke_key};
use contact_hub_tests::{Answer, Client, with_hub};
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};
use reqwest::Method;
use serde_json::json;

use super::sample::changes;
use crate::support::{created, person, second_hub, until};

fn ids(entries: &[serde_json::Value]) -> Vec<String> {
    entries.iter().map(|it| it["object_id"].as_str().expect("an id").to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_continue_where_the_previous_one_ended() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let (none, begin) = changes(&client, "").await;
        assert!(none.is_empty());
        let mut expected = Vec::new();
        for n in 0..5 {
            expected.push(created(&client, &person(&format!("p{n}@example.com"))).await);
        }
        let (mut found, mut after) = (Vec::new(), begin.clone());
        for size in [2, 2, 1] {
            let (entries, next) =
                changes(&client, &format!("page[size]={size}&after={after}")).await;
            assert_eq!(entries.len(), size);
            found.extend(ids(&entries));
            after = next;
        }
        assert_eq!(found, expected);
        let (none, next) = changes(&client, &format!("after={after}")).await;
        assert_eq!((none.len(), next.as_str()), (0, after.as_str()));
        assert_eq!(ids(&changes(&client, &format!("after={begin}")).await.0), expected);
        let other = hub.client().await;
        assert!(changes(&other, "").await.0.is_empty(), "it is another company's");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn types_can_be_chosen_and_invalid_queries_are_refused() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = created(&client, &person("ann@example.com")).await;
        let _ = client.field("Size", "number").await;
        let _ = client.delete(&format!("/contacts/{id}")).await.expect(204);
        let (entries, next) = changes(&client, "type[]=contact.deleted&type[]=field.created").await;
        let kinds: Vec<_> = entries.iter().map(|it| &it["type"]).collect();
        assert_eq!(kinds, ["field.created", "contact.deleted"]);
        let (none, end) = changes(&client, &format!("type[]=sync.failed&after={next}")).await;
        assert_eq!((none.len(), end), (0, next.clone()));
        for (query, path) in [
            ("after=", "after"),
            ("after=AAAAAAAAAAcAAAAAlS7vyB", "after"),
            ("type[]=contact", "type.0"),
            ("type[]=contact.created&type[]=x", "type.1"),
            ("page[size]=1001", "page.size"),
            ("wait=0", "wait"),
            ("wait=26", "wait"),
        ] {
            client.manage().get(&format!("/changes?{query}")).await.expect_invalid(&[path]);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_that_an_open_transaction_may_still_add_are_not_skipped() {
    with_hub(async |hub| {
        if !hub.database.is_postgres() {
            return;
        }
        let client = hub.client().await;
        let mut slow = PgConnection::establish(hub.database.url_text()).expect("PostgreSQL");
        let late = "01931e3a-7c00-7000-8000-0000000000aa";
        let insert = format!(
            "BEGIN; INSERT INTO changes SELECT '{}', pg_current_xact_id()::text::bigint + base, 0, 'contact.deleted', \
             now(), '{late}', '{late}', '[]' FROM change_base",
            client.made.company
        );
        slow.batch_execute(&insert).expect("an open transaction");
        let fast = created(&client, &person("ann@example.com")).await;
        let (none, begin) = changes(&client, "").await;
        assert!(none.is_empty(), "an older transaction is in progress");
        let (none, latest) = changes(&client, "after=latest").await;
        assert!(none.is_empty());
        let waits = changes(&client, "wait=20");
        let commit = async {
            tokio::task::spawn_blocking(move || slow.batch_execute("COMMIT"))
                .await
                .expect("no panic")
                .expect("it commits");
        };
        let ((entries, _), ()) = tokio::join!(waits, commit);
        assert_eq!(ids(&entries), [late, fast.as_str()]);
        for after in [begin, latest] {
            assert_eq!(ids(&changes(&client, &format!("after={after}")).await.0), [late, &fast]);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_returns_what_was_written_before_if_older_transactions_end_soon() {
    contact_hub_tests::with_idle_hub(async |hub| {
        if !hub.database.is_postgres() {
            return;
        }
        let client = hub.client().await;
        let mut slow = PgConnection::establish(hub.database.url_text()).expect("PostgreSQL");
        slow.batch_execute("BEGIN; SELECT pg_current_xact_id()").expect("an open transaction");
        let statements = || hub.hub.storage.statements();
        let id = created(&client, &person("ann@example.com")).await;
        let before = statements();
        let (none, begin) = changes(&client, "").await;
        assert!(none.is_empty(), "an older transaction is in progress");
        let of_one_read = (statements() - before) / 8;
        let before = statements();
        let commit = async {
            until(Duration::from_secs(10), async || statements() > before + of_one_read).await;
            slow.batch_execute("COMMIT").expect("it commits");
        };
        let query = format!("after={begin}");
        let ((entries, _), ()) = tokio::join!(changes(&client, &query), commit);
        assert_eq!(ids(&entries), [id]);
    })
    .await;
}

async fn create_until(client: Client, writer: usize, is_over: Arc<AtomicBool>) -> Vec<String> {
    let mut ids = Vec::new();
    while !is_over.load(Ordering::Relaxed) {
        let email = format!("p{writer}-{}@example.com", ids.len());
        ids.push(created(&client, &person(&email)).await);
    }
    ids
}

#[tokio::test(flavor = "multi_thread")]
async fn with_many_writers_at_two_instances_each_entry_is_returned_once() {
    with_hub(async |hub| {
        let first = hub.client().await;
        let other = second_hub(&hub.database);
        let second = first.at(&format!("http://{}", other.address));
        let is_over = Arc::new(AtomicBool::new(false));
        let writers: Vec<_> = (0..6)
            .map(|n| {
                let client = if n % 2 == 0 { first.clone() } else { second.clone() };
                tokio::spawn(create_until(client, n, Arc::clone(&is_over)))
            })
            .collect();
        let (mut found, mut after) = (Vec::new(), changes(&first, "page[size]=1").await);
        found.append(&mut after.0);
        for _call in 0..200 {
            if found.len() >= 200 {
                break;
            }
            let client = if found.len() % 2 == 0 { &first } else { &second };
            let query = format!("page[size]=7&wait=5&after={}", after.1);
            after = changes(client, &query).await;
            found.append(&mut after.0);
        }
        is_over.store(true, Ordering::Relaxed);
        let mut expected = BTreeSet::new();
        for writer in writers {
            expected.extend(writer.await.expect("a writer"));
        }
        loop {
            // An empty page is not the end of the feed while a transaction of another test is in progress.
            after = changes(&first, &format!("page[size]=100&wait=5&after={}", after.1)).await;
            if after.0.is_empty() {
                break;
            }
            found.append(&mut after.0);
        }
        let found = ids(&found);
        assert_eq!(found.len(), expected.len());
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
        other.stop().await.expect("it stops");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_poll_ends_with_the_first_matching_entry_or_its_timeout() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let other = hub.client().await;
        let (_, begin) = changes(&client, "").await;
        let started = Instant::now();
        let (held, _) = changes(&client, &format!("after={begin}&wait=1")).await;
        assert!(held.is_empty() && started.elapsed() >= Duration::from_secs(1));
        let started = Instant::now();
        let query = format!("after={begin}&wait=20&type[]=contact.created");
        let writes = async {
            let _ = client.field("Size", "number").await;
            let _ = created(&other, &person("ann@example.com")).await;
            tokio::time::sleep(Duration::from_millis(500)).await;
            created(&client, &person("ann@example.com")).await
        };
        let ((entries, next), id) = tokio::join!(changes(&client, &query), writes);
        assert_eq!(ids(&entries), [id]);
        assert!(started.elapsed() < Duration::from_secs(10));
        let again = changes(&client, &format!("after={begin}&wait=20")).await;
        assert_eq!((again.0.len(), again.1), (2, next));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn long_polls_share_their_queries() {
    contact_hub_tests::with_idle_hub(async |hub| {
        let client = hub.client().await;
        let (_, begin) = changes(&client, "").await;
        let query = format!("after={begin}&wait=2");
        let before = hub.hub.storage.statements();
        let calls = (0..20).map(|_| {
            let (client, query) = (client.clone(), query.clone());
            tokio::spawn(async move { changes(&client, &query).await })
        });
        for call in calls.collect::<Vec<_>>() {
            assert!(call.await.expect("a call").0.is_empty());
        }
        let asked = hub.hub.storage.statements() - before;
        // Each call takes seven statements at its start; the other statements are shared by all calls. How many these are
        // depends on the machine; if each call polled on its own, it would be at least 400.
        assert!(asked < 20 * 7 + 200, "{asked}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_from_the_latest_entry_returns_only_later_ones() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let (none, of_empty) = changes(&client, "after=latest").await;
        assert!(none.is_empty());
        let ann = created(&client, &person("ann@example.com")).await;
        let (none, latest) = changes(&client, "after=latest").await;
        assert!(none.is_empty());
        assert_eq!(latest, changes(&client, "").await.1);
        let max = created(&client, &person("max@example.com")).await;
        assert_eq!(ids(&changes(&client, &format!("after={of_empty}")).await.0), [&*ann, &*max]);
        assert_eq!(ids(&changes(&client, &format!("after={latest}")).await.0), [&*max]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_before_deleted_entries_has_expired() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let (_, begin) = changes(&client, "").await;
        let _ = created(&client, &person("ann@example.com")).await;
        hub.clock.advance(60);
        let between = hub.hub.ports.environment.clock.now();
        let _ = created(&client, &person("max@example.com")).await;
        let (_, middle) = changes(&client, "page[size]=1").await;
        let (_, end) = changes(&client, "").await;
        let expiry = hub.hub.storage.expiry();
        assert_eq!(expiry.delete_changes(between).await.expect("it deletes"), 1);
        let get = async |after: &str| client.manage().get(&format!("/changes?after={after}")).await;
        get(&begin).await.expect_error(410, "CURSOR_EXPIRED");
        assert_eq!(get(&middle).await.expect(200).data().as_array().expect("a list").len(), 1);
        assert_eq!(expiry.delete_changes(between.plus_seconds(60)).await.expect("it deletes"), 1);
        get(&middle).await.expect_error(410, "CURSOR_EXPIRED");
        assert_eq!(get(&end).await.expect(200).data(), &json!([]));
        let (none, next) = changes(&client, "").await;
        assert!(none.is_empty());
        let id = created(&client, &person("eva@example.com")).await;
        for after in [&end, &next] {
            assert_eq!(ids(&changes(&client, &format!("after={after}")).await.0), [&*id]);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_poll_is_rejected_when_its_key_is_revoked() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let ports = &hub.hub.ports.access;
        let other = create_key(ports, None, client.made.user, &KeyDraft::default()).await;
        let other = other.expect("a key");
        let (_, begin) = changes(&client, "").await;
        let path = format!("/changes?after={begin}&wait=3");
        let url = client.manage().url(&path);
        let held = reqwest::Client::new().request(Method::GET, url);
        let held = held.bearer_auth(other.token.reveal());
        let revoked = async {
            tokio::time::sleep(Duration::from_millis(500)).await;
            revoke_key(ports, None, other.key.id).await.expect("revoked");
        };
        let (answer, ()) = tokio::join!(Answer::of(held), revoked);
        answer.expect_error(401, "UNAUTHENTICATED");
    })
    .await;
}
