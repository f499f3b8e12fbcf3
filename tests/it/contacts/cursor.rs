//! `page[after]`: a list is read page by page during concurrent writes.

use std::collections::{BTreeMap, BTreeSet};

use contact_hub_tests::{Answer, Client, with_hub};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use url::form_urlencoded::byte_serialize;

use crate::support::{created, person};

const SORTS: [&str; 8] = [
    "",
    "sort[]=-created_at",
    "sort[]=email",
    "sort[]=-last_name",
    "sort[]=first_name&sort[]=-last_name",
    "sort[]=-last_name&sort[]=created_at",
    "sort[]=last_name&sort[]=first_name&sort[]=-email&sort[]=created_at",
    "sort[]=-first_name&search=example",
];

const FILTERS: [&str; 5] = [
    "",
    "filter[first_name][ne]=zoe",
    "filter[last_name][gt]=a",
    "filter[email][contains]=stays",
    "search=st",
];

/// One write between two pages.
#[derive(Clone, Debug)]
enum Write {
    Create(u32),
    Rename(u32, u8),
    Delete(u32),
}

fn write() -> impl Strategy<Value = Write> {
    prop_oneof![
        2 => (0_u32..500).prop_map(Write::Create),
        3 => (0_u32..500, 0_u8..6).prop_map(|(n, name)| Write::Rename(n, name)),
        2 => (0_u32..500).prop_map(Write::Delete),
    ]
}

fn name(n: impl Into<usize>) -> &'static str {
    ["Ann", "ann", "Bob", "Äbel", "Bob ", "Max"][n.into() % 6]
}

fn row(email: &str, n: usize) -> Value {
    json!({"email": email, "first_name": name(n), "last_name": name(n / 6)})
}

async fn page(client: &Client, query: &str, after: &str) -> Answer {
    let after: String = byte_serialize(after.as_bytes()).collect();
    client.get(&format!("/contacts?{query}&page[after]={after}")).await.expect(200)
}

fn ids(answer: &Answer) -> Vec<String> {
    let data = answer.data().as_array().expect("contacts").iter();
    data.map(|contact| contact["id"].as_str().expect("an id").to_owned()).collect()
}

/// Applies a write to the contacts that may change.
async fn apply(client: &Client, changing: &mut BTreeMap<u32, String>, write: &Write) {
    match write {
        Write::Create(n) if !changing.contains_key(n) => {
            let email = format!("stays.not{n}@example.com");
            let place = usize::try_from(*n).expect("small");
            changing.insert(*n, created(client, &row(&email, place)).await);
        }
        Write::Rename(n, other) => {
            let Some((_, id)) = changing.range(n..).next() else { return };
            let change = json!({"first_name": name(*other), "last_name": name(other / 2)});
            let _changed = client.patch(&format!("/contacts/{id}"), &change).await.expect(200);
        }
        Write::Delete(n) => {
            let Some(key) = changing.range(n..).next().map(|(key, _)| *key) else { return };
            let id = changing.remove(&key).expect("it is there");
            let _deleted = client.delete(&format!("/contacts/{id}")).await.expect(204);
        }
        Write::Create(_) => {}
    }
}

/// Every email of a list, read in pages of several sizes, with writes between them.
async fn met(client: &Client, query: &str, mut writes: impl AsyncFnMut()) -> Vec<String> {
    let (mut met, mut after, mut size) = (Vec::new(), String::new(), 7);
    loop {
        let answer = page(client, &format!("{query}&page[size]={size}"), &after).await;
        let meta = answer.json["meta"].as_object().expect("meta");
        assert_eq!((meta.len(), &meta["per_page"]), (2, &json!(size)));
        let found = answer.data().as_array().expect("contacts");
        met.extend(found.iter().map(|it| it["email"].as_str().expect("one").to_owned()));
        let Some(next) = meta["next"].as_str() else { return met };
        assert_eq!(found.len(), size, "only the last page is shorter");
        after = next.to_owned();
        size = 1 + (size * 5) % 31;
        writes().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn contacts_that_keep_matching_are_returned_exactly_once() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let rows: Vec<Value> =
            (0..120).map(|n| row(&format!("stays{n}@example.com"), n * 7 % 36)).collect();
        let _made = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
        let mut changing = BTreeMap::new();
        for n in 0..60 {
            apply(&client, &mut changing, &Write::Create(n * 8)).await;
        }
        let mut runner = TestRunner::deterministic();
        let writes = prop::collection::vec(write(), 0..6);
        for (sorts, filter) in SORTS.iter().flat_map(|sorts| FILTERS.map(|it| (sorts, it))) {
            let query = format!("{sorts}&{filter}");
            let some_writes = async || {
                for write in writes.new_tree(&mut runner).expect("writes").current() {
                    apply(&client, &mut changing, &write).await;
                }
            };
            let mut met = met(&client, &query, some_writes).await;
            met.retain(|email| !email.contains("not"));
            let once: BTreeSet<&String> = met.iter().collect();
            assert_eq!((met.len(), once.len()), (rows.len(), rows.len()), "{query}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_page_is_marked_as_last_even_when_it_is_full() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let empty = page(&client, "", "").await;
        assert_eq!(
            (empty.data(), &empty.json["meta"]),
            (&json!([]), &json!({"per_page": 25, "next": null}))
        );
        let mut made = Vec::new();
        for n in 0..4 {
            made.push(created(&client, &person(&format!("p{n}@example.com"))).await);
        }
        let first = page(&client, "page[size]=2&page[total]=true", "").await;
        let next = first.json["meta"]["next"].as_str().expect("a cursor").to_owned();
        let second = page(&client, "page[size]=2&include=field_values", &next).await;
        assert_eq!(second.json["meta"]["next"], Value::Null);
        assert_eq!([ids(&first), ids(&second)].concat(), made);
        assert_eq!(second.data()[0]["field_values"], json!([]));
        // The contact of the cursor and those after it have been deleted.
        for id in &made[1..] {
            let _deleted = client.delete(&format!("/contacts/{id}")).await.expect(204);
        }
        assert_eq!(page(&client, "", &next).await.data(), &json!([]));
        let later = created(&client, &person("p9@example.com")).await;
        assert_eq!(ids(&page(&client, "", &next).await), [later]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_that_is_damaged_or_of_another_list_is_refused() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for n in 0..3 {
            let _id = created(&client, &person(&format!("p{n}@example.com"))).await;
        }
        let query = "filter[last_name]=Lee&sort[]=email&search=exam";
        let answer = page(&client, &format!("{query}&page[size]=1"), "").await;
        let next = answer.json["meta"]["next"].as_str().expect("a cursor").to_owned();
        let same =
            "search=exam&sort=email&filter[last_name][operator]=eq&filter[last_name][value]=LEE";
        for query in [query, same] {
            assert_eq!(page(&client, query, &next).await.data().as_array().map(Vec::len), Some(2));
        }
        let damaged = format!("{}x", next.chars().skip(1).collect::<String>());
        for (query, cursor) in [
            ("", &next),
            ("filter[last_name]=Lee&sort[]=-email&search=exam", &next),
            ("filter[last_name]=Li&sort[]=email&search=exam", &next),
            ("filter[last_name]=Lee&sort[]=email&search=exa", &next),
            (query, &damaged),
            (query, &"x".to_owned()),
        ] {
            let path = format!("/contacts?{query}&page[after]={cursor}");
            client.get(&path).await.expect_invalid(&["page.after"]);
        }
        for (query, paths) in [
            ("page[after]=&page[number]=1", &["page.after", "page.number"][..]),
            ("page[after]=&page[size]=101", &["page.size"]),
            ("page[after]=&page[total]=0", &["page.total"]),
            ("page[after]=&include=values", &["include"]),
            ("page[total]=no&include=", &["include", "page.total"]),
        ] {
            client.get(&format!("/contacts?{query}")).await.expect_invalid(paths);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_without_a_total_has_the_same_contacts() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for n in 0..5 {
            let _id = created(&client, &person(&format!("p{n}@example.com"))).await;
        }
        for query in [
            "",
            "filter[last_name]=lee",
            "search=le&sort[]=-email",
            "sort[]=last_name&sort[]=email",
        ] {
            for number in 1..5 {
                let path = format!("/contacts?{query}&page[size]=2&page[number]={number}");
                let counted = client.get(&path).await.expect(200);
                let uncounted = client.get(&format!("{path}&page[total]=false")).await.expect(200);
                assert_eq!(uncounted.data(), counted.data(), "{path}");
                let mut meta = counted.json["meta"].clone();
                meta["total"] = Value::Null;
                meta["last_page"] = Value::Null;
                assert_eq!(uncounted.json["meta"], meta, "{path}");
                let same = client.get(&format!("{path}&page[total]=true")).await.expect(200);
                assert_eq!(same.json, counted.json);
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_includes_values_on_request() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Team", "string").await;
        client.field("Age", "number").await;
        for n in 0..3 {
            let mut body = person(&format!("p{n}@example.com"));
            body["field_values"] = json!({"age": n, "team": "red"});
            let _id = created(&client, &body).await;
        }
        let _none = created(&client, &person("none@example.com")).await;
        for query in ["", "&page[total]=false", "&page[after]="] {
            let list =
                client.get(&format!("/contacts?include=field_values{query}")).await.expect(200);
            for contact in list.data().as_array().expect("contacts") {
                let path = format!("/contacts/{}", contact["id"].as_str().expect("an id"));
                assert_eq!(client.get(&path).await.expect(200).data(), contact);
            }
            let plain = client.get(&format!("/contacts?{query}")).await.expect(200);
            assert!(plain.data()[0].get("field_values").is_none());
        }
    })
    .await;
}
