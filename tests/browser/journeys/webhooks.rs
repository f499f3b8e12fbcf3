//! Admin > Integrations > Webhooks.

use contact_hub_tests::{Receiver, with_hub};

use crate::person::Person;

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_made_tested_rotated_recovered_and_deleted() {
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
        person.sees("A secret from before is valid too").await;
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
