//! Guessing passwords and links: limited by address before anything is looked up or hashed.

use std::net::{IpAddr, Ipv4Addr};

use contact_hub_domain::access::{
    AccessError, CODE_ATTEMPTS, CODES_WINDOW_SECONDS, CodeSecret, LinkPurpose, RecoveryCode,
    SIGN_IN_ATTEMPTS, SIGN_IN_ATTEMPTS_OF_NETWORK, SessionHolder, SessionToken, create_link,
    fresh_code_secret, read_link, redeem_link, second_step, sign_in, turn_on_two_step,
};
use contact_hub_domain::author::Call;
use contact_hub_domain::ports::Clock as _;
use contact_hub_tests::{CompanyOptions, TestHub, code_at, create_company, with_hub};
use futures_util::future::join_all;

const EMAIL: &str = "api@acme.example";
const PASSWORD: &str = "correct horse battery";

fn address(n: u32) -> IpAddr {
    Ipv4Addr::from_bits(0xC000_0200 + n).into()
}

/// A user who may sign in with [`PASSWORD`].
async fn owner(hub: &TestHub) {
    let ports = &hub.hub.ports.access;
    let made = create_company(ports, &CompanyOptions::default()).await;
    let link = create_link(ports, None, made.user, LinkPurpose::SetPassword).await.expect("a link");
    let token = link.token.reveal();
    redeem_link(ports, token, &PASSWORD.into(), address(0), &Call::default())
        .await
        .expect("a session");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_tries_many_emails_is_refused_without_a_lookup() {
    with_hub(async |hub| {
        let ports = &hub.hub.ports.access;
        owner(hub).await;
        let guesser = address(1);
        for n in 0..SIGN_IN_ATTEMPTS_OF_NETWORK {
            let refused =
                sign_in(ports, &format!("p{n}@acme.example"), "a guess", guesser, &Call::default())
                    .await;
            assert!(matches!(refused, Err(AccessError::SignInRefused)), "{n}: {refused:?}");
        }
        let mut least = u64::MAX;
        for n in 0..5 {
            let before = hub.hub.storage.statements();
            for m in 0..50 {
                let email = format!("q{n}x{m}@acme.example");
                let refused = sign_in(ports, &email, "a guess", guesser, &Call::default()).await;
                assert!(matches!(refused, Err(AccessError::TooManyAttempts(_))), "{refused:?}");
                let link = SessionToken::from_random([m; 32]);
                let refused = read_link(ports, link.reveal(), guesser).await;
                assert!(matches!(refused, Err(AccessError::TooManyAttempts(_))), "{refused:?}");
            }
            least = least.min(hub.hub.storage.statements() - before);
        }
        assert_eq!(least, 0);
        assert!(
            sign_in(ports, EMAIL, PASSWORD, address(2), &Call::default()).await.is_ok(),
            "others sign in"
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn impossible_passwords_are_refused_and_not_counted() {
    with_hub(async |hub| {
        let ports = &hub.hub.ports.access;
        owner(hub).await;
        for _ in 0..3 * SIGN_IN_ATTEMPTS_OF_NETWORK {
            let refused = sign_in(ports, EMAIL, "", address(1), &Call::default()).await;
            assert!(matches!(refused, Err(AccessError::SignInRefused)), "{refused:?}");
        }
        assert!(sign_in(ports, EMAIL, PASSWORD, address(1), &Call::default()).await.is_ok());
    })
    .await;
}

/// Turns two-step verification on for the user of a session; the secret of the app and a recovery code.
async fn two_steps(hub: &TestHub, holder: &SessionHolder) -> (CodeSecret, RecoveryCode) {
    let ports = &hub.hub.ports.access;
    let secret = fresh_code_secret(ports);
    let code = code_at(secret.reveal(), hub.clock.now());
    let on = turn_on_two_step(ports, holder, &secret, &code, &Call::default()).await;
    (secret, on.expect("recovery codes").remove(0))
}

#[tokio::test(flavor = "multi_thread")]
async fn attempts_at_codes_of_a_user_are_limited_across_all_networks() {
    with_hub(async |hub| {
        let (ports, call) = (&hub.hub.ports.access, Call::default());
        owner(hub).await;
        let first = sign_in(ports, EMAIL, PASSWORD, address(0), &call).await.expect("a session");
        let (secret, recovery) = two_steps(hub, &first.holder).await;
        let awaiting = sign_in(ports, EMAIL, PASSWORD, address(0), &call).await.expect("a session");
        let token = awaiting.token.reveal();
        let enter = async |code: &str, from| second_step(ports, token, code, from, &call).await;
        for n in 0..CODE_ATTEMPTS {
            let refused = enter("000000", address(n + 1)).await;
            assert!(matches!(refused, Err(AccessError::SignInRefused)), "{n}: {refused:?}");
        }
        hub.clock.advance(30);
        let right = code_at(secret.reveal(), hub.clock.now());
        let refused = enter(&right, address(99)).await;
        assert!(matches!(refused, Err(AccessError::TooManyAttempts(_))), "{refused:?}");
        assert!(enter(&recovery.reveal(), address(99)).await.is_ok(), "it cannot be guessed");
        hub.clock.advance(CODES_WINDOW_SECONDS);
        let next = sign_in(ports, EMAIL, PASSWORD, address(98), &call).await.expect("a session");
        let right = code_at(secret.reveal(), hub.clock.now());
        assert!(second_step(ports, next.token.reveal(), &right, address(98), &call).await.is_ok());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_in_often_does_not_count_as_guessing() {
    with_hub(async |hub| {
        let ports = &hub.hub.ports.access;
        owner(hub).await;
        for _ in 0..SIGN_IN_ATTEMPTS + 5 {
            assert!(sign_in(ports, EMAIL, PASSWORD, address(1), &Call::default()).await.is_ok());
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_from_one_address_do_not_delay_the_owners_sign_in() {
    with_hub(async |hub| {
        let ports = &hub.hub.ports.access;
        owner(hub).await;
        let guesses = join_all((0..200).map(|n| {
            let email = format!("p{n}@acme.example");
            async move { sign_in(ports, &email, "a guess", address(1), &Call::default()).await }
        }));
        let call = Call::default();
        let owners = sign_in(ports, EMAIL, PASSWORD, address(2), &call);
        let (guesses, owners) = tokio::join!(guesses, owners);
        assert!(owners.is_ok(), "{owners:?}");
        let hashed = guesses.iter().filter(|it| matches!(it, Err(AccessError::SignInRefused)));
        let busy = guesses.iter().filter(|it| matches!(it, Err(AccessError::Store(_))));
        let limited =
            guesses.iter().filter(|it| matches!(it, Err(AccessError::TooManyAttempts(_))));
        assert_eq!(hashed.clone().count() + busy.clone().count() + limited.count(), 200);
        assert!(hashed.count() <= 60 && busy.count() > 0);
    })
    .await;
}
