//! Behind a proxy, limits apply to the client, and only a trusted proxy may name it.

use contact_hub::settings::ServeSettings;
use contact_hub_domain::access::LinkPurpose;
use contact_hub_tests::{Answer, TestHub, with_settings};
use reqwest::Method;
use reqwest::header::SET_COOKIE;

use crate::support::without_key;

fn behind(networks: &'static [&'static str]) -> impl FnOnce(&mut ServeSettings) {
    move |settings| {
        settings.rate_limit_standard = 2;
        let networks = networks.iter().map(|network| network.parse().expect("a network"));
        settings.edge.trusted_proxies = networks.collect();
    }
}

async fn call(hub: &TestHub, headers: &[(&str, &str)]) -> u16 {
    let request = without_key(hub, Method::GET, "/fields");
    let request =
        headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    Answer::of(request).await.status
}

#[tokio::test(flavor = "multi_thread")]
async fn each_client_behind_a_trusted_proxy_has_a_separate_limit() {
    with_settings(behind(&["127.0.0.0/8", "10.0.0.0/8"]), async |hub| {
        let names = |client: &str| format!("198.51.100.99, {client}, 10.1.2.3");
        for client in ["203.0.113.1", "203.0.113.2", "2001:db8:0:1::1"] {
            for status in [401, 401, 429] {
                assert_eq!(
                    call(hub, &[("X-Forwarded-For", &names(client))]).await,
                    status,
                    "{client}"
                );
            }
        }
        // Addresses of one network count together, and so do both headers.
        assert_eq!(call(hub, &[("X-Forwarded-For", "2001:db8:0:1:ffff::2")]).await, 429);
        assert_eq!(call(hub, &[("Forwarded", "for=203.0.113.1;proto=https")]).await, 429);
        assert_eq!(call(hub, &[("X-Forwarded-For", "203.0.113.3")]).await, 401);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_is_not_a_trusted_proxy_cannot_choose_its_address() {
    with_settings(behind(&["10.0.0.0/8"]), async |hub| {
        for (n, status) in [401, 401, 429, 429].into_iter().enumerate() {
            let (one, other) = (format!("203.0.113.{n}"), format!("for=203.0.113.{n}"));
            assert_eq!(
                call(hub, &[("X-Forwarded-For", &one), ("Forwarded", &other)]).await,
                status
            );
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn cookies_are_secure_when_the_client_uses_https_to_a_trusted_proxy() {
    for (networks, is_secure) in [(&["127.0.0.0/8"][..], true), (&[], false)] {
        with_settings(behind(networks), async |hub| {
            let ports = &hub.hub.ports.access;
            let made = hub.client().await.made;
            let link = contact_hub_domain::access::create_link(
                ports,
                None,
                made.user,
                LinkPurpose::SignIn,
            );
            let link = link.await.expect("a link").url(&hub.base());
            let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
            let request = http.build().unwrap().post(link).body("");
            let request = request.header("X-Forwarded-For", "203.0.113.1");
            let answer = Answer::of(request.header("X-Forwarded-Proto", "https")).await.expect(303);
            let cookie = answer.headers[SET_COOKIE].to_str().expect("text");
            assert_eq!(cookie.contains("; Secure"), is_secure, "{cookie}");
            assert_eq!(cookie.starts_with("__Host-"), is_secure, "{cookie}");
        })
        .await;
    }
}
