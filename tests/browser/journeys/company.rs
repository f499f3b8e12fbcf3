//! Admin > Company: its name, its allowed domains, and its users.

use contact_hub_tests::with_hub;

use crate::person::Person;

#[tokio::test(flavor = "multi_thread")]
async fn the_company_is_renamed_and_a_user_is_invited_restricted_and_deleted() {
    with_hub(async |hub| {
        let (person, _client) = Person::signed_in(hub).await;
        person.click("Company").await;
        person.arrives("Company").await;
        person.fill("Allowed domains", "not a domain").await;
        person.click("Save").await;
        person.arrives("Company").await;
        assert_eq!(person.value_of("Allowed domains").await, "not a domain");
        person.fill("Name", "Acme & Daughters").await;
        person.fill("Allowed domains", "*.example.com").await;
        person.click("Save").await;
        person.sees("Company saved.").await;
        person.sees("Acme & Daughters").await;

        person.click("New user").await;
        person.arrives("New user").await;
        person.fill("Email", "eve@acme.example").await;
        person.choose("Role", "Editor: contacts, and publishing assets").await;
        person.click("Create user").await;
        person.arrives("eve@acme.example").await;
        person.click("Create a one-time link").await;
        person.arrives("One-time link").await;
        let link = person.text_of("#link").await;
        person.click("Done").await;

        let eve = person.beside().await;
        eve.open(link.strip_prefix(&hub.base()).unwrap()).await;
        eve.arrives("Welcome").await;
        eve.fill("New password", "a long enough one").await;
        eve.click("Sign in").await;
        eve.arrives("Overview").await;
        let sections = eve.text_of("nav.sections").await;
        assert!(!sections.contains("Company") && !sections.contains("Webhooks"), "{sections}");

        person.arrives("eve@acme.example").await;
        person.choose("Role", "Custom").await;
        person.arrives("eve@acme.example").await;
        person.untick("Contacts: see and change contacts and fields").await;
        person.click("Save").await;
        person.sees("User saved.").await;
        eve.open("/contacts").await;
        eve.arrives("You don't have access").await;
        person.click("Delete this user").await;
        person.click("Delete").await;
        person.arrives("Company").await;
        eve.open("/assets").await;
        eve.arrives("Sign in").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_set_and_another_session_is_ended() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let other = person.beside().await;
        other.follow_link(hub, client.made.user).await;
        person.click("Account").await;
        person.arrives("Account").await;
        person.click_beside("End", "End").await;
        person.sees("Session ended.").await;
        other.open("/contacts").await;
        other.arrives("Sign in").await;
        person.fill("New password", "short").await;
        person.click("Set password").await;
        person.sees("Must be at least 12 characters long.").await;
        person.arrives("Account").await;
        person.fill("New password", "correct horse battery").await;
        person.click("Set password").await;
        person.sees("Password set.").await;
        person.arrives("Account").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_confirms_the_password_and_signs_out_everywhere() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let other = person.beside().await;
        other.follow_link(hub, client.made.user).await;
        person.open("/account").await;
        person.fill("New password", "correct horse battery").await;
        person.click("Set password").await;
        person.sees("Password set.").await;
        hub.clock.advance(11 * 60);
        person.click("API access").await;
        person.arrives("API access").await;
        person.fill("Name of the new key", "Importer").await;
        person.click("Create key").await;
        person.arrives("Confirm it's you").await;
        person.fill("Current password", "wrong wrong wrong").await;
        person.click("Confirm").await;
        person.sees("This is not your current password.").await;
        person.fill("Current password", "correct horse battery").await;
        person.click("Confirm").await;
        person.arrives("Key created").await;
        person.sees("Importer").await;
        person.click("Account").await;
        person.arrives("Account").await;
        person.sees("Chrome on Linux").await;
        person.click("Sign out everywhere").await;
        person.arrives("Sign in").await;
        person.sees("You are signed out everywhere.").await;
    })
    .await;
}
