//! Servers with certificates of many kinds, and a client that writes what libpq would write.

#![expect(clippy::expect_used, reason = "what the tests share fails the test that uses it")]

mod authority;
mod server;

use std::io::{Read as _, Write as _};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixStream};
use std::time::Instant;

use contact_hub_database_tls::{Route, RouteError};

use crate::authority::{Authority, Files, HOST, Kind};
use crate::server::{Answer, CARRIED, Server};

/// The beginning of a first message of the protocol; the servers of these tests read no more of it.
const FIRST: &[u8] = b"\0\0\0\x08\0\x03\0\0";

/// Connects as libpq does. Returns what the server answers; an error has the text that libpq would show.
fn connect(url: &str) -> Result<String, String> {
    let route = Route::new(url).map_err(|error| error.to_string())?;
    let opened = route.open(url, by_socket, |_never| false);
    opened.map_err(|error: RouteError<String>| error.to_string())
}

fn by_socket(url: &str) -> Result<String, String> {
    let value = |name: &str| {
        let (_, value) = url.split_once(&format!("{name}="))?;
        Some(value.split('&').next()?.replace("%40", "").replace("%2D", "-").replace("%2E", "."))
    };
    let Some(host) = value("host") else { return Err("in plain".to_owned()) };
    let (host, port) = (host.replace("%2F", "/"), value("port").expect(url));
    let address = SocketAddr::from_abstract_name(format!("{host}/.s.PGSQL.{port}"));
    let mut stream = UnixStream::connect_addr(&address.expect("a name")).expect("it listens");
    stream.write_all(FIRST).expect("it is accepted");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    let text = String::from_utf8_lossy(&answer).into_owned();
    if text.starts_with('E') { Err(text) } else { Ok(text) }
}

fn rejected(outcome: Result<String, String>, reason: &str) {
    let error = outcome.expect_err("it is not verified");
    assert!(error.contains(reason), "{reason} is not in {error:?}");
}

#[test]
fn a_server_is_verified_as_far_as_the_address_asks() {
    let files = Files::new();
    let authority = Authority::new("the authority");
    let root = files.write("root.pem", &authority.certificate());
    let other = files.write("other.pem", &Authority::new("another").certificate());
    let right = Server::start(authority.sign(Kind::Right), Answer::Tls);
    let full = |root: &str| format!("sslmode=verify-full&sslrootcert={root}");
    let only = |root: &str| format!("sslmode=verify-ca&sslrootcert={root}");

    assert_eq!(connect(&right.url(HOST, &full(&root))), Ok(CARRIED.to_owned()));
    assert_eq!(connect(&right.url("elsewhere.example", &only(&root))), Ok(CARRIED.to_owned()));
    assert_eq!(connect(&right.url("elsewhere.example", "sslmode=require")), Ok(CARRIED.to_owned()));
    rejected(connect(&right.url("elsewhere.example", &full(&root))), "for another host");
    for parameters in [full(&other), only(&other), format!("sslmode=require&sslrootcert={other}")] {
        rejected(connect(&right.url(HOST, &parameters)), "by an authority of sslrootcert");
    }
    rejected(connect(&right.url(HOST, "sslmode=verify-full")), "by an authority of sslrootcert");
    let missing = files.path("missing.pem");
    rejected(connect(&right.url(HOST, &full(&missing))), "missing.pem");

    for (kind, reason) in [
        (Kind::Expired, "it has expired"),
        (Kind::Future, "it is not valid yet"),
        (Kind::ForClients, "it is not for servers"),
    ] {
        let server = Server::start(authority.sign(kind), Answer::Tls);
        rejected(connect(&server.url(HOST, &full(&root))), reason);
        rejected(connect(&server.url(HOST, &only(&root))), reason);
        assert_eq!(connect(&server.url(HOST, "sslmode=require")), Ok(CARRIED.to_owned()));
    }
}

#[test]
fn a_server_may_be_its_own_authority() {
    let files = Files::new();
    for kind in [Kind::Right, Kind::Expired] {
        let (certificate, key) = Authority::own(kind);
        let other = Authority::own(kind);
        let root = files.write("root.pem", &certificate.pem());
        let server = Server::start((certificate, key), Answer::Tls);
        let parameters = format!("sslmode=verify-full&sslrootcert={root}");
        let outcome = connect(&server.url(HOST, &parameters));
        match kind {
            Kind::Expired => rejected(outcome, "it has expired"),
            _ => assert_eq!(outcome, Ok(CARRIED.to_owned())),
        }
        rejected(connect(&server.url("elsewhere.example", &parameters)), "certificate");
        let impostor = Server::start(other, Answer::Tls);
        let reason = if kind == Kind::Right { "it may sign others" } else { "it has expired" };
        rejected(connect(&impostor.url(HOST, &parameters)), reason);
    }
}

#[test]
fn a_client_shows_the_certificate_of_its_address() {
    let files = Files::new();
    let authority = Authority::new("the authority");
    let root = files.write("root.pem", &authority.certificate());
    let server = Server::start(authority.sign(Kind::Right), Answer::ToClientOf(authority.der()));
    let (certificate, key) = authority.sign(Kind::ForClients);
    let certificate = files.write("client.pem", &certificate.pem());
    let key = files.write("client.key", &key.serialize_pem());
    let verified = format!("sslmode=verify-full&sslrootcert={root}");
    let with = format!("{verified}&sslcert={certificate}&sslkey={key}");
    assert_eq!(connect(&server.url(HOST, &with)), Ok(CARRIED.to_owned()));
    rejected(connect(&server.url(HOST, &verified)), "CertificateRequired");
    rejected(
        connect(&server.url(HOST, &format!("{verified}&sslcert={key}&sslkey={key}"))),
        "sslcert",
    );
}

#[test]
fn a_server_without_tls_is_used_only_if_the_mode_permits() {
    let files = Files::new();
    let authority = Authority::new("the authority");
    let root = files.write("root.pem", &authority.certificate());
    let server = Server::start(authority.sign(Kind::Right), Answer::NoTls);
    assert_eq!(connect(&server.url(HOST, "sslmode=prefer")), Ok(CARRIED.to_owned()));
    rejected(connect(&server.url(HOST, "sslmode=require")), "does not offer TLS");
    let verified = format!("sslmode=verify-full&sslrootcert={root}");
    rejected(connect(&server.url(HOST, &verified)), "does not offer TLS");
    rejected(connect(&server.url(HOST, "sslmode=disable")), "in plain");
}

#[test]
fn a_server_that_cannot_be_reached_is_given_up_in_time() {
    let silent = Server::start(Authority::new("any").sign(Kind::Right), Answer::Nothing);
    let began = Instant::now();
    let outcome = connect(&silent.url(HOST, "sslmode=require&connect_timeout=1"));
    // libpq goes on with the next server of an address after this code.
    rejected(outcome.clone(), "C57P03");
    rejected(outcome, "did not answer within 900 ms");
    assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
    let closed = silent.url(HOST, "sslmode=require");
    drop(silent);
    rejected(connect(&closed), "cannot be reached");
}
