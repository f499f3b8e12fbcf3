//! Who can sign in with a provider.

use contact_hub_domain::access::Permission;
use contact_hub_tests::{Browser, CompanyOptions, OIDC_CLIENT, Script, code_at, field};
use serde_json::json;

use super::{at_provider, location, signed_in, with_provider};
use crate::audit::sample::audit;

#[tokio::test(flavor = "multi_thread")]
async fn a_user_is_found_by_email_once_and_then_by_the_providers_subject() {
    with_provider(json!({}), async |hub, provider| {
        let client = hub.client().await;
        let browser = Browser::new(&hub.base());
        let page = browser.get("/sign-in?next=/fields").await.expect(200);
        assert!(page.text.contains("Sign in with Acme &#38; Co"), "{}", page.text);
        assert!(page.text.contains("href=\"/sign-in/oidc/acme?next=%2Ffields\""), "{}", page.text);
        let sent = browser.get("/sign-in/oidc/acme?next=/fields").await.expect(303);
        let asked = provider.ask(location(&sent));
        let value = |name| asked.iter().find(|(known, _)| known == name).map(|(_, it)| it.as_str());
        assert_eq!(value("client_id"), Some(OIDC_CLIENT));
        assert_eq!(value("response_type"), Some("code"));
        assert_eq!(value("scope"), Some("openid email"));
        let callback = format!("{}/sign-in/oidc/acme/callback", hub.base());
        assert_eq!(value("redirect_uri"), Some(callback.as_str()));
        let back = provider.sign_in(location(&sent));
        let done = browser.get(&back).await.expect(303);
        assert_eq!(location(&done), "/fields");
        let _ = browser.get("/contacts").await.expect(200);
        assert_eq!(browser.cookie("contact-hub-oidc"), None);

        // From now on the email is a different one, which belongs to no user.
        let claims = json!({"email": "ann@elsewhere.example"});
        provider.play(Script { claims, ..Script::default() });
        let other = Browser::new(&hub.base());
        assert_eq!(location(&signed_in(&other, provider).await.expect(303)), "/");
        let page = other.get("/account").await.expect(200);
        assert!(page.text.contains("You are signed in as api@acme.example"));
        assert!(page.text.contains("You can sign in with Acme "), "{}", page.text);
        let alerts = other.get("/account/alerts").await.expect(200);
        let on = alerts.text.split("<input").find(|it| it.contains("id=\"key_expires-email\""));
        assert!(on.is_some_and(|it| it.contains(" checked")), "{}", alerts.text);

        for (action, count) in [("session.created_by_provider", 2), ("user.linked_to_provider", 1)]
        {
            let entries = audit(&client, &format!("filter[action]={action}")).await;
            assert_eq!(entries.len(), count, "{action}");
            assert_eq!(entries[0]["new"], json!({"provider": "acme"}));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn claims_missing_in_the_token_are_read_from_the_profile() {
    with_provider(json!({}), async |hub, provider| {
        let _client = hub.client().await;
        let claims = json!({"email": null, "email_verified": null});
        let profile = json!({"email": "api@acme.example", "email_verified": true});
        provider.play(Script { claims, profile, ..Script::default() });
        let browser = Browser::new(&hub.base());
        let _ = signed_in(&browser, provider).await.expect(303);
        let _ = browser.get("/contacts").await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_who_is_not_a_user_is_refused() {
    with_provider(json!({}), async |hub, provider| {
        let client = hub.client().await;
        let refused = async |claims, words: &str| {
            provider.play(Script { claims, ..Script::default() });
            let browser = Browser::new(&hub.base());
            let answer = signed_in(&browser, provider).await.expect(403);
            assert!(answer.text.contains(words), "{}", answer.text);
            let _ = browser.get("/account").await.expect(303);
        };
        refused(json!({"email": "eve@acme.example"}), "No user here has your email").await;
        refused(json!({"email_verified": false}), "has not verified your email").await;
        refused(json!({"email_verified": null}), "has not verified your email").await;
        refused(json!({"email": null}), "did not give your email").await;
        refused(json!({"email": "no email"}), "did not give your email").await;
        provider.play(Script::default());
        let _ = signed_in(&Browser::new(&hub.base()), provider).await.expect(303);
        // The address now belongs to somebody else.
        refused(json!({"sub": "eve-2"}), "linked to another account").await;
        let users = client.manage().get("/users").await.expect(200);
        assert_eq!(users.data().as_array().map(Vec::len), Some(1), "nobody was created");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_may_trust_unverified_emails() {
    with_provider(json!({"trust_emails": true}), async |hub, provider| {
        let _client = hub.client().await;
        let answer = async |verified| {
            let claims = json!({"email_verified": verified});
            provider.play(Script { claims, ..Script::default() });
            signed_in(&Browser::new(&hub.base()), provider).await.status
        };
        assert_eq!(answer(json!(false)).await, 403, "the provider says that it is not");
        assert_eq!(answer(json!(null)).await, 303);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn groups_set_the_permissions_of_a_user_at_each_sign_in() {
    let mapping = json!({"group_claim": "roles", "groups": {
        "staff": ["contacts_api", "publish"], "owners": ["manage_access"],
    }});
    with_provider(mapping, async |hub, provider| {
        let client = hub.client().await;
        let ben = json!({"email": "ben@acme.example", "permissions": ["download_email"]});
        let made = client.manage().post("/users", &ben).await.expect(201);
        let id = made.data()["id"].as_str().unwrap().to_owned();
        let permissions = async |sub: &str, email: &str, roles| {
            let claims = json!({"sub": sub, "email": email, "roles": roles});
            provider.play(Script { claims, ..Script::default() });
            let _ = signed_in(&Browser::new(&hub.base()), provider).await.expect(303);
            let id = if sub == "ben" { id.clone() } else { client.made.user.to_string() };
            client.manage().get(&format!("/users/{id}")).await.expect(200).data()["permissions"]
                .clone()
        };
        let ben = async |roles| permissions("ben", "ben@acme.example", roles).await;
        assert_eq!(ben(json!(["staff", "x"])).await, json!(["contacts_api", "publish"]));
        assert_eq!(ben(json!("owners")).await, json!(["manage_access"]));
        assert_eq!(ben(json!([])).await, json!([]));
        let changed = audit(&client, "filter[action]=user.updated").await;
        assert_eq!(changed.len(), 3);
        assert_eq!(changed[0]["new"], json!({"permissions": []}));
        let last = permissions("ann", "api@acme.example", json!(["staff"])).await;
        let kept = json!(["contacts_api", "publish", "manage_access"]);
        assert_eq!(last, kept, "somebody has to manage access");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_step_is_required_unless_the_provider_required_it() {
    with_provider(json!({}), async |hub, provider| {
        let (first, client) = hub.browser().await;
        let page = first.get("/account/two-step").await.expect(200);
        let secret = field(&page.text, "secret").unwrap();
        let code = code_at(&secret, contact_hub_domain::ports::Clock::now(&hub.clock));
        let on = [("secret", secret.as_str()), ("code", &code)];
        let _ = first.post("/account/two-step/on", &on).await.expect(200);
        let browser = Browser::new(&hub.base());
        let back = at_provider(&browser, provider, "?next=/fields").await;
        let done = browser.get(&back).await.expect(303);
        assert_eq!(location(&done), "/sign-in/code?next=%2Ffields");
        let _ = browser.get("/contacts").await.expect(303);
        let claims = json!({"amr": ["pwd", "mfa"]});
        provider.play(Script { claims, ..Script::default() });
        let browser = Browser::new(&hub.base());
        assert_eq!(location(&signed_in(&browser, provider).await.expect(303)), "/");
        let _ = browser.get("/contacts").await.expect(200);
        drop(client);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_company_that_requires_two_steps_accepts_those_of_the_provider() {
    with_provider(json!({}), async |hub, provider| {
        let client = hub.client().await.manage();
        let _ = client.patch("/company", &json!({"requires_two_step": true})).await.expect(200);
        for (methods, leads) in
            [(json!(["pwd"]), Some("/account/two-step")), (json!(["mfa"]), None)]
        {
            let claims = json!({"amr": methods});
            provider.play(Script { claims, ..Script::default() });
            let browser = Browser::new(&hub.base());
            let _ = signed_in(&browser, provider).await.expect(303);
            let answer = browser.get("/contacts").await;
            match leads {
                Some(path) => assert_eq!(location(&answer.expect(303)), path),
                None => drop(answer.expect(200)),
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_without_permissions_stays_without() {
    with_provider(json!({}), async |hub, provider| {
        let options =
            CompanyOptions { permissions: vec![Permission::Publish], ..CompanyOptions::default() };
        let _client = hub.client_of(&options).await;
        let browser = Browser::new(&hub.base());
        let _ = signed_in(&browser, provider).await.expect(303);
        let _ = browser.get("/assets").await.expect(200);
        let _ = browser.get("/contacts").await.expect(403);
    })
    .await;
}
