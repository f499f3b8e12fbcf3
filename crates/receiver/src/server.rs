//! The listener: verify, store, answer 202. Everything else happens after the answer.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use crate::caller::{CallError, Caller};
use crate::event::SyncRequested;
use crate::folder::Folder;
use crate::platform::{Options, Platform, on_disk};
use crate::signature::verify;
use crate::step::{Received, Step};

/// The path to which webhooks are sent.
const HOOK: &str = "/hook";

/// The largest webhook.
const MAX_BODY: usize = 1 << 20;

/// How long a webhook may take to arrive.
const DEADLINE: Duration = Duration::from_secs(10);

/// A receiver cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum ReceiverError {
    /// The address cannot be used.
    #[error("cannot listen on {0}")]
    Listen(SocketAddr, #[source] io::Error),
    /// The folder cannot be used.
    #[error("the folder {} cannot be used", .0.display())]
    Folder(PathBuf, #[source] io::Error),
    /// Calls cannot be made.
    #[error("the service cannot be called")]
    Caller(#[from] CallError),
}

/// A bound address, so that a webhook with this address can be created before the receiver starts.
pub struct Bound {
    listener: TcpListener,
    address: SocketAddr,
}

/// A running receiver, which stops when it is dropped.
pub struct Receiver {
    _tasks: JoinSet<()>,
}

struct Server {
    options: Options,
    folder: Arc<Folder>,
    queue: UnboundedSender<SyncRequested>,
}

impl Bound {
    /// Binds an address; port 0 picks a free one.
    pub async fn to(address: SocketAddr) -> Result<Self, ReceiverError> {
        let listen_error = |error| ReceiverError::Listen(address, error);
        let listener = TcpListener::bind(address).await.map_err(listen_error)?;
        let address = listener.local_addr().map_err(listen_error)?;
        Ok(Self { listener, address })
    }

    /// The address for webhooks.
    #[must_use]
    pub fn hook(&self) -> String {
        format!("http://{}{HOOK}", self.address)
    }

    /// Processes stored events, and then accepts webhooks.
    pub fn start(self, options: Options) -> Result<Receiver, ReceiverError> {
        let folder_error = |error| ReceiverError::Folder(options.folder.clone(), error);
        let folder = Arc::new(Folder::open(&options.folder).map_err(folder_error)?);
        let caller = Caller::new(&options.key)?;
        let (queue, requests) = unbounded_channel();
        for event in folder.waiting().map_err(folder_error)? {
            (options.tell)(&Step::Resumed(event.id.clone()));
            queue.send(event).ok();
        }
        let platform = Platform {
            options: options.clone(),
            caller,
            folder: Arc::clone(&folder),
            base: format!("http://{}", self.address),
        };
        let server = Arc::new(Server { options, folder, queue });
        let mut tasks = JoinSet::new();
        tasks.spawn(platform.run(requests));
        tasks.spawn(listen(self.listener, server));
        Ok(Receiver { _tasks: tasks })
    }
}

async fn listen(listener: TcpListener, server: Arc<Server>) {
    let mut connections = JoinSet::new();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                connections.spawn(serve(stream, Arc::clone(&server)));
            }
            // For example too many open files, which is temporary.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
        while connections.try_join_next().is_some() {}
    }
}

async fn serve(stream: TcpStream, server: Arc<Server>) {
    let answer = |request| {
        let server = Arc::clone(&server);
        async move { Ok::<_, std::convert::Infallible>(server.answer(request).await) }
    };
    let mut connection = http1::Builder::new();
    connection.timer(TokioTimer::new()).header_read_timeout(DEADLINE);
    // A broken connection is the client's problem: what was stored is stored.
    connection.serve_connection(TokioIo::new(stream), service_fn(answer)).await.ok();
}

impl Server {
    async fn answer(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let path = request.uri().path().to_owned();
        if request.method() == Method::POST && path == HOOK {
            return empty(self.webhook(request).await);
        }
        let entry = path.strip_prefix("/entries/").and_then(|rest| rest.split_once('/'));
        match entry {
            Some((integration, asset)) => self.entry(integration, asset).await,
            None => empty(StatusCode::NOT_FOUND),
        }
    }

    async fn webhook(&self, request: Request<Incoming>) -> StatusCode {
        let (head, body) = request.into_parts();
        let read = Limited::new(body, MAX_BODY).collect();
        // The bytes as received: JSON that is parsed and written again has another signature.
        let body = match tokio::time::timeout(DEADLINE, read).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(_)) | Err(_) => {
                return self.unusable(StatusCode::BAD_REQUEST, "it cannot be read");
            }
        };
        if let Err(why) = verify(&self.options.secret, &head.headers, &body, (self.options.now)()) {
            (self.options.tell)(&Step::Refused(why));
            return StatusCode::UNAUTHORIZED;
        }
        let payload: Value = serde_json::from_slice(&body).unwrap_or_default();
        match payload.get("event").and_then(Value::as_str) {
            Some("syncRequested") => {}
            Some("test") => {
                (self.options.tell)(&Step::Tested);
                return StatusCode::ACCEPTED;
            }
            other => {
                (self.options.tell)(&Step::Ignored(other.unwrap_or_default().to_owned()));
                return StatusCode::ACCEPTED;
            }
        }
        let Some(event) = SyncRequested::read(&payload) else {
            return self.unusable(StatusCode::BAD_REQUEST, "it lacks what a sync needs");
        };
        let body = String::from_utf8_lossy(&body).into_owned();
        self.keep(Received { headers: head.headers, body, event }).await
    }

    /// Once the event is on disk the service need not send it again.
    async fn keep(&self, received: Received) -> StatusCode {
        let (folder, id) = (Arc::clone(&self.folder), received.event.id.clone());
        let payload = received.body.clone();
        match on_disk(move || folder.keep(&id, payload.as_bytes())).await {
            Ok(true) => {
                let event = received.event.clone();
                (self.options.tell)(&Step::Received(Box::new(received)));
                self.queue.send(event).ok();
                StatusCode::ACCEPTED
            }
            Ok(false) => {
                (self.options.tell)(&Step::Again(received.event.id));
                StatusCode::ACCEPTED
            }
            Err(why) => self.unusable(StatusCode::SERVICE_UNAVAILABLE, &why),
        }
    }

    fn unusable(&self, status: StatusCode, why: &str) -> StatusCode {
        (self.options.tell)(&Step::Unusable(status.as_u16(), why.to_owned()));
        status
    }

    /// The entry, as a platform would show it.
    async fn entry(&self, integration: &str, asset: &str) -> Response<Full<Bytes>> {
        let (folder, integration) = (Arc::clone(&self.folder), integration.to_owned());
        let asset = asset.to_owned();
        let html = on_disk(move || Ok(folder.html(&integration, &asset))).await;
        let Ok(Some(html)) = html else { return empty(StatusCode::NOT_FOUND) };
        let response = Response::builder()
            .header(CONTENT_TYPE, "text/html; charset=utf-8")
            // The HTML comes from others: it is displayed, but runs no scripts.
            .header(CONTENT_SECURITY_POLICY, "sandbox");
        let response = response.body(Full::new(Bytes::from(html)));
        response.unwrap_or_else(|_| empty(StatusCode::INTERNAL_SERVER_ERROR))
    }
}

fn empty(status: StatusCode) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::new()));
    *response.status_mut() = status;
    response
}
