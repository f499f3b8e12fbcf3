//! `GET /contacts`: filters and sorts by fields.

use std::time::{Duration, Instant};

use contact_hub_tests::{Client, with_hub, with_settings};
use serde_json::{Value, json};

use crate::support::{created, person_with_values};

/// A new field; its id.
async fn field(client: &Client, body: Value) -> String {
    let made = client.post("/fields", &body).await.expect(201);
    made.data()["id"].as_str().expect("an id").to_owned()
}

async fn five_filterable(client: &Client) {
    for kind in ["string", "number", "boolean", "date", "datetime"] {
        field(client, json!({"name": kind, "type": kind, "filterable": true})).await;
    }
    for (email, values) in [
        (
            "a@x.example",
            json!({"string": "Head of Sales", "number": 5, "boolean": true, "date": "2026-01-02",
                   "datetime": "2026-01-01T10:00:00+02:00"}),
        ),
        (
            "b@x.example",
            json!({"string": "head of sales", "number": 5.50, "boolean": false, "date": "2025-12-31",
                   "datetime": "2026-01-01T08:00:00.5Z"}),
        ),
        (
            "c@x.example",
            json!({"string": "Sales", "number": -1e3, "date": "0001-01-01",
                   "datetime": "2025-01-01T08:00:00Z"}),
        ),
        ("d@x.example", json!({"string": format!("{}deep", "Ä".repeat(2000)), "number": 1e21})),
        ("e@x.example", json!({})),
    ] {
        created(client, &person_with_values(email, &values)).await;
    }
}

/// The first letters of the emails that a query finds, in their order.
async fn found(client: &Client, query: &str) -> String {
    let answer = client.get(&format!("/contacts?{query}")).await.expect(200);
    let rows = answer.data().as_array().expect("contacts");
    assert_eq!(answer.json["meta"]["total"], rows.len(), "{query}");
    let email = |row: &Value| row["email"].as_str().expect("an email").chars().next();
    rows.iter().filter_map(email).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_type_has_its_own_comparisons() {
    with_hub(async |hub| {
        let client = hub.client().await;
        five_filterable(&client).await;
        for (filter, hits) in [
            ("[field:string]=HEAD of Sales", "ab"),
            ("[field:string][eq]=head", ""),
            ("[field:string][startsWith]=head", "ab"),
            ("[field:string][contains]=SALES", "abc"),
            ("[field:string][contains]=äDEEP", "d"),
            ("[field:string][startsWith]=ää", "d"),
            ("[field:string][exists]=true", "abcd"),
            ("[field:string][exists]=false", "e"),
            ("[field:number]=5.0", "a"),
            ("[field:number][gt]=5", "bd"),
            ("[field:number][>=]=5", "abd"),
            ("[field:number][lt]=5", "c"),
            ("[field:number][lte]=5e0", "ac"),
            ("[field:number][between]=5,6", "ab"),
            ("[field:number][between][]=-2000&filter[field:number][between][]=5", "ac"),
            ("[field:boolean]=true", "a"),
            ("[field:boolean][exists]=false", "cde"),
            ("[field:date]=2026-01-02", "a"),
            ("[field:date][gte]=2025-12-31", "ab"),
            ("[field:date][between]=0001-01-01,2025-12-31", "bc"),
            ("[field:datetime]=2026-01-01T09:00:00+01:00", "a"),
            ("[field:datetime]=2026-01-01T09:00:00%2B01:00", "a"),
            ("[field:datetime][gt]=2026-01-01T08:00:00Z", "b"),
            ("[field:datetime][between]=2025-01-01T00:00:00Z,2026-01-01T08:00:00Z", "ac"),
            ("[field:number][operator]=gte&filter[field:number][value]=5.5", "bd"),
            ("[field:number][gt]=0&filter[field:boolean]=false&filter[email][contains]=x.ex", "b"),
            ("[field:string][contains]=sales&search=a@x", "a"),
        ] {
            let query = format!("filter{filter}");
            assert_eq!(found(&client, &query).await, hits, "{query}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn contacts_without_a_value_sort_last_in_both_directions() {
    with_hub(async |hub| {
        let client = hub.client().await;
        five_filterable(&client).await;
        for (query, order) in [
            ("sort[]=field:number", "cabde"),
            ("sort[]=-field:number", "dbace"),
            ("sort[]=field:string", "abcde"),
            ("sort[]=-field:string", "dcbae"),
            ("sort[]=field:boolean&sort[]=-email", "baedc"),
            ("sort[]=-field:boolean&sort[]=email", "abcde"),
            ("sort[]=last_name&sort[]=-field:date&sort[]=email", "abcde"),
            ("sort[]=field:datetime&filter[field:number][lt]=100", "cab"),
        ] {
            assert_eq!(found(&client, query).await, order, "{query}");
        }
        let page = client.get("/contacts?sort[]=-field:number&page[size]=2&page[number]=3").await;
        let page = page.expect(200);
        assert_eq!(page.data()[0]["email"], "e@x.example");
        assert_eq!(page.json["meta"]["from"], 5);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_comparisons_are_reported_under_their_path() {
    with_hub(async |hub| {
        let client = hub.client().await;
        five_filterable(&client).await;
        let plain = field(&client, json!({"name": "Plain", "type": "string"})).await;
        for (query, paths) in [
            ("filter[field:plain]=x", &["filter.field:plain"][..]),
            ("filter[field:none]=x", &["filter.field:none"]),
            ("filter[field:]=x", &["filter.field:"]),
            ("filter[field:string][gt]=x", &["filter.field:string.gt"]),
            ("filter[field:string][ne]=x", &["filter.field:string.ne"]),
            ("filter[field:number][contains]=5", &["filter.field:number.contains"]),
            ("filter[field:boolean][lt]=true", &["filter.field:boolean.lt"]),
            ("filter[field:number][like]=5", &["filter.field:number.like"]),
            (
                "filter[field:number][operator]=contains&filter[field:number][value]=5",
                &["filter.field:number.contains"],
            ),
            ("filter[field:number]=five", &["filter.field:number"]),
            ("filter[field:number][gt]=", &["filter.field:number.gt"]),
            ("filter[field:boolean]=yes", &["filter.field:boolean"]),
            ("filter[field:date]=2026-02-30", &["filter.field:date"]),
            ("filter[field:datetime]=2026-01-01", &["filter.field:datetime"]),
            ("filter[field:number][between]=1", &["filter.field:number.between"]),
            ("filter[field:string][exists]=1", &["filter.field:string.exists"]),
            ("filter[field:number][gt]=1&filter[field:number][gt]=2", &["filter.field:number.gt"]),
            ("sort[]=email&sort[]=-field:plain", &["sort.1"]),
            ("sort[]=field:none", &["sort.0"]),
            ("sort[]=field:number&sort[]=-field:number", &["sort.1"]),
            ("page[size]=0&filter[field:plain]=x", &["filter.field:plain", "page.size"]),
            ("filter[email][lte]=x", &["filter.email.lte"]),
        ] {
            let answer = client.get(&format!("/contacts?{query}")).await;
            assert_eq!(answer.status, 422, "{query}");
            answer.expect_invalid(paths);
        }
        let shown = client.get("/contacts?filter[field:plain]=x").await;
        assert!(shown.text.contains(&format!("PATCH /fields/{plain}")), "{}", shown.text);
    })
    .await;
}

/// Waits until a field is filterable; returns its other states before that.
async fn becomes_filterable(client: &Client) -> Vec<String> {
    let (began, mut seen) = (Instant::now(), Vec::new());
    loop {
        let listed = client.get("/fields").await.expect(200);
        let state = listed.data()[0]["filterable"].as_str().expect("a word").to_owned();
        if state == "yes" {
            return seen;
        }
        if !seen.contains(&state) {
            seen.push(state);
        }
        assert!(began.elapsed() < Duration::from_mins(1), "{seen:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_can_be_made_filterable_during_writes_and_unfilterable_again() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = field(&client, json!({"name": "Team", "type": "string"})).await;
        let row = |n: usize| {
            person_with_values(&format!("p{n}@x.example"), &json!({"team": format!("t{}", n % 3)}))
        };
        let rows: Vec<Value> = (0..600).map(row).collect();
        let _ = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
        let path = format!("/fields/{id}");
        let changed = client.patch(&path, &json!({"filterable": true})).await.expect(200);
        assert_eq!(changed.data()["filterable"], "building");
        let building = client.get("/contacts?filter[field:team]=t1").await;
        building.expect_invalid(&["filter.field:team"]);
        created(&client, &row(600)).await;
        let rows: Vec<Value> = (0..30).map(|n| row(n + 1)).collect();
        let _ = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
        assert_eq!(becomes_filterable(&client).await, ["building"]);
        created(&client, &row(601)).await;
        let query = "/contacts?filter[field:team]=T1&page[size]=1";
        let total = client.get(query).await.expect(200).json["meta"]["total"].clone();
        assert_eq!(total, 201);
        let off = client.patch(&path, &json!({"filterable": false})).await.expect(200);
        assert_eq!(off.data()["filterable"], "no");
        client.get(query).await.expect_invalid(&["filter.field:team"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_of_filterable_fields_is_limited() {
    let two = |settings: &mut contact_hub::settings::ServeSettings| {
        settings.limits.max_filterable_fields = 2;
    };
    with_settings(two, async |hub| {
        let client = hub.client().await;
        let body = |name: &str, filterable: bool| {
            json!({"name": name, "type": "string", "filterable": filterable})
        };
        let first = field(&client, body("One", true)).await;
        field(&client, body("Two", true)).await;
        client.post("/fields", &body("Three", true)).await.expect_invalid(&["filterable"]);
        let third = format!("/fields/{}", field(&client, body("Three", false)).await);
        let on = json!({"filterable": true});
        client.patch(&third, &on).await.expect_invalid(&["filterable"]);
        let off = json!({"filterable": false});
        let _ = client.patch(&format!("/fields/{first}"), &off).await.expect(200);
        let _ = client.patch(&third, &on).await.expect(200);
        for wrong in [json!({"filterable": "yes"}), json!({"filterable": null})] {
            client.patch(&third, &wrong).await.expect_invalid(&["filterable"]);
        }
    })
    .await;
}
