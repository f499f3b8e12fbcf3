//! Signing in, failed attempts, and signing out.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use contact_hub_domain::access::{LinkPurpose, create_link, redeem_link, sign_in, sign_out};
use contact_hub_domain::author::Call;
use contact_hub_tests::with_hub;
use serde_json::{Value, json};

use super::sample::{actions, audit};
use crate::support::until;

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));
const EMAIL: &str = "api@acme.example";
const PASSWORD: &str = "correct horse battery";

#[tokio::test(flavor = "multi_thread")]
async fn sign_ins_sign_outs_and_failed_attempts_leave_an_entry() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let ports = &hub.hub.ports.access;
        let user = client.made.user;
        let link = create_link(ports, None, user, LinkPurpose::SetPassword).await.expect("a link");
        let call = Call { address: Some(HERE), ..Call::default() };
        let password = PASSWORD.into();
        let redeemed = redeem_link(ports, link.token.reveal(), &password, HERE, &call).await;
        assert!(redeemed.is_ok());
        let signed_in = sign_in(ports, EMAIL, PASSWORD, HERE, &call).await.expect("a session");
        sign_out(ports, &signed_in.holder, &call).await.expect("it ends");
        for email in [EMAIL, "nobody@acme.example"] {
            assert!(sign_in(ports, email, "another password", HERE, &call).await.is_err());
        }
        until(Duration::from_secs(20), async || {
            !audit(&client, "filter[action]=session.failed").await.is_empty()
        })
        .await;
        let done = actions(&client).await;
        let expected = [
            "user.invited",
            "user.password_changed",
            "session.created",
            "session.created",
            "session.ended",
            "session.failed",
        ];
        assert!(done.ends_with(&expected.map(str::to_owned)), "{done:?}");
        let failed = &audit(&client, "filter[action]=session.failed").await[0];
        assert_eq!(failed["object"], user.to_string());
        assert_eq!(failed["actor"], json!({"user": null, "key": null, "address": "192.0.2.7"}));
        let begun = &audit(&client, "filter[action]=session.created").await[0];
        assert_eq!(
            (&begun["actor"]["user"], &begun["new"]),
            (&json!(user.to_string()), &Value::Null)
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_of_a_user_who_has_no_password_leaves_a_failed_attempt() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let call = Call { address: Some(HERE), ..Call::default() };
        let refused = sign_in(&hub.hub.ports.access, EMAIL, PASSWORD, HERE, &call).await;
        assert!(refused.is_err());
        let failed = async || audit(&client, "filter[action]=session.failed").await;
        until(Duration::from_secs(20), async || !failed().await.is_empty()).await;
        assert_eq!(failed().await[0]["object"], client.made.user.to_string());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_current_password_leaves_a_failed_attempt() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let _ = browser.done("/account/password", &[("password", PASSWORD)]).await;
        let fields = [("current", "a wrong password"), ("password", "another long password")];
        let _ = browser.post("/account/password", &fields).await.expect(422);
        let failed = async || audit(&client, "filter[action]=session.failed").await;
        until(Duration::from_secs(20), async || !failed().await.is_empty()).await;
        assert_eq!(failed().await[0]["object"], client.made.user.to_string());
    })
    .await;
}
