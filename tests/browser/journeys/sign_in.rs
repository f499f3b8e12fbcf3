//! Signing in and out, and what a user may see.

use contact_hub_domain::access::{self, LinkPurpose, Permission};
use contact_hub_tests::{CompanyOptions, with_hub};

use crate::person::Person;

const PASSWORD: &str = "correct horse battery";

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_set_with_a_link_and_then_used_to_sign_in() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let link = access::create_link(
            &hub.hub.ports.access,
            None,
            client.made.user,
            LinkPurpose::SetPassword,
        );
        let person = Person::at(&hub.base()).await;
        person.open(&link.await.unwrap().url("")).await;
        person.arrives("Welcome").await;
        person.fill("New password", "short").await;
        person.click("Sign in").await;
        person.sees("Must be at least 12 characters long.").await;
        person.arrives("Welcome").await;
        person.fill("New password", PASSWORD).await;
        person.click("Sign in").await;
        person.arrives("Overview").await;
        let cookie = person.driver().get_named_cookie("contact-hub-session").await.unwrap();
        assert_eq!(cookie.http_only, Some(true));
        assert_eq!(cookie.same_site, Some(thirtyfour::SameSite::Lax));
        assert_eq!(person.js("return document.cookie").await.unwrap(), "");

        person.click("Sign out").await;
        person.arrives("Sign in").await;
        person.sees("You are signed out.").await;
        person.open("/fields").await;
        person.arrives("Sign in").await;
        person.fill("Email", "api@acme.example").await;
        person.fill("Password", "wrong wrong wrong").await;
        person.click("Sign in").await;
        person.sees("The email or the password is wrong.").await;
        person.arrives("Sign in").await;
        assert_eq!(person.value_of("Password").await, "");
        assert_eq!(person.value_of("Email").await, "api@acme.example");
        // The keyboard is sufficient: the password has the focus, and Enter submits.
        let focused = person.driver().active_element().await.unwrap();
        focused.send_keys(format!("{PASSWORD}\u{e007}")).await.unwrap();
        person.arrives("Fields").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn users_see_what_their_permissions_allow() {
    with_hub(async |hub| {
        let permissions = vec![Permission::Publish];
        let client =
            hub.client_of(&CompanyOptions { permissions, ..CompanyOptions::default() }).await;
        let person = Person::at(&hub.base()).await;
        person.follow_link(hub, client.made.user).await;
        person.arrives("Overview").await;
        person.misses("Contacts in 30 days").await;
        let sections = person.text_of("nav.sections").await;
        let sections: Vec<&str> = sections.lines().collect();
        assert_eq!(sections, ["Overview", "Assets", "API access", "API reference", "Account"]);
        assert!(!person.is_seeing("New asset").await);
        for path in ["/contacts", "/admin/integrations/webhooks", "/admin/company"] {
            person.open(path).await;
            person.arrives("You don't have access").await;
        }
        person.open("/nowhere").await;
        person.arrives("Page not found").await;

        let options = CompanyOptions { permissions: Vec::new(), ..CompanyOptions::default() };
        let client = hub.client_of(&options).await;
        let person = person.beside().await;
        person.follow_link(hub, client.made.user).await;
        person.arrives("No access yet").await;
        person.sees("Ask the people who operate this service.").await;
    })
    .await;
}
