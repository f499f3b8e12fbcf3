//! `POST /contacts`

use contact_hub_tests::with_hub;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn creates_a_contact_with_values() {
    with_hub(async |hub| {
        let client = hub.client().await;
        assert_eq!(client.field("Job Title", "string").await, "jobTitle");
        let body = json!({"email": " Ann@Example.com ", "first_name": "Ann", "last_name": "Lee", "field_values": {"jobTitle": "Boss"}});
        let created = client.post("/contacts", &body).await.expect(201);
        assert_eq!(created.data()["email"], "Ann@Example.com");
        assert!(created.data().get("field_values").is_none());
        let id = created.data()["id"].as_str().unwrap();
        let read = client.get(&format!("/contacts/{id}")).await.expect(200);
        assert_eq!(read.data()["field_values"][0]["value"], "Boss");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_sixteen_clients_with_one_email_one_creates_it() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let calls = (0..16).map(|_| {
            let client = client.clone();
            tokio::spawn(async move {
                let body = json!({"email": "one@example.com", "first_name": "A", "last_name": "B"});
                client.post("/contacts", &body).await.status
            })
        });
        let mut statuses = Vec::new();
        for call in calls.collect::<Vec<_>>() {
            statuses.push(call.await.unwrap());
        }
        statuses.sort_unstable();
        assert_eq!(statuses[0], 201);
        assert_eq!(statuses[1..], [409; 15]);
    })
    .await;
}
