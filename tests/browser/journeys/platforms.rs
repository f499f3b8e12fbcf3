//! Admin > Integrations > Platforms.

use contact_hub_tests::with_hub;

use crate::person::Person;

#[tokio::test(flavor = "multi_thread")]
async fn a_platform_is_connected_twice_changed_and_disconnected() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        person.click("Platforms").await;
        person.arrives("Platforms").await;
        person.sees("No connections yet").await;
        person.click("All Platforms").await;
        person.arrives("Platforms").await;
        person.click_beside("Klaviyo", "Connect").await;
        person.arrives("Custom platform").await;
        person.click("Connect").await;
        person.sees("Enter a name.").await;
        person.arrives("Custom platform").await;
        person.fill("Integration Name", "Klaviyo EU").await;
        person.tick("Email").await;
        person.fill("Merge tag 1", "first_name").await;
        person.fill("Own text 1", "{{ person.first }}").await;
        person.click("Connect").await;
        person.arrives("Platforms").await;
        person.sees("Platform connected.").await;
        person.sees("Klaviyo EU").await;
        person.click("All Platforms").await;
        person.click_beside("Klaviyo", "Add Another Connection").await;
        person.arrives("Custom platform").await;
        person.fill("Integration Name", "Klaviyo US").await;
        person.tick("Both").await;
        person.click("Connect").await;
        person.sees("Klaviyo US").await;
        let listed = client.manage().get("/integrations").await.expect(200);
        assert_eq!(listed.data()[0]["merge_tag_mapping"]["first_name"], "{{ person.first }}");

        person.click("Klaviyo EU").await;
        person.arrives("Edit connection").await;
        assert_eq!(person.value_of("Own text 1").await, "{{ person.first }}");
        person.fill("Integration Name", "Klaviyo Europe").await;
        person.click("Save").await;
        person.arrives("Platforms").await;
        person.click("Klaviyo Europe").await;
        person.arrives("Edit connection").await;
        person.click("Delete this connection").await;
        person.click("Delete").await;
        person.arrives("Platforms").await;
        person.misses("Klaviyo Europe").await;
    })
    .await;
}
