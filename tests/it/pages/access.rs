//! Keys, the company and its users.

use std::collections::BTreeSet;

use contact_hub_domain::access::{self, KeyDraft, Permission};
use contact_hub_domain::input::Input;
use contact_hub_domain::overview::record_calls;
use contact_hub_domain::ports::Clock as _;
use contact_hub_tests::{Answer, Browser, CompanyOptions, TestHub, with_hub, with_idle_hub};

use super::{id_of, location};

/// The token that a page shows.
fn token(page: &Answer) -> String {
    let (_, rest) = page.text.split_once("<code id=\"token\">").unwrap();
    rest.split('<').next().unwrap().to_owned()
}

async fn status_with(hub: &TestHub, token: &str) -> u16 {
    let url = format!("{}/api/public/v1/fields", hub.base());
    Answer::of(hub.http().get(url).bearer_auth(token)).await.status
}

#[tokio::test(flavor = "multi_thread")]
async fn own_keys_are_created_shown_once_and_revoked() {
    with_hub(async |hub| {
        let options = CompanyOptions {
            permissions: vec![Permission::ContactsApi],
            ..CompanyOptions::default()
        };
        let (browser, _client) = hub.browser_of(&options).await;
        let path = "/account/api-access/keys";
        let made = browser.post(path, &[("name", "Importer"), ("days", "30")]).await.expect(200);
        let token = token(&made);
        assert_eq!(status_with(hub, &token).await, 200);
        let page = browser.get("/account/api-access").await.expect(200);
        assert!(page.text.contains("Importer") && !page.text.contains(&token));
        assert!(!page.text.contains("Keys of all users"), "for who manages access");
        let wrong = browser.post(path, &[("name", &"x".repeat(300))]).await.expect(422);
        assert!(wrong.text.contains("id=\"name-error-1\">Must be at most 255 characters long."));

        let (before, _) = page.text.split_once("/revoke\"").unwrap();
        let key = before.rsplit('/').next().unwrap();
        let page = browser.done(&format!("{path}/{key}/revoke"), &[]).await;
        assert!(page.text.contains("Key revoked."));
        let (other, _client) = hub.browser_of(&options).await;
        let _ = other.post(&format!("{path}/{key}/revoke"), &[]).await.expect(404);
    })
    .await;
}

/// The names of the keys on a page and on those after it.
async fn names_from(browser: &Browser, path: &str) -> BTreeSet<String> {
    let (mut names, mut next) = (BTreeSet::new(), Some(path.to_owned()));
    while let Some(path) = next {
        let page = browser.get(&path).await.expect(200);
        let rows = page.text.split("data-label=\"Name\">").skip(1);
        names.extend(rows.filter_map(|row| Some(row.split_once('<')?.0.to_owned())));
        let link = page.text.split_once("\" rel=\"next\"").map(|(before, _)| before);
        let link = link.and_then(|before| Some(before.rsplit_once("href=\"")?.1));
        next = link.map(|link| link.replace("&amp;", "&").replace("&#38;", "&"));
    }
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn every_key_of_a_user_can_be_reached() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        // More than a user may have at the same time: the first half expires.
        for half in 0..2 {
            let expiry = hub.clock.now().plus_seconds(60).to_seconds_text();
            for n in 0..70 {
                let name = Input::Text(format!("Key {half} {n}")).into();
                let draft = KeyDraft { name, expires_at: Input::Text(expiry.clone()).into() };
                let ports = &hub.hub.ports.access;
                access::create_key(ports, None, client.made.user, &draft).await.expect("a key");
            }
            hub.clock.advance(61);
        }
        let user = format!("/admin/company/users/{}", client.made.user);
        for path in ["/account/api-access", &user] {
            let names = names_from(&browser, path).await;
            let made = names.iter().filter(|name| name.starts_with("Key ")).count();
            assert_eq!(made, 140, "{path}: {names:?}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_for_syncs_is_shown_with_its_key_and_sample_calls() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let new = "/admin/company/services/new";
        let form = browser.get(new).await.expect(200);
        assert!(form.text.contains("value=\"syncs@acme.example\""), "{}", form.text);
        let refused = browser.post(new, &[("email", "nobody"), ("name", "Syncs")]).await;
        assert!(refused.expect(422).text.contains("id=\"email-error-1\""));
        let user = ("email", "syncs@acme.example");
        let refused = browser.post(new, &[user, ("name", &"x".repeat(300))]).await;
        assert!(refused.expect(422).text.contains("id=\"name-error-1\""));
        let made = browser.post(new, &[user, ("name", "Mailer"), ("days", "90")]).await.expect(200);
        let token = token(&made);
        for call in ["curl -H", "await fetch(", "urlopen("] {
            let example = made.text.split("<pre").find(|part| part.contains(call));
            assert!(example.is_some_and(|example| example.contains(&token)), "{call}");
        }
        // It has no permission for contacts.
        assert_eq!(status_with(hub, &token).await, 403);
        let again = browser.post(new, &[user, ("name", "Mailer")]).await.expect(409);
        assert!(again.text.contains("id=\"email-error-1\""));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_keys_of_all_users_are_in_one_table() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let new = "/admin/company/services/new";
        for (email, name) in [("a@acme.example", "First"), ("b@acme.example", "Second")] {
            let _ = browser.post(new, &[("email", email), ("name", name)]).await.expect(200);
        }
        let (other, _client) = hub.browser().await;
        let _ = other.post(new, &[("email", "c@acme.example"), ("name", "Theirs")]).await;
        let path = "/admin/company/keys";
        let page = browser.get(path).await.expect(200);
        let row = page.text.split("<tr>").find(|row| row.contains(">First<")).expect("a row");
        let shown = [">a@acme.example</a>", ">Sync service<", ">Valid<", ">Never<"];
        assert!(shown.iter().all(|text| row.contains(text)), "{row}");
        assert!(!page.text.contains("Theirs"), "keys of another company");
        let names = names_from(&browser, &format!("{path}?page[size]=1")).await;
        assert!(names.is_superset(&["First".to_owned(), "Second".to_owned()].into()), "{names:?}");
        let editor = CompanyOptions {
            permissions: vec![Permission::ContactsApi],
            ..CompanyOptions::default()
        };
        let (editor, _client) = hub.browser_of(&editor).await;
        let _ = editor.get(path).await.expect(403);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_is_created_invited_changed_and_deleted() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let new = "/admin/company/users/new";
        let refused = browser.post(new, &[("email", "nobody"), ("role", "editor")]).await;
        assert!(refused.expect(422).text.contains("id=\"email-error-1\""));
        let refused = browser.post(new, &[("email", "eve@acme.example"), ("role", "")]).await;
        assert!(refused.expect(422).text.contains("id=\"role-error-1\">Choose a role."));
        let taken = browser.post(new, &[("email", "api@acme.example"), ("role", "editor")]).await;
        assert!(taken.expect(409).text.contains("id=\"email-error-1\""));
        let made = browser.post(new, &[("email", "eve@acme.example"), ("role", "editor")]).await;
        let made = made.expect(303);
        let path = format!("/admin/company/users/{}", id_of(&made));
        let page = browser.get(location(&made)).await.expect(200);
        assert!(page.text.contains("<option value=\"editor\" selected>"));

        let invited = browser.post(&format!("{path}/invite"), &[]).await.expect(200);
        let (_, rest) = invited.text.split_once("/sign-in/").unwrap();
        let link = format!("/sign-in/{}", rest.split('<').next().unwrap());
        let eve = Browser::new(&hub.base());
        let _ = eve.post(&link, &[("password", "a long enough one")]).await.expect(303);
        let _ = eve.get("/contacts").await.expect(200);
        let _ = eve.get("/admin/company").await.expect(403);

        let key = browser.post(&format!("{path}/keys"), &[("name", "Hers")]).await.expect(200);
        let hers = token(&key);
        assert_eq!(status_with(hub, &hers).await, 200);
        let change = [("email", "eve@acme.example"), ("role", "own"), ("permissions", "publish")];
        let page = browser.done(&path, &change).await;
        assert!(page.text.contains("User saved."));
        assert_eq!(status_with(hub, &hers).await, 403);
        let _ = eve.get("/contacts").await.expect(403);
        let page = browser.done(&format!("{path}/delete"), &[]).await;
        assert!(page.text.contains("User deleted") && !page.text.contains("eve@"));
        assert_eq!(status_with(hub, &hers).await, 401);
        let _ = eve.get("/assets").await.expect(303);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn users_cannot_remove_their_own_access() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let path = format!("/admin/company/users/{}", client.made.user);
        let change = [("email", "api@acme.example"), ("role", "editor")];
        let refused = browser.post(&path, &change).await.expect(409);
        assert!(
            refused
                .text
                .contains("take the permission for users, keys and the company from yourself")
        );
        let page = browser.get(&path).await.expect(200);
        assert!(!page.text.contains("Delete this user"));
        let _ = browser.post(&format!("{path}/delete"), &[]).await.expect(409);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_company_is_changed_disabled_and_enabled_again() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let fields = [
            ("name", "Acme & Sons"),
            ("product_access", "on"),
            ("allowed_domains", "example.com\r\n\r\n *.example.org "),
        ];
        let page = browser.done("/admin/company", &fields).await;
        assert!(page.text.contains("Acme &#38; Sons"));
        for domain in ["\nexample.com", "*.example.org"] {
            assert!(page.text.contains(domain), "{domain}");
        }
        let wrong = [("name", ""), ("product_access", "on"), ("allowed_domains", "no domain")];
        let wrong = browser.post("/admin/company", &wrong).await.expect(422);
        assert!(wrong.text.contains("id=\"name-error-1\""));
        assert!(
            wrong.text.contains("id=\"allowed_domains-error-1\"")
                && wrong.text.contains("no domain")
        );
        let lines = "example.com\r\n\r\nno domain\r\nalso none\r\n";
        let wrong = [("name", "Acme"), ("product_access", "on"), ("allowed_domains", lines)];
        let wrong = browser.post("/admin/company", &wrong).await.expect(422);
        let error = |place: u8, text: &str| {
            let start = format!("id=\"allowed_domains-error-{place}\">{text}");
            assert!(wrong.text.contains(&start), "{start}: {}", wrong.text);
        };
        error(1, "“no domain”: Must ");
        error(2, "“also none”: Must ");
        assert!(!wrong.text.contains("“example.com”: "));
        let page = browser.done("/admin/company", &[("name", "Acme")]).await;
        assert!(page.text.contains("Company saved."));
        let _ = browser.get("/contacts").await.expect(403);
        let _ = client.get("/contacts").await.expect(403);
        let on = [("name", "Acme"), ("product_access", "on")];
        let _ = browser.done("/admin/company", &on).await;
        let _ = browser.get("/contacts").await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_of_another_company_is_not_found() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let (_other, client) = hub.browser().await;
        let path = format!("/admin/company/users/{}", client.made.user);
        let _ = browser.get(&path).await.expect(404);
        for action in ["", "/invite", "/delete", "/keys"] {
            let fields = [("email", "x@acme.example"), ("role", "editor")];
            let _ = browser.post(&format!("{path}{action}"), &fields).await.expect(404);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_use_of_a_key_is_counted_by_day() {
    with_idle_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let own = "/account/api-access";
        let record = async || record_calls(&hub.hub.ports.overview).await.expect("recorded");
        assert!(browser.get(own).await.expect(200).text.contains(">No calls<"));
        for _ in 0..3 {
            let _ = client.get("/fields").await.expect(200);
        }
        record().await;
        record().await;
        hub.clock.advance(24 * 3600);
        let _ = client.get("/fields").await.expect(200);
        record().await;
        browser.sign_in(&hub.hub.ports.access, client.made.user).await;
        let title = "<title>Last 30 days: 4 calls, at most 3 on a day, 1 today</title>";
        for path in [own, "/admin/company/keys"] {
            let page = browser.get(path).await.expect(200);
            assert!(page.text.contains(title), "{path}: {}", page.text);
            assert!(page.text.contains(">4 calls</span>"), "{path}: {}", page.text);
        }
        let (other, _client) = hub.browser().await;
        assert!(!other.get("/admin/company/keys").await.expect(200).text.contains("4 calls"));
        hub.clock.advance(30 * 24 * 3600);
        browser.sign_in(&hub.hub.ports.access, client.made.user).await;
        assert!(browser.get(own).await.expect(200).text.contains(">No calls<"));
    })
    .await;
}
