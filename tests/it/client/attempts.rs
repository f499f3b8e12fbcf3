//! The client with a service that is busy, silent or unavailable.

use std::sync::atomic::Ordering;
use std::time::Duration;

use contact_hub_client::{ContactHub, ContactQuery, Error, Retries};
use contact_hub_tests::{Receiver, Reply, with_hub};

use super::streams::front;
use super::{ann, client, code, quick};

/// A client of a server that misbehaves.
fn of(server: &Receiver) -> ContactHub {
    ContactHub::new(&format!("http://{}", server.address()), "key").expect("a client")
}

fn busy(status: u16, head: &str) -> Reply {
    Reply { head: format!("{head}\r\n"), ..Reply::from(status) }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_temporary_failure_is_retried_after_a_pause_with_the_same_key() {
    let server = Receiver::scripted(|place| match place {
        0 => busy(503, "Retry-After: 1"),
        1 => Reply::from(429),
        2 => Reply { is_cut: true, ..Reply::from(200) },
        _ => Reply::from(404),
    });
    let server = server.await;
    let error = of(&server).with_retries(quick()).create_contact(&ann(1)).await;
    assert_eq!(code(&error.expect_err("404 is not temporary")), (404, None));
    let requests = server.requests();
    assert_eq!(requests.len(), 4);
    let key = requests[0].header("idempotency-key");
    assert!(!key.is_empty());
    for request in &requests {
        assert_eq!(request.header("idempotency-key"), key);
        assert_eq!(request.header("authorization"), "Bearer key");
        assert_eq!(request.body, requests[0].body);
    }
    let pause = requests[1].at.duration_since(requests[0].at);
    assert!(pause >= Duration::from_secs(1), "{pause:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn attempts_and_pauses_are_limited() {
    let server = Receiver::start(&[503]).await;
    let error = of(&server).with_retries(quick()).read_contact("x").await;
    assert_eq!(code(&error.expect_err("always busy")).0, 503);
    assert_eq!(server.count(), 4);
    let once = of(&server).with_retries(Retries::never()).read_contact("x").await;
    assert_eq!((code(&once.expect_err("always busy")).0, server.count()), (503, 5));

    let patient = Receiver::scripted(|_| busy(429, "Retry-After: 31")).await;
    let error = of(&patient).read_contact("x").await.expect_err("it asks for too long a pause");
    let asked = error.answer().and_then(|answer| answer.retry_after);
    assert_eq!((asked, patient.count()), (Some(Duration::from_secs(31)), 1));

    for status in [400, 401, 403, 409, 422] {
        let server = Receiver::start(&[status]).await;
        let error = of(&server).create_contact(&ann(1)).await.expect_err("it is rejected");
        assert_eq!((code(&error).0, server.count()), (status, 1));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_has_a_deadline_and_an_answer_a_maximum_size() {
    let silent = Receiver::raw(|stream| async move {
        let _open = stream;
        std::future::pending::<()>().await;
    });
    let silent = silent.await;
    let hurried =
        of(&silent).with_retries(Retries::never()).with_timeout(Duration::from_millis(100));
    assert!(matches!(hurried.read_contact("x").await, Err(Error::Timeout)));
    let mut export = hurried.export(&ContactQuery::new());
    assert!(matches!(export.next().await, Err(Error::Timeout)));

    let short = Receiver::start(&[200]).await;
    let strict = of(&short).with_longest_answer(1);
    assert!(matches!(strict.read_contact("x").await, Err(Error::TooLong)));
    assert!(matches!(of(&short).read_contact("x").await, Err(Error::Unreadable(_))));
    let mut half = of(&short).with_retries(quick()).export(&ContactQuery::new());
    assert!(matches!(half.next().await, Err(Error::BrokenOff)));
    assert_eq!(short.count(), 6, "only what broke off is tried again");
    let address = short.address();
    drop(short);
    let gone = ContactHub::new(&format!("http://{address}"), "key").expect("a client");
    let gone = gone.with_retries(quick()).read_contact("x?email=ann@example.com").await;
    let gone = gone.expect_err("nobody listens");
    assert!(matches!(gone, Error::Unreachable(_)), "{gone:?}");
    assert!(!format!("{gone:?}").contains("ann@"), "{gone:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_is_not_followed() {
    let other = Receiver::start(&[200]).await;
    let location = format!("Location: {}", other.url());
    let server = Receiver::scripted(move |_| busy(307, &location)).await;
    let error = of(&server).read_contact("x").await.expect_err("a redirect");
    assert_eq!((code(&error).0, other.count()), (307, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_create_whose_answer_is_lost_is_repeated_and_executed_once() {
    with_hub(async |hub| {
        let (direct, plain) = client(hub).await;
        let (front, connections) = front(&hub.base(), 0).await;
        let base = format!("http://{}", front.address());
        let client = ContactHub::new(&base, &plain.made.token).expect("a client");
        let created = client.with_retries(quick()).create_contact(&ann(1)).await;
        let created = created.expect("the answer of the first attempt");
        assert!(created.is_replayed);
        assert_eq!(connections.load(Ordering::Relaxed), 2);
        let read = direct.read_contact(&created.data.id).await.expect("a contact");
        assert_eq!(read.data.email, ann(1).email);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sunset_of_an_operation_is_announced() {
    let head = "Deprecation: @1700000000\r\nSunset: Sun, 06 Nov 2044 08:49:37 GMT";
    let server = Receiver::scripted(move |_| busy(404, head)).await;
    let (sender, warnings) = std::sync::mpsc::channel();
    let client = of(&server).with_deprecation_warnings(move |it| {
        sender.send(format!("{} {} {:?}", it.method, it.path, it.sunset)).expect("a test");
    });
    let _error = client.read_contact("x").await.expect_err("404");
    let expected = "GET /api/public/v1/contacts/x Some(\"Sun, 06 Nov 2044 08:49:37 GMT\")";
    assert_eq!(warnings.try_recv().expect("a warning"), expected);
}
