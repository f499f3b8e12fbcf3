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
