//! Why an email was not sent: the reason names the step, and neither an address nor a secret.

use contact_hub_domain::access::CompanyName;
use contact_hub_domain::alerts::{Alert, AlertKind, DueMail, HeldMail, MailError, Mailer};
use contact_hub_domain::email::Email;
use contact_hub_domain::ids::{CompanyId, LeaseId, UserId};
use contact_hub_domain::time::Timestamp;
use contact_hub_sender::{SmtpMailer, SmtpOptions};
use contact_hub_tests::{Authority, MailRules, MailSecurity, MailServer, Treatment};
use uuid::Uuid;

const LOGIN: Option<(&str, &str)> = Some(("hub", "secret"));

fn mail() -> DueMail {
    let at = Timestamp::from_micros(0).expect("in range");
    let held = HeldMail {
        company: CompanyId::new(Uuid::nil()),
        user: UserId::new(Uuid::nil()),
        batch: Uuid::from_u128(1),
        lease: LeaseId::new(Uuid::nil()),
    };
    let alert = Alert {
        kind: AlertKind::WebhookOff,
        object: Some(Uuid::from_u128(7)),
        name: "CRM".to_owned(),
        detail: "Its receiver answered 410 Gone.".to_owned(),
        times: 1,
        first_at: at,
        last_at: at,
    };
    DueMail {
        held,
        to: Email::from_stored("ann@acme.example".to_owned()),
        company: CompanyName::from_stored("Acme".to_owned()),
        alerts: vec![alert],
        attempt: 1,
        first_attempt_at: at,
    }
}

/// The result of sending to an address.
async fn sent(url: &str, trusted: &Authority) -> Result<(), MailError> {
    let options = SmtpOptions {
        url: url.parse().expect("an address"),
        password: None,
        trusted: Some(trusted.certificate().as_bytes().to_vec()),
        from: "Contact Hub <hub@hub.example>".to_owned(),
        public_url: "https://hub.example".to_owned(),
    };
    SmtpMailer::new(&options).expect("valid settings").send(&mail()).await
}

/// Fails the test unless sending fails for this reason, and may be tried again.
#[track_caller]
fn expect_failed(sent: Result<(), MailError>, reason: &str) {
    let Err(MailError::Failed(said)) = sent else { panic!("{reason}: {sent:?}") };
    assert!(said.contains(reason), "{said}");
    for hidden in ["secret", "wrong", "ann@acme.example", "hub@hub.example"] {
        assert!(!said.contains(hidden), "{said}");
    }
}

fn wrapped(authority: &Authority, host: &str) -> MailRules {
    let security = MailSecurity::Wrapped(authority.acceptor(host));
    MailRules { security, login: LOGIN, ..MailRules::default() }
}

fn starting(authority: &Authority, host: &str) -> MailRules {
    let security = MailSecurity::StartTls(authority.acceptor(host));
    MailRules { security, login: LOGIN, ..MailRules::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_of_another_authority_or_host_is_rejected() {
    let (authority, other) = (Authority::new("the authority"), Authority::new("another"));
    let (by_tls, by_starttls) = ("connecting failed: ", "STARTTLS failed: ");
    for (rules, parameter, step) in [
        (wrapped(&other, "localhost"), "", by_tls),
        (starting(&other, "localhost"), "?tls=required", by_starttls),
    ] {
        let server = MailServer::ruled(rules).await;
        let url = format!("{}{parameter}", server.url_of("hub:secret@", "localhost"));
        let reason = format!("{step}invalid peer certificate: UnknownIssuer");
        expect_failed(sent(&url, &authority).await, &reason);
    }
    for (rules, parameter, step) in [
        (wrapped(&authority, "mail.example"), "", by_tls),
        (starting(&authority, "mail.example"), "?tls=required", by_starttls),
    ] {
        let server = MailServer::ruled(rules).await;
        let url = format!("{}{parameter}", server.url_of("hub:secret@", "localhost"));
        let reason = format!("{step}invalid peer certificate: certificate not valid for name");
        expect_failed(sent(&url, &authority).await, &reason);
        assert_eq!(server.mails(), []);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_sent_to_a_server_without_the_required_encryption() {
    let authority = Authority::new("the authority");
    let plain = MailServer::start().await;
    let url = format!("{}?tls=required", plain.url_of("hub:secret@", "localhost"));
    let reason = "STARTTLS failed: STARTTLS is not supported on this server";
    expect_failed(sent(&url, &authority).await, reason);
    let url = url.replace("smtp://", "smtps://");
    expect_failed(sent(&url, &authority).await, "connecting failed: ");
    assert_eq!(plain.mails(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_or_missing_credentials_are_reported_as_such() {
    let authority = Authority::new("the authority");
    for mechanism in ["PLAIN", "LOGIN"] {
        let rules = MailRules { mechanism, ..wrapped(&authority, "localhost") };
        let server = MailServer::ruled(rules).await;
        let wrong = sent(&server.url_of("hub:wrong@", "localhost"), &authority).await;
        expect_failed(wrong, "authentication failed: the server answered 535 5.7.8");
        let none = sent(&server.url_of("", "localhost"), &authority).await;
        expect_failed(none, "naming the sender failed: the server answered 530 5.7.0");
        assert_eq!(server.mails(), []);
    }
    let rules = MailRules { login: None, ..wrapped(&authority, "localhost") };
    let server = MailServer::ruled(rules).await;
    let offered = sent(&server.url_of("hub:secret@", "localhost"), &authority).await;
    expect_failed(offered, "authentication failed: No compatible authentication mechanism");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_permanently_rejected_mailbox_is_given_up() {
    let authority = Authority::new("the authority");
    for (recipient, is_given_up) in
        [("450", false), ("550", true), ("550 5.7.1", false), ("553 5.1.3", true), ("554", false)]
    {
        let treat = move |_place| Treatment { recipient, ..Treatment::default() };
        let server = MailServer::with(treat).await;
        let result = sent(&server.url(), &authority).await;
        if is_given_up {
            assert!(matches!(result, Err(MailError::Rejected)), "{recipient}: {result:?}");
        } else {
            let reason = format!("naming the recipient failed: the server answered {recipient}");
            expect_failed(result, &reason);
        }
    }
}
