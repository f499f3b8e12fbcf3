//! `GET /contacts`: the order, and what breaks ties.

use contact_hub_tests::{Client, with_hub};
use serde_json::{Value, json};

/// The values of one member of the contacts of a list, in the order of the list.
async fn listed(client: &Client, query: &str, member: &str) -> Vec<String> {
    let answer = client.get(&format!("/contacts?page[size]=100&{query}")).await.expect(200);
    let contacts = answer.data().as_array().expect("a list").clone();
    contacts.iter().map(|it| it[member].as_str().expect("text").to_owned()).collect()
}

async fn bulk(client: &Client, rows: Vec<Value>) {
    let count = rows.len();
    let answer = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
    assert_eq!(answer.data()["created"], count);
}

fn row(email: &str, first: &str, last: &str) -> Value {
    json!({"email": email, "first_name": first, "last_name": last})
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rows_of_a_bulk_have_the_same_timestamp_and_keep_their_order() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let emails: Vec<String> = (0..40).rev().map(|n| format!("p{n:02}@example.com")).collect();
        bulk(&client, emails.iter().map(|email| row(email, "A", "B")).collect()).await;
        assert_eq!(listed(&client, "", "email").await, emails);
        let ids = listed(&client, "", "id").await;
        assert!(ids.is_sorted() && ids.iter().all(|id| id.as_bytes()[14] == b'7'), "{ids:?}");
        let mut moments = listed(&client, "", "created_at").await;
        moments.dedup();
        assert_eq!(moments.len(), 1);
    })
    .await;
}

#[expect(clippy::too_many_lines, reason = "most of it is a table")]
#[tokio::test(flavor = "multi_thread")]
async fn ties_are_broken_by_id_in_the_direction_of_the_last_key() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let rows = (0..12).map(|n| row(&format!("p{n:02}@example.com"), "Same", ["x", "Y"][n % 2]));
        bulk(&client, rows.collect()).await;
        let ids = listed(&client, "", "id").await;
        let of = |last: usize| ids.iter().skip(last).step_by(2).cloned().collect::<Vec<_>>();
        let turned = |ids: Vec<String>| ids.into_iter().rev().collect::<Vec<_>>();
        for (query, expected) in [
            ("sort[]=created_at", ids.clone()),
            ("sort[]=-created_at", turned(ids.clone())),
            ("sort[]=first_name", ids.clone()),
            ("sort[]=-first_name", turned(ids.clone())),
            ("sort[]=last_name", [of(0), of(1)].concat()),
            ("sort[]=-last_name", [turned(of(1)), turned(of(0))].concat()),
            ("sort[]=last_name&sort[]=-created_at", [turned(of(0)), turned(of(1))].concat()),
            ("sort[]=-last_name&sort[]=created_at", [of(1), of(0)].concat()),
            (
                "sort[]=first_name&sort[]=created_at&sort[]=-last_name",
                [turned(of(1)), turned(of(0))].concat(),
            ),
            (
                "sort[]=first_name&sort[]=-last_name&sort[]=created_at&sort[]=email",
                [of(1), of(0)].concat(),
            ),
        ] {
            let found = listed(&client, query, "id").await;
            assert_eq!(found, expected, "{query}");
            let mut pages = Vec::new();
            for page in 1..=5 {
                let path = format!("/contacts?{query}&page[size]=3&page[number]={page}");
                let answer = client.get(&path).await.expect(200);
                let contacts = answer.data().as_array().expect("a list").clone();
                pages
                    .extend(contacts.iter().map(|it| it["id"].as_str().expect("an id").to_owned()));
            }
            assert_eq!(pages, found, "{query} page by page");
            let filtered =
                listed(&client, &format!("{query}&filter[email][contains]=p"), "id").await;
            assert_eq!(filtered, found, "{query} with a condition");
        }
    })
    .await;
}

#[expect(clippy::too_many_lines, reason = "most of it is a table")]
#[tokio::test(flavor = "multi_thread")]
async fn text_sorts_by_folded_code_points_on_every_database() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let names = [
            "!x",
            "-a",
            "0",
            "10",
            "9",
            "A B",
            "a-b",
            "a_b",
            "Ab",
            "aB c",
            "abc",
            "Z",
            "z-",
            "_",
            "~",
            "\u{e4}",
            "\u{c4}b",
            "\u{df}",
            "\u{e9}",
            "\u{3b1}",
            "\u{3a3}",
            "\u{44f}",
            "\u{5d0}",
            "\u{4f8b}",
            "\u{fffd}",
            "\u{1f382}",
        ];
        let fold = |name: &str| name.to_lowercase();
        let mut expected: Vec<&str> = names.to_vec();
        expected.sort_by_key(|name| fold(name));
        let mut shuffled: Vec<&str> = names.to_vec();
        shuffled.reverse();
        let rows = shuffled.iter().enumerate();
        bulk(
            &client,
            rows.map(|(n, name)| row(&format!("p{n}@example.com"), name, name)).collect(),
        )
        .await;
        for member in ["first_name", "last_name"] {
            assert_eq!(listed(&client, &format!("sort[]={member}"), member).await, expected);
            let turned: Vec<&str> = expected.iter().rev().copied().collect();
            assert_eq!(listed(&client, &format!("sort[]=-{member}"), member).await, turned);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_spelling_of_sort_is_accepted_and_every_mistake_is_reported() {
    with_hub(async |hub| {
        let client = hub.client().await;
        bulk(&client, vec![row("b@x.example", "A", "A"), row("a@x.example", "A", "B")]).await;
        for query in
            ["sort[]=email", "sort%5B%5D=email", "sort=email", "sort[0]=email", "sort%5B0%5D=email"]
        {
            assert_eq!(
                listed(&client, query, "email").await,
                ["a@x.example", "b@x.example"],
                "{query}"
            );
        }
        for (query, field) in [
            ("sort[]=", "sort.0"),
            ("sort[]=Email", "sort.0"),
            ("sort[]=id", "sort.0"),
            ("sort[]=updated_at", "sort.0"),
            ("sort[]=avatar_url", "sort.0"),
            ("sort[]=+email", "sort.0"),
            ("sort[]=--email", "sort.0"),
            ("sort[]=email,last_name", "sort.0"),
            ("sort=email&sort=email", "sort.1"),
            ("sort[]=last_name&sort[]=first_name&sort[]=-last_name", "sort.2"),
        ] {
            client.get(&format!("/contacts?{query}")).await.expect_invalid(&[field]);
        }
    })
    .await;
}
