//! Passwords, sessions and one-time links, as the pages use them.

use std::net::{IpAddr, Ipv4Addr};

use contact_hub_domain::access::{
    AccessError, LinkPurpose, PasswordDraft, Presence, PresentPassword, SESSION_IDLE_SECONDS,
    SESSION_SECONDS, SIGN_IN_ATTEMPTS, SIGN_IN_WINDOW_SECONDS, SessionHolder, authenticate_session,
    create_link, end_session, invite, list_sessions, read_link, redeem_link, set_password, sign_in,
    sign_out,
};
use contact_hub_domain::author::Call;
use contact_hub_domain::context::{AccessPorts, Context};
use contact_hub_domain::property::Property;
use contact_hub_tests::{Made, TestHub, caller_of, with_hub};

const EMAIL: &str = "api@acme.example";
const PASSWORD: &str = "correct horse battery";
const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// A user with this password.
async fn user_with(hub: &TestHub, password: &str) -> Made {
    let made = hub.client().await.made;
    let link = link(&hub.hub.ports.access, &made, LinkPurpose::SetPassword).await;
    redeem_link(&hub.hub.ports.access, &link, &password.into(), HERE, &Call::default())
        .await
        .expect("a session");
    made
}

async fn link(ports: &AccessPorts, made: &Made, purpose: LinkPurpose) -> String {
    let created = create_link(ports, None, made.user, purpose).await.expect("a link");
    created.token.reveal().to_owned()
}

/// A session's token and holder.
async fn session(ports: &AccessPorts, password: &str) -> (String, SessionHolder) {
    let signed_in =
        sign_in(ports, EMAIL, password, HERE, &Call::default()).await.expect("a session");
    (signed_in.token.reveal().to_owned(), signed_in.holder)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_identifies_the_same_caller_as_a_key() {
    with_hub(async |hub| {
        let ports = &hub.hub.ports.access;
        let made = user_with(hub, PASSWORD).await;
        let (token, holder) = session(ports, PASSWORD).await;
        assert_eq!(holder.caller, caller_of(ports, &made).await);
        assert_eq!((holder.email.as_str(), holder.company_name.as_str()), (EMAIL, "Acme"));
        assert!(holder.has_password);
        assert_eq!(
            authenticate_session(ports, &token, Presence::Person).await.expect("a session"),
            holder
        );
        let upper = sign_in(ports, " API@Acme.Example ", PASSWORD, HERE, &Call::default()).await;
        assert!(upper.is_ok(), "an email is known by its identity");
        sign_out(ports, &holder, &Call::default()).await.expect("it ends");
        for ended in [token.as_str(), "", "x", &made.token] {
            let refused = authenticate_session(ports, ended, Presence::Person).await;
            assert!(matches!(refused, Err(AccessError::Unauthenticated)), "{refused:?}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_failed_sign_in_returns_the_same_error() {
    with_hub(async |hub| {
        let ports = &hub.hub.ports.access;
        let _made = user_with(hub, PASSWORD).await;
        for (email, password) in [
            (EMAIL, "wrong horse battery"),
            (EMAIL, ""),
            ("nobody@acme.example", PASSWORD),
            ("no address", PASSWORD),
            (EMAIL, &"x".repeat(10_000)),
        ] {
            let refused = sign_in(ports, email, password, HERE, &Call::default()).await;
            assert!(matches!(refused, Err(AccessError::SignInRefused)), "{refused:?}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_password_distinguishes_users_with_the_same_email() {
    with_hub(async |hub| {
        let ports = &hub.hub.ports.access;
        let (one, other) =
            (user_with(hub, PASSWORD).await, user_with(hub, "another password").await);
        assert_eq!(session(ports, PASSWORD).await.1.caller.user_id, one.user);
        assert_eq!(session(ports, "another password").await.1.caller.user_id, other.user);
        let _same = user_with(hub, PASSWORD).await;
        assert_eq!(session(ports, PASSWORD).await.1.caller.user_id, one.user, "the older one");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn attempts_are_limited_for_each_email_and_address() {
    with_hub(async |hub| {
        let ports = &hub.hub.ports.access;
        let _made = user_with(hub, PASSWORD).await;
        let wrong =
            async || sign_in(ports, EMAIL, "wrong horse battery", HERE, &Call::default()).await;
        for _ in 1..SIGN_IN_ATTEMPTS {
            assert!(matches!(wrong().await, Err(AccessError::SignInRefused)));
        }
        let _other = user_with(hub, "another password").await;
        for password in [PASSWORD, "another password"] {
            let _signed_in = session(ports, password).await;
        }
        assert!(matches!(wrong().await, Err(AccessError::SignInRefused)));
        let refused = sign_in(ports, EMAIL, PASSWORD, HERE, &Call::default()).await;
        let Err(AccessError::TooManyAttempts(rate_limit)) = refused else {
            panic!("the right password does not help: {refused:?}");
        };
        assert!((1..=SIGN_IN_WINDOW_SECONDS).contains(&rate_limit.wait_seconds));
        let elsewhere =
            sign_in(ports, EMAIL, PASSWORD, "192.0.2.1".parse().unwrap(), &Call::default()).await;
        assert!(elsewhere.is_ok());
        hub.clock.advance(SIGN_IN_WINDOW_SECONDS);
        assert!(sign_in(ports, EMAIL, PASSWORD, HERE, &Call::default()).await.is_ok());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_ends_when_idle_and_after_a_week() {
    with_hub(async |hub| {
        let ports = &hub.hub.ports.access;
        let _made = user_with(hub, PASSWORD).await;
        let (idle, _) = session(ports, PASSWORD).await;
        hub.clock.advance(SESSION_IDLE_SECONDS - 60);
        let _seen = authenticate_session(ports, &idle, Presence::Person).await.expect("it goes on");
        hub.clock.advance(SESSION_IDLE_SECONDS - 60);
        let _seen =
            authenticate_session(ports, &idle, Presence::Person).await.expect("it was used");
        hub.clock.advance(SESSION_IDLE_SECONDS);
        assert!(authenticate_session(ports, &idle, Presence::Person).await.is_err());
        let (busy, holder) = session(ports, PASSWORD).await;
        let sessions = list_sessions(ports, holder.session.user_id).await.expect("sessions");
        assert_eq!(sessions.len(), 1, "those that are over are not listed");
        for _ in 0..SESSION_SECONDS / (SESSION_IDLE_SECONDS / 2) - 1 {
            hub.clock.advance(SESSION_IDLE_SECONDS / 2);
            let _seen =
                authenticate_session(ports, &busy, Presence::Person).await.expect("it is used");
        }
        hub.clock.advance(SESSION_IDLE_SECONDS / 2);
        assert!(authenticate_session(ports, &busy, Presence::Person).await.is_err());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn users_can_only_end_their_own_sessions() {
    with_hub(async |hub| {
        let ports = &hub.hub.ports.access;
        let _made = user_with(hub, PASSWORD).await;
        let other = user_with(hub, "another password").await;
        let ((first, first_holder), (_, holder)) =
            (session(ports, PASSWORD).await, session(ports, PASSWORD).await);
        let foreign =
            end_session(ports, other.user, first_holder.session.id, &Call::default()).await;
        assert!(matches!(foreign, Err(AccessError::SessionNotFound)));
        let user = holder.session.user_id;
        end_session(ports, user, first_holder.session.id, &Call::default()).await.expect("it ends");
        assert!(authenticate_session(ports, &first, Presence::Person).await.is_err());
        let again = end_session(ports, user, first_holder.session.id, &Call::default()).await;
        assert!(matches!(again, Err(AccessError::SessionNotFound)));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn changing_a_password_requires_the_current_one() {
    with_hub(async |hub| {
        let ports = &hub.hub.ports.access;
        let _made = user_with(hub, PASSWORD).await;
        let (other, _) = session(ports, PASSWORD).await;
        let (mine, holder) = session(ports, PASSWORD).await;
        let change = async |current: Property<PresentPassword>, password: &str| {
            let draft = PasswordDraft { current, password: password.into(), end_keys: false };
            set_password(ports, &holder, &draft, HERE, &Call::default()).await
        };
        for (current, password, path) in [
            (Property::Absent, "a new password", "current"),
            ("wrong horse battery".into(), "a new password", "current"),
            (PASSWORD.into(), "short", "password"),
        ] {
            let Err(AccessError::Invalid(violations)) = change(current, password).await else {
                panic!("it is refused");
            };
            assert_eq!(violations.iter().map(|(path, _)| path).collect::<Vec<_>>(), [path]);
        }
        assert!(authenticate_session(ports, &other, Presence::Person).await.is_ok());
        change(PASSWORD.into(), "a new password").await.expect("a new password");
        assert!(authenticate_session(ports, &mine, Presence::Person).await.is_ok());
        assert!(authenticate_session(ports, &other, Presence::Person).await.is_err());
        assert!(sign_in(ports, EMAIL, PASSWORD, HERE, &Call::default()).await.is_err());
        let _signed_in = session(ports, "a new password").await;
        for _ in 0..SIGN_IN_ATTEMPTS {
            assert!(change("guess guess guess".into(), "a new password").await.is_err());
        }
        let guessed = change("a new password".into(), "yet another one").await;
        assert!(matches!(guessed, Err(AccessError::TooManyAttempts(_))));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_can_be_read_repeatedly_and_redeemed_once() {
    with_hub(async |hub| {
        let ports = &hub.hub.ports.access;
        let made = hub.client().await.made;
        let token = link(ports, &made, LinkPurpose::SetPassword).await;
        for _ in 0..2 {
            let holder = read_link(ports, &token, HERE).await.expect("a link");
            assert_eq!((holder.link.user_id, holder.email.as_str()), (made.user, EMAIL));
        }
        for password in [Property::Absent, "short".into()] {
            let refused = redeem_link(ports, &token, &password, HERE, &Call::default()).await;
            assert!(matches!(refused, Err(AccessError::Invalid(_))), "{refused:?}");
        }
        let signed_in = redeem_link(ports, &token, &PASSWORD.into(), HERE, &Call::default())
            .await
            .expect("a session");
        assert!(signed_in.holder.has_password);
        for used in [token.as_str(), "x"] {
            let again = redeem_link(ports, used, &PASSWORD.into(), HERE, &Call::default()).await;
            assert!(matches!(again, Err(AccessError::LinkInvalid)), "{again:?}");
            assert!(matches!(read_link(ports, used, HERE).await, Err(AccessError::LinkInvalid)));
        }
        let bare = link(ports, &made, LinkPurpose::SignIn).await;
        let signed_in = redeem_link(ports, &bare, &Property::Absent, HERE, &Call::default())
            .await
            .expect("a session");
        assert!(signed_in.holder.has_password, "it keeps the one there is");
        let late = link(ports, &made, LinkPurpose::SignIn).await;
        hub.clock.advance(24 * 60 * 60);
        let refused = redeem_link(ports, &late, &Property::Absent, HERE, &Call::default()).await;
        assert!(matches!(refused, Err(AccessError::LinkInvalid)));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_users_of_the_same_company_can_be_invited() {
    with_hub(async |hub| {
        let ports = &hub.hub.ports.access;
        let (ours, theirs) = (hub.client().await.made, hub.client().await.made);
        let caller = caller_of(ports, &ours).await;
        let cx = Context { ports, caller: &caller, call: &Call::default() };
        let invited = invite(&cx, ours.user).await.expect("a link");
        assert_eq!(invited.link.purpose, LinkPurpose::SetPassword);
        assert!(matches!(invite(&cx, theirs.user).await, Err(AccessError::UserNotFound)));
    })
    .await;
}
