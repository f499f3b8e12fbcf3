//! What the tests of the feed share.

use contact_hub_tests::Client;
use serde_json::Value;

/// The entries of a call, and the cursor that it returned.
pub(super) async fn changes(client: &Client, query: &str) -> (Vec<Value>, String) {
    let answer = client.manage().get(&format!("/changes?{query}")).await.expect(200);
    let next = answer.json["meta"]["next"].as_str().expect("a cursor").to_owned();
    (answer.data().as_array().expect("a list").clone(), next)
}

/// The types of entries, and the object of each.
pub(super) fn types_and_changed(entries: &[Value]) -> Vec<(String, Vec<String>)> {
    let words = |value: &Value| {
        let words = value.as_array().expect("names").iter();
        let mut words: Vec<_> = words.map(|it| it.as_str().expect("a name").to_owned()).collect();
        words.sort_unstable();
        words
    };
    let pair =
        |it: &Value| (it["type"].as_str().expect("a type").to_owned(), words(&it["changed"]));
    entries.iter().map(pair).collect()
}
