//! Reading contacts with megabytes of values.

use contact_hub_tests::{Client, with_hub};
use serde_json::{Map, Value, json};

/// How many fields there are, and how many characters of four bytes each contact has in each of them: 6 MB of values.
const FIELDS: usize = 300;
const CHARACTERS: usize = 5000;

/// Creates four contacts, and returns their ids. The values of any two of them fit in a page, those of three do not.
async fn giants(client: &Client) -> Vec<String> {
    let mut values = Map::new();
    for number in 0..FIELDS {
        let field = json!({"name": format!("f{number}"), "type": "string"});
        let made = client.post("/fields", &field).await.expect(201);
        let key = made.data()["key"].as_str().expect("a key").to_owned();
        values.insert(key, "😀".repeat(CHARACTERS).into());
    }
    for number in 0..4 {
        let contact = json!({"email": format!("{number}@example.com"), "first_name": "A", "last_name": "B",
            "field_values": values});
        let bulk = json!({"contacts": [contact]});
        assert_eq!(client.post("/contacts/bulk", &bulk).await.expect(200).data()["created"], 1);
    }
    ids(&client.get("/contacts?sort=email").await.expect(200).json)
}

fn ids(list: &Value) -> Vec<String> {
    let contacts = list["data"].as_array().expect("contacts").iter();
    contacts.map(|contact| contact["id"].as_str().expect("an id").to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_too_large_is_rejected_and_each_contact_can_be_read() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let all = giants(&client).await;
        assert_eq!(all.len(), 4);
        let list = async |query: &str| client.get(&format!("/contacts?sort=email&{query}")).await;
        for total in ["", "&page[total]=false"] {
            let answer = list(&format!("include=field_values{total}")).await;
            answer.expect_invalid(&["page.size"]);
            let two = list(&format!("include=field_values&page[size]=2{total}")).await.expect(200);
            assert_eq!(ids(&two.json), all[..2]);
            assert_eq!(two.data()[1]["field_values"].as_array().map(Vec::len), Some(FIELDS));
            assert_eq!(ids(&list(total).await.expect(200).json), all);
        }
        let (mut after, mut found) = (String::new(), Vec::new());
        loop {
            let query = format!("include=field_values&page[after]={after}");
            let part = list(&query).await.expect(200);
            found.extend(ids(&part.json));
            match part.json["meta"]["next"].as_str() {
                Some(next) => after = next.to_owned(),
                None => break,
            }
        }
        assert_eq!(found, all);
        let look_up =
            async |ids: &[String]| client.post("/contacts/lookup", &json!({"ids": ids})).await;
        look_up(&all).await.expect_invalid(&["ids"]);
        assert_eq!(ids(&look_up(&all[2..]).await.expect(200).json), all[2..]);
    })
    .await;
}
