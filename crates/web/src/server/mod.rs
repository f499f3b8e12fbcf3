//! The server: it accepts a bounded number of connections, and speaks HTTP/1.1.

mod connections;
mod parser_errors;
mod stream;

use std::future::ready;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use actix_http::error::DispatchError;
use actix_http::{HttpService, Protocol};
use actix_server::Server;
use actix_service::{IntoServiceFactory, ServiceFactoryExt as _, fn_service, map_config};
use actix_web::dev::AppConfig;
use actix_web::web;
use tokio::net::TcpStream;

use crate::app;
use crate::origin::is_trusted;
use crate::state::WebState;
use connections::Connections;
use parser_errors::ParserErrors;
use stream::PacedStream;

/// A client that does not finish its request's head within this time is disconnected.
const REQUEST_HEAD_WITHIN: Duration = Duration::from_secs(15);

/// How long a closing connection may take to read the last answer.
const LAST_ANSWER_WITHIN: Duration = Duration::from_secs(1);

/// How many connections beyond the limit are accepted at a time, as a part of the limit. Each is open until a thread has closed
/// it; the others wait in the accept queue. Otherwise a burst of connections could use up the files that the process may open,
/// and then the server would accept nothing for half a second.
const EXCESS_PART: usize = 8;

/// The minimum of that number.
const LEAST_EXCESS: usize = 16;

/// The maximum number of threads that answer requests; the framework panics with more.
pub const MAX_WORKERS: u16 = 512;

/// The options of a server.
#[derive(Clone, Copy, Debug)]
pub struct ServerOptions {
    /// Threads that answer requests; of a larger number than [`MAX_WORKERS`], only so many are started.
    pub workers: usize,
    /// The maximum number of open connections.
    pub connections: usize,
    /// The maximum number of open connections from one network; trusted proxies are exempt.
    pub connections_of_network: usize,
    /// How long running requests may take once the service stops, in seconds.
    pub shutdown_seconds: u64,
}

/// Serves these routes; the server runs as soon as it is awaited.
///
/// # Errors
///
/// Fails when the listener cannot be used.
pub fn serve(
    listener: TcpListener,
    state: web::Data<WebState>,
    routes: fn(&mut web::ServiceConfig),
    options: ServerOptions,
) -> io::Result<Server> {
    let address = listener.local_addr()?;
    let workers = options.workers.clamp(1, MAX_WORKERS.into());
    let excess = (options.connections / EXCESS_PART).max(LEAST_EXCESS);
    let open = options.connections + excess;
    let server = Server::build()
        .disable_signals()
        .shutdown_timeout(options.shutdown_seconds)
        .workers(workers)
        .max_concurrent_connections(open.div_ceil(workers));
    let stopping = server.graceful_shutdown_signal();
    let connections =
        Arc::new(Connections::new(options.connections, options.connections_of_network));
    let service = move || {
        let stopping = stopping.clone();
        let app = app(state.clone(), routes).into_factory();
        let http = HttpService::build()
            .graceful_shutdown_signal(move || {
                let stopping = stopping.clone();
                async move { stopping.notified().await }
            })
            .client_request_timeout(REQUEST_HEAD_WITHIN)
            // A client that closes its side has gone: its request is dropped, and what it reads is cancelled.
            .h1_allow_half_closed(false)
            .client_disconnect_timeout(LAST_ANSWER_WITHIN)
            .local_addr(address)
            .finish(map_config(app.map_err(|error| error.error_response()), |()| {
                AppConfig::default()
            }));
        let (state, connections) = (state.clone(), Arc::clone(&connections));
        fn_service(move |io| ready(let_in(io, &state, &connections))).and_then(http)
    };
    Ok(server.listen("contact-hub", listener, service)?.run())
}

type Accepted = (ParserErrors<PacedStream>, Protocol, Option<std::net::SocketAddr>);

/// A connection within the limits; one beyond them is closed at once.
fn let_in(
    io: TcpStream,
    state: &WebState,
    connections: &Arc<Connections>,
) -> Result<Accepted, DispatchError> {
    let peer = io.peer_addr()?;
    let is_proxy = is_trusted(peer.ip(), &state.trusted_proxies);
    let place = connections.take(peer.ip(), is_proxy);
    let place = place.ok_or_else(|| io::Error::from(io::ErrorKind::QuotaExceeded))?;
    let paced = PacedStream::new(io, place, state.patience);
    let ids = Arc::clone(&state.ports.environment.ids);
    Ok((ParserErrors::new(paced, ids), Protocol::Http1, Some(peer)))
}
