//! The listener: verify, store, answer 202. Everything else happens after the answer.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::http::StatusCode;
use actix_web::http::header::CONTENT_SECURITY_POLICY;
use actix_web::web::{Data, Path, Payload};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use serde_json::Value;
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
    server: ServerHandle,
    _platform: JoinSet<()>,
}

impl Drop for Receiver {
    fn drop(&mut self) {
        // The request to stop is sent at once; nothing waits for the end.
        drop(self.server.stop(false));
    }
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
        let listener = tokio::net::TcpListener::bind(address).await;
        let listener =
            listener.and_then(tokio::net::TcpListener::into_std).map_err(listen_error)?;
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
        let state = Data::new(Server { options, folder, queue });
        let routes = move || {
            App::new()
                .app_data(Data::clone(&state))
                .route(HOOK, web::post().to(hook))
                .route("/entries/{integration}/{asset}", web::get().to(entry))
        };
        let server = HttpServer::new(routes).workers(1).disable_signals();
        let server = server.client_request_timeout(DEADLINE).listen(self.listener);
        let server = server.map_err(|error| ReceiverError::Listen(self.address, error))?.run();
        let handle = server.handle();
        tokio::spawn(server);
        let mut work = JoinSet::new();
        work.spawn(platform.run(requests));
        Ok(Receiver { server: handle, _platform: work })
    }
}

async fn hook(server: Data<Server>, request: HttpRequest, body: Payload) -> HttpResponse {
    HttpResponse::new(server.webhook(&request, body).await)
}

/// The entry, as a platform would show it.
async fn entry(server: Data<Server>, path: Path<(String, String)>) -> HttpResponse {
    let folder = Arc::clone(&server.folder);
    let html = on_disk(move || Ok(folder.html(&path.0, &path.1))).await;
    let Ok(Some(html)) = html else { return HttpResponse::NotFound().finish() };
    // The HTML comes from others: it is displayed, but runs no scripts.
    let policy = (CONTENT_SECURITY_POLICY, "sandbox");
    HttpResponse::Ok().content_type("text/html; charset=utf-8").insert_header(policy).body(html)
}

impl Server {
    async fn webhook(&self, request: &HttpRequest, body: Payload) -> StatusCode {
        let headers = request.headers().clone();
        let read = tokio::time::timeout(DEADLINE, body.to_bytes_limited(MAX_BODY)).await;
        // The bytes as received: JSON that is parsed and written again has another signature.
        let Ok(Ok(Ok(body))) = read else {
            return self.unusable(StatusCode::BAD_REQUEST, "it cannot be read");
        };
        if let Err(why) = verify(&self.options.secret, &headers, &body, (self.options.now)()) {
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
            return self.unusable(StatusCode::BAD_REQUEST, "it lacks members of a sync request");
        };
        let body = String::from_utf8_lossy(&body).into_owned();
        self.keep(Received { headers, body, event }).await
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
}
