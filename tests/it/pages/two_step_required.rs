//! Two-step verification that the company requires, and users who have lost theirs.

use contact_hub_domain::ids::UserId;
use contact_hub_tests::{Browser, with_hub};
use serde_json::json;

use super::location;
use super::two_step::{PATH, code, set_up};
use crate::audit::sample::audit;

const COMPANY: [(&str, &str); 3] =
    [("name", "Acme"), ("product_access", "on"), ("requires_two_step", "on")];

#[tokio::test(flavor = "multi_thread")]
async fn users_without_it_are_sent_to_the_setup_and_keys_keep_working() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let answer = browser.post("/admin/company", &COMPANY).await.expect(303);
        assert_eq!(location(&answer), "/admin/company");
        for path in ["/", "/contacts", "/account", "/account/api-access", "/admin/company"] {
            assert_eq!(location(&browser.get(path).await.expect(303)), PATH, "{path}");
        }
        for path in ["/fields", "/admin/company", "/account/password"] {
            let answer = browser.post(path, &[("name", "Team"), ("type", "string")]).await;
            assert_eq!(location(&answer.expect(303)), PATH, "{path}");
        }
        let fields = client.get("/fields").await.expect(200);
        assert_eq!(fields.data(), &json!([]), "nothing was done, and keys go on");
        let page = browser.get(PATH).await.expect(200);
        assert!(page.text.contains("Acme requires two-step verification."));
        assert!(!page.text.contains("nav class=\"sections\""), "nothing else can be opened");
        let (_secret, _codes) = set_up(hub, &browser).await;
        let page = browser.get("/admin/company").await.expect(200);
        assert!(page.text.contains("name=\"requires_two_step\" value=\"on\" checked"));
        let _ = browser.post(&format!("{PATH}/off"), &[]).await.expect(303);
        assert_eq!(location(&browser.get("/contacts").await.expect(303)), PATH);
        let _ = browser.done("/sign-out", &[]).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_requirement_can_also_be_set_by_the_api() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let company = client.get("/company").await.expect(200);
        assert_eq!(company.data()["requires_two_step"], false);
        let on = json!({"requires_two_step": true});
        let company = client.patch("/company", &on).await.expect(200);
        assert_eq!(company.data()["requires_two_step"], true);
        let changed = &audit(&client, "filter[action]=company.updated").await[0];
        let off = json!({"requires_two_step": false});
        assert_eq!((&changed["old"], &changed["new"]), (&off, &on));
        let wrong = json!({"requires_two_step": "yes"});
        client.patch("/company", &wrong).await.expect_invalid(&["requires_two_step"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_can_reset_it_for_a_user() {
    with_hub(async |hub| {
        let (admin, client) = hub.browser().await;
        let user = json!({"email": "eve@acme.example", "permissions": ["contacts_api"]});
        let made = client.manage().post("/users", &user).await.expect(201);
        let user = made.data()["id"].as_str().unwrap();
        let (path, id) = (format!("/admin/company/users/{user}"), UserId::parse(user).unwrap());
        let eve = Browser::new(&hub.base());
        eve.sign_in(&hub.hub.ports.access, id).await;
        let (secret, _codes) = set_up(hub, &eve).await;
        let page = admin.get(&path).await.expect(200);
        assert!(page.text.contains("Reset two-step verification"));
        let reset = format!("{path}/reset-two-step");
        let (foreign, _client) = hub.browser().await;
        let _ = foreign.post(&reset, &[]).await.expect(404);
        let page = admin.done(&reset, &[]).await;
        assert!(page.text.contains("Two-step verification reset."));
        assert!(!page.text.contains("Reset two-step verification"));
        let again = Browser::new(&hub.base());
        again.sign_in(&hub.hub.ports.access, id).await;
        let entry = &audit(&client, "filter[action]=user.two_step_reset").await[0];
        let actor = json!(client.made.user.to_string());
        assert_eq!((&entry["object"], &entry["actor"]["user"]), (&json!(user), &actor));
        hub.clock.advance(11 * 60);
        let old = code(hub, &secret, 0);
        let keys = "/account/api-access/keys";
        let _ = again.post(keys, &[("current", &old)]).await.expect(422);
    })
    .await;
}
