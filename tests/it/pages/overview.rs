//! The overview: what it counts, what needs action, and the steps to the first sync.

use contact_hub_domain::access::Permission;
use contact_hub_domain::overview::{record_calls, record_contact_days};
use contact_hub_tests::{CompanyOptions, TestHub, with_hub, with_idle_hub};

use super::DEADLINE;
use crate::support::{created, person, second_hub, until};
use crate::sync::sample::{completed, failed, setting};

/// The number beside a label in the legend of a chart.
fn legend(page: &str, label: &str) -> String {
    let (_, rest) = page.split_once(&format!("</span>{label} <strong>")).expect(label);
    rest.split('<').next().unwrap().to_owned()
}

async fn recorded(hub: &TestHub) {
    record_calls(&hub.hub.ports.overview).await.expect("recorded");
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_two_instances_are_counted_once_each() {
    with_idle_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let empty = browser.get("/").await.expect(200);
        assert!(empty.text.contains("Nothing in this period."), "{}", empty.text);
        let other = second_hub(&hub.database);
        let second = client.at(&format!("http://{}", other.address));
        for _ in 0..3 {
            let _ = client.get("/contacts").await.expect(200);
            let _ = second.get("/contacts").await.expect(200);
            recorded(hub).await;
            recorded(hub).await;
            record_calls(&other.ports.overview).await.expect("recorded");
        }
        other.stop().await.expect("it records what is left");
        for path in ["/", "/?period=month", "/?period=x"] {
            let page = browser.get(path).await.expect(200);
            assert_eq!(legend(&page.text, "Within the limit"), "6", "{path}");
            assert_eq!(legend(&page.text, "Over the limit"), "0", "{path}");
        }
        // A restarted instance continues to count.
        let other = second_hub(&hub.database);
        let _ = client.at(&format!("http://{}", other.address)).get("/fields").await.expect(200);
        other.stop().await.expect("it records what is left");
        let page = browser.get("/").await.expect(200);
        assert_eq!(legend(&page.text, "Within the limit"), "7");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_over_the_limit_are_counted_for_their_company() {
    let quota = |settings: &mut contact_hub::settings::ServeSettings| {
        settings.rate_limit_standard = 3;
    };
    contact_hub_tests::with_idle_settings(quota, async |hub| {
        let (browser, client) = hub.browser().await;
        for status in [200, 200, 200, 429, 429] {
            assert_eq!(client.get("/fields").await.status, status);
        }
        recorded(hub).await;
        let page = browser.get("/").await.expect(200);
        assert_eq!(legend(&page.text, "Within the limit"), "3");
        assert_eq!(legend(&page.text, "Over the limit"), "2");
        assert!(page.text.contains("Highest use of a user's rate limit: 100 %"), "{}", page.text);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_of_contacts_is_shown_by_day() {
    with_idle_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let overview = &hub.hub.ports.overview;
        record_contact_days(overview).await.expect("recorded");
        hub.clock.advance(24 * 3600);
        let _ann = created(&client, &person("ann@example.com")).await;
        let _bo = created(&client, &person("bo@example.com")).await;
        // The session has expired by then.
        browser.sign_in(&hub.hub.ports.access, client.made.user).await;
        let page = browser.get("/").await.expect(200);
        assert!(page.text.contains("2 more than on "), "{}", page.text);
        record_contact_days(overview).await.expect("recorded");
        hub.clock.advance(31 * 24 * 3600);
        browser.sign_in(&hub.hub.ports.access, client.made.user).await;
        let page = browser.get("/").await.expect(200);
        assert!(page.text.contains("The chart appears after the second day."), "{}", page.text);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_webhook_and_a_failed_sync_need_action_until_they_are_resolved() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let setting = setting(client, &[500]).await;
        let nothing = browser.get("/").await.expect(200);
        assert!(nothing.text.contains("Nothing needs action."));
        let _sync = setting.requested().await;
        until(DEADLINE, async || {
            let page = browser.get("/").await.expect(200);
            page.text.contains("Failing webhook")
        })
        .await;
        for path in ["/", "/?period=month"] {
            let page = browser.get(path).await.expect(200);
            assert_eq!(legend(&page.text, "Succeeded"), "0", "{path}");
            assert_eq!(legend(&page.text, "Failed"), "1", "{path}");
        }
        let _ = setting.report(&failed("The folder is full.")).await.expect(200);
        let page = browser.get("/").await.expect(200);
        let asset = format!("href=\"/assets/{}\"><bdi>Spring to Ours</bdi></a>", setting.asset);
        assert!(page.text.contains(&asset), "{}", page.text);
        assert!(page.text.contains("The folder is full."));
        let _again = setting.requested().await;
        let page = browser.get("/").await.expect(200);
        assert!(!page.text.contains("The folder is full."), "it was requested again");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_setup_steps_are_ticked_until_the_first_completed_sync() {
    with_idle_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let page = browser.get("/").await.expect(200);
        assert!(page.text.contains("Set up: 0 of 5 steps done"), "{}", page.text);
        for href in [
            "/contacts/import",
            "/assets/new?setup=1",
            "/admin/integrations/webhooks/new?setup=1",
            "/admin/integrations/platforms/new?setup=1",
        ] {
            assert!(page.text.contains(&format!("<a href=\"{href}\">")), "{href}");
        }
        assert!(page.text.contains(&format!("--hub {}", hub.base())), "{}", page.text);
        assert!(page.text.contains("CONTACT_HUB_KEY &#38;&#38;\nprintf"), "{}", page.text);
        client.field("Team", "string").await;
        let page = browser.get("/").await.expect(200);
        assert!(page.text.contains("Set up: 1 of 5 steps done"));
        let setting = setting(client, &[202]).await;
        let page = browser.get("/").await.expect(200);
        assert!(page.text.contains("Set up: 4 of 5 steps done"));
        let _sync = setting.requested().await;
        let _ = setting.report(&completed("1")).await.expect(200);
        let page = browser.get("/").await.expect(200);
        assert!(!page.text.contains("Set up:"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_setup_steps_can_be_hidden_in_a_browser() {
    with_idle_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let page = browser.done("/setup/dismiss", &[]).await;
        assert!(page.text.contains("<h1>Overview</h1>") && !page.text.contains("Set up:"));
        let other = contact_hub_tests::Browser::new(&hub.base());
        other.sign_in(&hub.hub.ports.access, client.made.user).await;
        assert!(other.get("/").await.expect(200).text.contains("Set up:"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn users_see_what_they_have_permission_for() {
    with_idle_hub(async |hub| {
        for (permission, sees, misses) in [
            (
                Permission::ContactsApi,
                vec!["Contacts in 30 days", "Set up:", "href=\"/contacts/import\""],
                vec!["Syncs in", "href=\"/assets/new?"],
            ),
            (
                Permission::Publish,
                vec!["Syncs in 30 days"],
                vec!["Contacts in", "Set up:", "Delivery attempts"],
            ),
            (
                Permission::ManageIntegrations,
                vec![
                    "Syncs in 30 days",
                    "Delivery attempts",
                    "sample receiver",
                    "href=\"/assets/new?",
                ],
                vec!["Contacts in", "href=\"/contacts/import\""],
            ),
        ] {
            let options =
                CompanyOptions { permissions: vec![permission], ..CompanyOptions::default() };
            let (browser, _client) = hub.browser_of(&options).await;
            let page = browser.get("/").await.expect(200).text;
            assert!(sees.iter().all(|text| page.contains(text)), "{permission:?}: {page}");
            assert!(!misses.iter().any(|text| page.contains(text)), "{permission:?}: {page}");
        }
        let options = CompanyOptions {
            permissions: vec![Permission::DownloadEmail],
            ..CompanyOptions::default()
        };
        let (browser, _client) = hub.browser_of(&options).await;
        let page = browser.get("/").await.expect(200).text;
        assert!(page.contains("No access yet"), "{page}");
    })
    .await;
}
