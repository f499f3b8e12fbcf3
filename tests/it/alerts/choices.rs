//! The page on which users choose their alerts.

use contact_hub_domain::access::Permission;
use contact_hub_tests::{CompanyOptions, MailServer, with_hub, with_settings};

use super::{PATH, mailing, user};
use crate::audit::sample::actions;

#[tokio::test(flavor = "multi_thread")]
async fn a_choice_is_stored_and_recorded() {
    let server = MailServer::start().await;
    with_settings(mailing(&server), async |hub| {
        let (browser, client) = user(hub).await;
        let page = browser.get(PATH).await.expect(200);
        assert!(page.text.contains("Emails go to api@acme.example"), "{}", page.text);
        let ticked = |text: &str, name: &str| {
            let id = format!("id=\"{name}\"");
            let input = text.split("<input").find(|it| it.contains(&id));
            input.expect("a box").split('>').next().unwrap().contains(" checked")
        };
        for (name, is_on) in [
            ("webhook_off-email", true),
            ("key_expires-email", true),
            ("webhook_failing-email", false),
        ] {
            assert_eq!(ticked(&page.text, name), is_on, "{name}");
        }
        let chosen = [
            ("by_email", "webhook_failing"),
            ("by_email", "import_ended"),
            ("by_webhook", "webhook_off"),
        ];
        let page = browser.done(PATH, &chosen).await;
        assert!(page.text.contains("Alerts saved."));
        for (name, is_on) in [
            ("webhook_off-email", false),
            ("webhook_failing-email", true),
            ("import_ended-email", true),
            ("webhook_off-webhook", true),
            ("webhook_failing-webhook", false),
        ] {
            assert_eq!(ticked(&page.text, name), is_on, "{name}");
        }
        assert!(actions(&client).await.iter().any(|it| it == "user.alerts_changed"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn users_are_offered_what_their_permissions_allow() {
    with_hub(async |hub| {
        let options = CompanyOptions {
            permissions: vec![Permission::ContactsApi],
            ..CompanyOptions::default()
        };
        let (browser, _client) = hub.browser_of(&options).await;
        let page = browser.get(PATH).await.expect(200);
        assert!(page.text.contains("import_ended") && !page.text.contains("webhook_off"));
        assert!(
            page.text.contains("Email alerts are not available yet"),
            "there is no mail server"
        );
    })
    .await;
}
