//! Hostile or broken receivers: each attempt ends in time, and little of what they send is stored.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use contact_hub::adapters::{MasterKeyVault, SystemClock, SystemRandomness};
use contact_hub_domain::ids::{
    CompanyId, DeliveryId, EventId, LeaseId, WebhookId, WebhookSecretId,
};
use contact_hub_domain::input::FromText;
use contact_hub_domain::webhooks::{
    AttemptOutcome, AttemptResult, Claimed, ErrorClass, EventKind, Guard, MAX_ANSWER, PayloadUrl,
    Secret, Trigger, UrlPolicy, Vault, WebhookSender,
};
use contact_hub_sender::{ClientLimits, HttpSender, Lookup, SystemLookup};
use contact_hub_tests::{Receiver, Reply};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use uuid::Uuid;
use zeroize::Zeroizing;

/// The deadline of attempts that only end at the deadline.
const DEADLINE: Duration = Duration::from_millis(700);

/// The deadline of attempts that end before it, however busy the machine is.
const FAR_DEADLINE: Duration = Duration::from_mins(1);

fn sender(vault: &Arc<MasterKeyVault>, lookup: Arc<dyn Lookup>, deadline: Duration) -> HttpSender {
    let guard = Guard::new(vec!["127.0.0.1/32".parse().unwrap()]);
    let policy = UrlPolicy { allow_http: true, guard };
    let limits = ClientLimits { deadline, connect: deadline / 2 };
    let vault: Arc<dyn Vault> = Arc::<MasterKeyVault>::clone(vault);
    HttpSender::new(policy, limits, lookup, vault, Arc::new(SystemClock)).unwrap()
}

fn claimed(vault: &MasterKeyVault, url: &str) -> Claimed {
    let id = Uuid::from_u128(1);
    let secret_id = WebhookSecretId::new(id);
    let secret = vault.seal(secret_id, &Secret::from_random([7; 32])).unwrap();
    Claimed {
        company: CompanyId::new(id),
        delivery_id: DeliveryId::new(id),
        lease: LeaseId::new(id),
        webhook_id: WebhookId::new(id),
        event_id: EventId::new(id),
        kind: EventKind::SyncRequested,
        number: 1,
        retries: 0,
        trigger: Trigger::Scheduled,
        url: PayloadUrl::from_text(url).unwrap(),
        secrets: vec![(secret_id, secret)],
        payload: "{}".to_owned(),
    }
}

async fn attempt_with(url: &str, lookup: Arc<dyn Lookup>, deadline: Duration) -> AttemptResult {
    let vault = MasterKeyVault::new(&[Zeroizing::new([1; 32])], Arc::new(SystemRandomness));
    let vault = Arc::new(vault);
    sender(&vault, lookup, deadline).send(&claimed(&vault, url)).await
}

async fn attempt(url: &str) -> AttemptResult {
    attempt_with(url, Arc::new(SystemLookup), FAR_DEADLINE).await
}

/// A receiver that reads the request and then does this with the connection.
async fn after_request<F: Future<Output = ()> + Send + 'static>(
    then: impl Fn(TcpStream) -> F + Clone + Send + Sync + 'static,
) -> Receiver {
    Receiver::raw(move |mut stream: TcpStream| {
        let then = then.clone();
        async move {
            let mut request = [0; 4096];
            if stream.read(&mut request).await.is_ok() {
                then(stream).await;
            }
        }
    })
    .await
}

/// Writes the beginning once, and then the rest repeatedly.
async fn flood(mut stream: TcpStream, beginning: &'static str, rest: Vec<u8>, pause: Duration) {
    stream.write_all(beginning.as_bytes()).await.ok();
    while stream.write_all(&rest).await.is_ok() {
        tokio::time::sleep(pause).await;
    }
}

/// A receiver with this answer.
async fn flooding(beginning: &'static str, rest: &[u8], pause: Duration) -> Receiver {
    let rest = rest.to_vec();
    after_request(move |stream| flood(stream, beginning, rest.clone(), pause)).await
}

async fn flooded(beginning: &'static str, rest: &[u8], pause: Duration) -> AttemptResult {
    attempt(&flooding(beginning, rest, pause).await.url()).await
}

const OK: &str = "HTTP/1.1 200 OK\r\n";
const CHUNKED: &str = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
const TIMEOUT: AttemptOutcome = AttemptOutcome::Failed(ErrorClass::Timeout);

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_never_ends_is_aborted_at_the_deadline() {
    let drip = Duration::from_millis(20);
    for (beginning, rest, pause) in [
        ("", &b""[..], Duration::from_millis(50)), // silence
        ("H", b"", Duration::from_millis(50)),     // half a line
        (OK, b"x", drip),                          // a head, byte by byte
        (CHUNKED, b"1\r\nx\r\n", drip),            // a body, byte by byte
        ("", b"HTTP/1.1 100 Continue\r\n\r\n", Duration::ZERO),
        ("", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", Duration::ZERO),
    ] {
        let receiver = flooding(beginning, rest, pause).await;
        let result = attempt_with(&receiver.url(), Arc::new(SystemLookup), DEADLINE).await;
        assert_eq!(result.outcome, TIMEOUT, "{beginning:?} {rest:?}");
        assert!(result.duration >= DEADLINE && result.duration < FAR_DEADLINE);
        assert_eq!(result.answer, None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endless_head_is_too_large() {
    let lines = "X-More: of the same, and so on and so on\r\n".repeat(30);
    for rest in [lines, "x".repeat(1000)] {
        let result = flooded(OK, rest.as_bytes(), Duration::ZERO).await;
        assert_eq!(result.outcome, AttemptOutcome::Failed(ErrorClass::TooLarge));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_beginning_of_an_endless_body_is_read() {
    let chunk = format!("8000\r\n{}\r\n", "x".repeat(0x8000));
    let gzip = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 10000000000\r\n\r\n";
    // A gzip stream that would expand a thousandfold.
    let bomb = [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3][..], &[0; 4096]].concat();
    for (beginning, rest) in [(CHUNKED, chunk.as_bytes()), (gzip, bomb.as_slice())] {
        let result = flooded(beginning, rest, Duration::ZERO).await;
        assert_eq!(result.outcome, AttemptOutcome::Answered(200));
        assert!(result.duration < FAR_DEADLINE);
        let answer = result.answer.unwrap();
        assert_eq!(answer.as_str().chars().count(), MAX_ANSWER);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_breaks_has_its_own_error() {
    let reset = after_request(async |stream: TcpStream| drop(stream));
    let reset = reset.await;
    let result = attempt(&reset.url()).await;
    assert_eq!(result.outcome, AttemptOutcome::Failed(ErrorClass::Http));
    let garbage = flooded("SSH-2.0-server\r\n", b"\r\n", Duration::from_millis(10)).await;
    assert_eq!(garbage.outcome, AttemptOutcome::Failed(ErrorClass::Http));
    let nobody = attempt("http://127.0.0.1:9/").await;
    assert_eq!(nobody.outcome, AttemptOutcome::Failed(ErrorClass::Connect));
    let plain = Receiver::start(&[200]).await.url().replace("http:", "https:");
    let result = attempt(&plain).await;
    assert!(matches!(
        result.outcome,
        AttemptOutcome::Failed(ErrorClass::Tls | ErrorClass::Connect)
    ));
    // A name that never exists (RFC 6761, section 6.4). A resolver may not answer at all.
    let lookup = Arc::new(SystemLookup);
    let unknown = attempt_with("http://nowhere.invalid/", lookup, DEADLINE).await;
    assert!(matches!(
        unknown.outcome,
        AttemptOutcome::Failed(ErrorClass::Dns | ErrorClass::Timeout)
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_truncated_body_does_not_change_the_status() {
    let receiver = after_request(async |mut stream: TcpStream| {
        let head = "HTTP/1.1 204 OK\r\n\r\n";
        stream.write_all(head.as_bytes()).await.ok();
    });
    let result = attempt(&receiver.await.url()).await;
    assert_eq!((result.outcome, result.answer), (AttemptOutcome::Answered(204), None));
    let receiver = after_request(async |mut stream: TcpStream| {
        let head = "HTTP/1.1 201 OK\r\nContent-Length: 100\r\n\r\nhalf";
        stream.write_all(head.as_bytes()).await.ok();
    });
    let result = attempt(&receiver.await.url()).await;
    assert_eq!(result.outcome, AttemptOutcome::Answered(201));
    assert_eq!(result.answer.unwrap().as_str(), "half");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_is_recorded_and_not_followed() {
    let inside = Receiver::start(&[200]).await;
    for status in [301, 302, 303, 307, 308] {
        let head = format!("Location: {}\r\n", inside.url());
        let script = move |_| Reply { head: head.clone(), ..Reply::from(status) };
        let receiver = Receiver::scripted(script).await;
        let result = attempt(&receiver.url()).await;
        assert_eq!(result.outcome, AttemptOutcome::Answered(status));
    }
    assert_eq!(inside.count(), 0);
}

/// Returns its next address on each lookup.
struct Rebinding(Vec<IpAddr>, AtomicUsize);

#[async_trait]
impl Lookup for Rebinding {
    async fn addresses(&self, _name: &str) -> io::Result<Vec<IpAddr>> {
        let place = self.1.fetch_add(1, Ordering::SeqCst).min(self.0.len() - 1);
        Ok(vec![self.0[place]])
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_validated_address_is_dialled() {
    let receiver = Receiver::start(&[200]).await;
    let port = receiver.address().port();
    let lookup = |addresses: [&str; 2]| {
        let addresses = addresses.map(|address| address.parse().unwrap());
        Arc::new(Rebinding(addresses.to_vec(), AtomicUsize::new(0)))
    };
    // The first answer is allowed and dialled, and no second lookup is made.
    let name = lookup(["127.0.0.1", "127.0.0.2"]);
    let url = format!("http://rebinding.example:{port}/");
    let result = attempt_with(&url, Arc::<Rebinding>::clone(&name), FAR_DEADLINE).await;
    assert_eq!(result.outcome, AttemptOutcome::Answered(200));
    assert_eq!(name.1.load(Ordering::SeqCst), 1);
    // In the opposite order nothing is dialled.
    for blocked in ["127.0.0.2", "10.0.0.1", "::ffff:169.254.169.254", "::1"] {
        let result = attempt_with(&url, lookup([blocked, "127.0.0.1"]), FAR_DEADLINE).await;
        assert_eq!(result.outcome, AttemptOutcome::Failed(ErrorClass::BlockedAddress), "{blocked}");
    }
    // No lookup is made for a host that is an address.
    for host in ["127.0.0.2", "2130706434", "[::1]", "[::ffff:127.0.0.2]"] {
        let result = attempt(&format!("http://{host}:{port}/")).await;
        assert_eq!(result.outcome, AttemptOutcome::Failed(ErrorClass::BlockedAddress), "{host}");
    }
    assert_eq!(receiver.count(), 1);
}
