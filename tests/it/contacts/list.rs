//! `GET /contacts`

use contact_hub_tests::with_hub;
use serde_json::{Value, json};

use super::people::{Person, found, on_page, with_people};

const PEOPLE: [Person; 5] = [
    ("ann@example.com", "Ann", "Adams"),
    ("bob@example.com", "bob", "Baker"),
    ("carl@example.org", "Çarl", "adams"),
    ("dora_x%y@example.net", "Dora", "Zed"),
    ("eve@example.com", "Éve", "O'Neil, Jr"),
];

#[tokio::test(flavor = "multi_thread")]
async fn sorts_case_insensitively_and_breaks_ties_by_id() {
    with_people(&PEOPLE, async |client| {
        for (query, order) in [
            ("", "abcde"),
            ("sort[]=-created_at", "edcba"),
            ("sort=last_name", "acbed"),
            ("sort[0]=-last_name", "debca"),
            ("sort[]=last_name&sort[]=-first_name", "cabed"),
            ("sort%5B%5D=first_name", "abdce"),
        ] {
            assert_eq!(found(client, query).await, order, "{query}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_with_every_operator_in_both_syntaxes() {
    with_people(&PEOPLE, async |client| {
        for (query, hits) in [
            ("filter[email]=ANN@example.com", "a"),
            ("filter[email][operator]=startsWith&filter[email][value]=bo", "b"),
            ("filter%5Blast_name%5D%5BstartsWith%5D=AD", "ac"),
            ("filter[last_name][!=]=adams", "bde"),
            ("filter[last_name][ne]=adams&filter[last_name][ne]=zed", ""),
            ("filter[email][contains]=_x%25", "d"),
            ("filter[email][contains]=%25", "d"),
            ("filter[email][contains]=example.com", "abe"),
            ("filter[last_name][notContains]=a", "de"),
            ("filter[last_name][gt]=baker", "de"),
            ("filter[last_name][<]=baker", "ac"),
            ("filter[last_name][between]=adams,baker", "abc"),
            ("filter[last_name][between]=O'Neil%5C,%20Jr,zzz", "de"),
            ("filter[last_name][operator]=between&filter[last_name][value][]=b&filter[last_name][value][]=c", "b"),
            ("filter[first_name]=%C3%87ARL", "c"),
            ("filter[email][contains]=ex&filter[last_name][startsWith]=ada", "ac"),
            ("filter[created_at][gt]=2020-01-01", "abcde"),
            ("filter[updated_at][lt]=2020-01-01T00:00:00Z", ""),
            ("filter[created_at][between]=2020-01-01,", "abcde"),
            ("unknown=1&utm[source]=x", "abcde"),
        ] {
            if query.contains("[ne]=adams&filter[last_name][ne]") {
                client.get(&format!("/contacts?{query}")).await.expect_invalid(&["filter.last_name.ne"]);
            } else {
                assert_eq!(found(client, query).await, hits, "{query}");
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn created_at_copied_from_an_answer_finds_its_contact() {
    with_people(&PEOPLE, async |client| {
        let list = client.get("/contacts").await.expect(200);
        let moment = list.data()[0]["created_at"].as_str().expect("a moment").to_owned();
        for moment in [moment.clone(), moment.replace('+', "%2B")] {
            let query = format!("filter[created_at][between]={moment},{moment}");
            assert!(found(client, &query).await.starts_with('a'), "{query}");
            let after = format!("filter[created_at][gt]={moment}");
            assert!(!found(client, &after).await.contains('a'));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_all_terms_and_short_ones_as_prefixes() {
    with_people(&PEOPLE, async |client| {
        for (search, hits) in [
            ("example.org", "c"),
            ("ADAMS+car", "c"),
            ("e", "e"),
            ("AD", "ac"),
            ("or", ""),
            ("c+ad", "c"),
            ("d+zed", "d"),
            ("b+ad", ""),
            (".or", "c"),
            ("%C3%A7a", "c"),
            ("o%27neil", "e"),
            ("a%22b*", ""),
            ("AND+OR", ""),
            ("++", "abcde"),
        ] {
            assert_eq!(found(client, &format!("search={search}")).await, hits, "{search}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_has_contacts_as_create_returns_them_without_values() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Age", "number").await;
        let mut created = Vec::new();
        for (email, avatar) in [("a@x.example", json!("https://a.example/x")), ("b@x.example", Value::Null)] {
            let body = json!({"email": email, "first_name": "A", "last_name": "B", "avatar_url": avatar,
                "field_values": {"age": 5}});
            created.push(client.post("/contacts", &body).await.expect(201).data().clone());
        }
        let list = client.get("/contacts").await.expect(200);
        assert_eq!(*list.data(), json!(created));
        let mut members: Vec<&String> = list.json.as_object().expect("an object").keys().collect();
        members.sort();
        assert_eq!(members, ["data", "meta"]);
        assert_eq!(list.header("cache-control"), "private, no-store");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_have_their_position_and_the_total() {
    with_people(&PEOPLE, async |client| {
        let meta = async |query: &str| -> Value {
            client.get(&format!("/contacts?{query}")).await.expect(200).json["meta"].clone()
        };
        let whole = meta("").await;
        assert_eq!(whole, json!({"current_page": 1, "per_page": 25, "total": 5, "last_page": 1, "from": 1, "to": 5}));
        let last = meta("page[size]=2&page[number]=3").await;
        assert_eq!(last, json!({"current_page": 3, "per_page": 2, "total": 5, "last_page": 3, "from": 5, "to": 5}));
        let past = meta("page[size]=2&page[number]=4").await;
        assert_eq!(past, json!({"current_page": 4, "per_page": 2, "total": 5, "last_page": 3, "from": 0, "to": 0}));
        let none = meta("filter[email]=nobody@example.com").await;
        assert_eq!(none, json!({"current_page": 1, "per_page": 25, "total": 0, "last_page": 1, "from": 0, "to": 0}));
        assert_eq!(on_page(client, "page[size]=2&page[number]=2").await, "cd");
        assert_eq!(on_page(client, "page[number]=99999999999999999999999").await, "");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_all_pages_in_either_direction_returns_every_contact_once() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let rows: Vec<_> = (0..230)
            .map(|n| json!({"email": format!("n{n}@example.com"), "first_name": "Same", "last_name": format!("{}", n % 7)}))
            .collect();
        let _bulk = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
        for sort in ["created_at", "-last_name", "first_name"] {
            let mut ids = Vec::new();
            for page in 1..=4 {
                let path = format!("/contacts?page[size]=70&page[number]={page}&sort[]={sort}");
                let answer = client.get(&path).await.expect(200);
                ids.extend(answer.data().as_array().expect("a list").iter().map(|c| c["id"].to_string()));
            }
            assert_eq!(ids.len(), 230, "{sort}");
            ids.sort();
            ids.dedup();
            assert_eq!(ids.len(), 230, "{sort}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_misspelt_query_never_returns_all_contacts() {
    with_people(&PEOPLE, async |client| {
        let long = format!("search={}", "x".repeat(257));
        for (query, field) in [
            ("page[size]=0", "page.size"),
            ("page[size]=101", "page.size"),
            ("page[number]=0", "page.number"),
            ("page[number]=1.5", "page.number"),
            ("page=2", "page"),
            ("page[foo]=1", "page.foo"),
            ("sort[]=foo", "sort.0"),
            ("sort[]=email&sort[]=-email", "sort.1"),
            ("filter=x", "filter"),
            ("filter[foo]=x", "filter.foo"),
            ("filter[email][like]=x", "filter.email.like"),
            ("filter[email]=", "filter.email"),
            ("filter[created_at]=2026-01-01", "filter.created_at"),
            ("filter[email]=%ff", "filter.email"),
            ("search=a+b+c+d+e+f+g+h+i", "search"),
            (long.as_str(), "search"),
        ] {
            client.get(&format!("/contacts?{query}")).await.expect_invalid(&[field]);
        }
    })
    .await;
}
