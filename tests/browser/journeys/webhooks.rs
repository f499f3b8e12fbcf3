//! Admin > Integrations > Webhooks.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use contact_hub_tests::{Receiver, Reply, with_hub};
use serde_json::json;

use crate::person::Person;

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_created_tested_rotated_recovered_and_deleted() {
    with_hub(async |hub| {
        let (person, _client) = Person::signed_in(hub).await;
        let receiver = Receiver::start(&[500, 200]).await;
        person.click("Webhooks").await;
        person.arrives("Webhooks").await;
        person.sees("No webhooks yet").await;
        person.click("New webhook").await;
        person.arrives("New webhook").await;
        person.fill("Webhook Name", "Braze service").await;
        person.fill("Payload URL", "nowhere").await;
        person.click("Create webhook").await;
        person.arrives("New webhook").await;
        person.fill("Payload URL", &receiver.url()).await;
        person.click("Create webhook").await;
        person.arrives("Webhook created").await;
        person.sees("It is not shown again.").await;
        person.sees("whsec_").await;
        person.driver().refresh().await.unwrap();
        person.arrives("Braze service").await;
        person.sees("Nothing was sent yet.").await;
        assert!(!person.is_seeing("whsec_").await);

        person.click("Send a test").await;
        person.arrives("test").await;
        person.sees("500").await;
        person.click("Send again").await;
        person.sees("Delivery queued again.").await;
        person
            .until("the second attempt", async || {
                person.driver().refresh().await?;
                Ok(person.text().await?.contains("Attempt 2"))
            })
            .await;
        person.arrives("test").await;
        person.click("Request headers").await;
        person.sees("webhook-signature").await;
        person.click("The last request as a curl command").await;
        person.sees("curl -X POST").await;
        person.arrives("test").await;
        person.click("Deliveries").await;
        person.arrives("Deliveries").await;
        person.choose("State", "Succeeded").await;
        person.click("Apply").await;
        person.arrives("Deliveries").await;

        person.click("Webhooks").await;
        person.click("Braze service").await;
        person.arrives("Braze service").await;
        person.click("Rotate the secret").await;
        person.choose("The current one stays valid", "for an hour").await;
        person.click("Rotate").await;
        person.sees("whsec_").await;
        person.click("View webhook").await;
        person.sees("The previous secret is still valid").await;
        person.arrives("Braze service").await;
        person.click("End it now").await;
        person.sees("Only the current secret is valid now.").await;
        person.click("Recover after an outage").await;
        person.arrives("Braze service").await;
        person.set("Since", "2026-01-01T00:00").await;
        person.click("Recover").await;
        person.sees("nothing was resent").await;

        person.click("Edit").await;
        person.arrives("Edit webhook").await;
        person.untick("On: events are sent").await;
        person.click("Save").await;
        person.arrives("Braze service").await;
        person.sees("The webhook is switched off.").await;
        person.click("Delete this webhook").await;
        person.click("Delete").await;
        person.arrives("Webhooks").await;
        person.sees("No webhooks yet").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_webhook_is_shown_and_selected_deliveries_are_resent() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let works = Arc::<AtomicBool>::default();
        let seen = Arc::clone(&works);
        let answer = move |_place| Reply::from(if seen.load(Relaxed) { 200 } else { 500 });
        let receiver = Receiver::scripted(answer).await;
        let hook = json!({
            "name": "Mirror", "url": receiver.url(), "events": ["contactsChanged"],
        });
        let made = client.manage().post("/webhooks", &hook).await.expect(201);
        for (count, email) in [(1, "ann@example.com"), (2, "bo@example.com")] {
            let contact = json!({"email": email, "first_name": "Ann", "last_name": "Lee"});
            let _ = client.post("/contacts", &contact).await.expect(201);
            person
                .until("the attempt", async || {
                    let found = client.manage().get("/deliveries").await.expect(200);
                    let all = found.data().as_array().expect("a list");
                    let failed = all.iter().filter(|it| it["state"] == "retrying");
                    Ok(failed.count() == count)
                })
                .await;
        }
        let found = client.manage().get("/deliveries").await.expect(200);
        let delivery = found.data()[0]["id"].as_str().expect("an id").to_owned();
        person.open(&format!("/admin/integrations/webhooks/deliveries/{delivery}")).await;
        person.arrives("contactsChanged").await;
        person
            .until("the time until the next attempt", async || {
                let text = person.text().await?;
                Ok(text.contains("Next attempt")
                    && (text.contains(", in ") || text.contains("due now")))
            })
            .await;
        person.open("/admin/integrations/webhooks").await;
        person.arrives("Webhooks").await;
        person.sees("Failing").await;
        person.sees("0 %").await;
        person.click("Mirror").await;
        person.arrives("Mirror").await;
        person.sees("attempts failed.").await;
        person.click("All deliveries to this webhook").await;
        person.arrives("Deliveries").await;
        person.sees("Webhook Mirror").await;

        person.choose("Event", "test").await;
        person.click("Apply").await;
        person.sees("No delivery matches these filters.").await;
        person.arrives("Deliveries").await;
        person.click("Remove the filter Event test").await;
        person.misses("No delivery matches these filters.").await;
        person.set("From", "2026-01-01T00:00").await;
        person.click("Apply").await;
        person.sees("(2026-01-01 00:00)").await;
        person.click("Show all").await;
        person.misses("From 2026-01-01").await;
        let id = made.data()["id"].as_str().expect("an id").to_owned();
        person.fill("ID", &id).await;
        person.click("Apply").await;
        person.sees("No delivery matches these filters.").await;
        person.click("Show all").await;
        person.sees("contactsChanged").await;

        works.store(true, Relaxed);
        let before = receiver.count();
        person.tick("Select all deliveries of this page").await;
        person.click("Send 2 selected again").await;
        person.arrives("Send 2 deliveries again?").await;
        person.click("Send 2 again").await;
        person.sees("Deliveries queued again.").await;
        person.arrives("Deliveries").await;
        person.until("both are sent", async || Ok(receiver.count() >= before + 2)).await;
        person
            .until("both succeed", async || {
                let found = client.manage().get("/deliveries?state=succeeded").await.expect(200);
                Ok(found.data().as_array().is_some_and(|all| all.len() == 2))
            })
            .await;
        person.open("/admin/integrations/webhooks").await;
        person.sees("On").await;
    })
    .await;
}
