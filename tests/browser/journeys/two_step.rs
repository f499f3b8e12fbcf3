//! Two-step verification, from the setup that a company requires to signing in with it.

use contact_hub_domain::ports::Clock as _;
use contact_hub_tests::{TestHub, code_at, with_hub};

use crate::person::Person;

const PASSWORD: &str = "correct horse battery";

fn code(hub: &TestHub, secret: &str, steps: i64) -> String {
    code_at(&secret.replace(' ', ""), hub.clock.now().plus_seconds(30 * steps))
}

#[tokio::test(flavor = "multi_thread")]
async fn two_step_verification_is_required_set_up_used_and_recovered() {
    with_hub(async |hub| {
        let (person, _client) = Person::signed_in(hub).await;
        person.click("Account").await;
        person.arrives("Account").await;
        person.fill("New password", PASSWORD).await;
        person.click("Set password").await;
        person.sees("Password set.").await;
        person.click("Company").await;
        person.arrives("Company").await;
        let required =
            "Require two-step verification: users without it set it up when they sign in";
        person.tick(required).await;
        person.click("Save").await;
        person.arrives("Set up two-step verification").await;
        person.sees("requires two-step verification").await;
        let secret = person.text_of("#secret").await;
        person.fill("Code", "000000").await;
        person.click("Turn on").await;
        person.sees("expired or already used").await;
        assert_eq!(person.text_of("#secret").await, secret);
        person.fill("Code", &code(hub, &secret, 0)).await;
        person.click("Turn on").await;
        person.arrives("Recovery codes").await;
        let recovery = person.text_of("#codes").await;
        let recovery = recovery.split_whitespace().next().unwrap().to_owned();
        person.click("I have saved them").await;
        person.arrives("Two-step verification").await;

        for is_recovery in [false, true] {
            person.click("Sign out").await;
            person.arrives("Sign in").await;
            person.fill("Email", "api@acme.example").await;
            person.fill("Password", PASSWORD).await;
            person.click("Sign in").await;
            person.arrives("Enter a code").await;
            person.fill("Code", "000000").await;
            person.click("Sign in").await;
            person.sees("The code is wrong, expired or already used.").await;
            let proof = if is_recovery { recovery.clone() } else { code(hub, &secret, 1) };
            person.fill("Code", &proof).await;
            person.click("Sign in").await;
            person.arrives("Overview").await;
        }
        person.open("/account/two-step").await;
        person.arrives("Two-step verification").await;
        person.sees("9 of 10 recovery codes left").await;
        person.click("Turn off two-step verification").await;
        person.click("Turn off").await;
        person.arrives("Set up two-step verification").await;
    })
    .await;
}
