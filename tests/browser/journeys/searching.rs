//! Searching contacts as one types: the rest of the page follows, and a failure is not hidden.

use contact_hub_tests::{Client, with_hub};
use serde_json::json;

use super::list_contacts::press;
use crate::person::Person;

async fn two_contacts(client: &Client) {
    for (email, first_name) in [("ann@example.com", "Ann"), ("bo@example.com", "Bo")] {
        let contact = json!({"email": email, "first_name": first_name, "last_name": "Lee"});
        let _ = client.post("/contacts", &contact).await.expect(201);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_follows_a_search_keeps_it() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        two_contacts(&client).await;
        let filtered = "/contacts?filter[email][contains]=example";
        person.open(filtered).await;
        person.click("Save this view").await;
        person.click("Columns").await;
        person.js("document.getElementById('search').focus()").await.unwrap();
        press(&person, "ann").await;
        person.sees("1–1 of 1").await;
        person.sees("Name of the view").await;
        person.untick("Last name").await;
        person.click("Show these columns").await;
        let heads = "return document.querySelector('thead').innerText.includes('Last name')";
        person.until("the columns", async || Ok(person.js(heads).await? == false)).await;
        person.sees("1–1 of 1").await;
        assert_eq!(person.value_of("Search").await, "ann");

        person.open(filtered).await;
        person.js("document.getElementById('search').focus()").await.unwrap();
        press(&person, "ann").await;
        person.sees("1–1 of 1").await;
        person.click("✕").await;
        person.misses("Email contains example").await;
        person.sees("1–1 of 1").await;
        assert_eq!(person.path().await.unwrap(), "/contacts?search=ann");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_that_fails_does_not_leave_the_list_of_another_one() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        two_contacts(&client).await;
        person.open("/contacts").await;
        person.sees("1–2 of 2").await;
        person.driver().delete_all_cookies().await.unwrap();
        person.js("document.getElementById('search').focus()").await.unwrap();
        press(&person, "ann").await;
        person.arrives("Sign in").await;
        assert_eq!(person.path().await.unwrap(), "/sign-in?next=%2Fcontacts%3Fsearch%3Dann");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn long_words_beside_boxes_and_circles_stay_on_the_page() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let field = json!({"name": format!("Long {}", "W".repeat(200)), "type": "string"});
        let _ = client.post("/fields", &field).await.expect(201);
        two_contacts(&client).await;
        person.open("/contacts").await;
        person.click("Columns").await;
        person.arrives("Contacts").await;

        person.click("ann@example.com").await;
        person.click("Edit").await;
        person.arrives("Edit contact").await;
        let id = person.path().await.unwrap().replace("/edit", "");
        let theirs = json!({"first_name": "W".repeat(200)});
        let _ = client.patch(&id, &theirs).await.expect(200);
        person.fill("First name", "Anna").await;
        person.click("Save").await;
        person.sees("was changed by someone else since you opened it").await;
        person.arrives("Edit contact").await;
    })
    .await;
}
