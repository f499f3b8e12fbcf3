//! A PostgreSQL that rejects connections without TLS, as managed ones do.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};

use contact_hub_database_tls::Route;
use diesel::sql_types::Text;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl};
use tempfile::TempDir;
use url::Url;
use uuid::Uuid;

use crate::authority::Authority;
use crate::database::postgres_server;
use crate::nodes::execute;

const PASSWORD: &str = "secret";

#[derive(QueryableByName)]
struct Setting {
    #[diesel(sql_type = Text)]
    setting: String,
}

/// A separate server with a certificate for `localhost`; stopped and deleted when this is dropped.
///
/// The tests' server starts it, since PostgreSQL does not run as root, which the tests may do.
pub struct TlsServer {
    starter: String,
    programs: String,
    place: String,
    port: u16,
    certificates: TempDir,
}

impl TlsServer {
    /// Starts it, if the tests have a PostgreSQL on this machine.
    #[must_use]
    pub fn start() -> Option<Self> {
        let starter = postgres_server().filter(|server| is_local(server))?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        drop(listener);
        let server = Self {
            programs: programs_of(&starter),
            starter,
            place: format!("/tmp/contact-hub-tls-{}", Uuid::now_v7().simple()),
            port,
            certificates: TempDir::new().expect("a temporary directory"),
        };
        let authority = Authority::new("the authority of the test");
        std::fs::write(server.root(), authority.certificate()).expect("a file");
        let other = Authority::new("another authority");
        std::fs::write(server.other_root(), other.certificate()).expect("a file");
        server.run(&server.setup(&authority));
        Some(server)
    }

    /// An address of the server, with a user and a password.
    #[must_use]
    pub fn url(&self, host: &str, parameters: &str) -> String {
        Self::url_at(self.port, host, parameters)
    }

    /// An address with another port of this machine, such as that of a proxy.
    #[must_use]
    pub fn url_at(port: u16, host: &str, parameters: &str) -> String {
        let address = Ipv4Addr::LOCALHOST;
        format!(
            "postgres://postgres:{PASSWORD}@{host}:{port}/postgres?hostaddr={address}{parameters}"
        )
    }

    /// The address at which it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.port))
    }

    /// A verified connection to it.
    #[must_use]
    pub fn connect(&self) -> PgConnection {
        let root = self.root();
        let parameters = format!("&sslmode=verify-full&sslrootcert={}", root.display());
        let url = self.url("localhost", &parameters);
        let route = Route::new(&url).expect("an address");
        let opened = route.open(&url, PgConnection::establish, |_error| false);
        opened.expect("PostgreSQL answers")
    }

    /// Stops it at once and starts it again.
    pub fn restart(&self) {
        let Self { programs, place, .. } = self;
        // It was started with a path that is relative to this directory.
        self.run(&format!(
            "cd {place} && {programs}/pg_ctl --pgdata=data --log=log --mode=immediate --wait restart \
             < /dev/null > /dev/null 2>&1"
        ));
    }

    /// The certificate of the authority that signed the server's.
    #[must_use]
    pub fn root(&self) -> PathBuf {
        self.certificates.path().join("root.pem")
    }

    /// The certificate of another authority.
    #[must_use]
    pub fn other_root(&self) -> PathBuf {
        self.certificates.path().join("other.pem")
    }

    /// A script that creates and starts it. It accepts connections with TLS and a password.
    fn setup(&self, authority: &Authority) -> String {
        let Self { programs, place, port, .. } = self;
        let (certificate, key) = authority.sign("localhost");
        format!(
            "set -e
             umask 077
             mkdir {place}
             cd {place}
             echo {PASSWORD} > password
             {programs}/initdb --pgdata=data --username=postgres --auth=scram-sha-256 --pwfile=password > log
             echo 'hostssl all all all scram-sha-256' > data/pg_hba.conf
             echo '{certificate}' > data/server.crt
             echo '{key}' > data/server.key
             echo \"port = {port}
                   listen_addresses = '127.0.0.1'
                   unix_socket_directories = ''
                   ssl = on
                   fsync = off\" >> data/postgresql.conf
             {programs}/pg_ctl --pgdata=data --log=log --wait start < /dev/null > /dev/null 2>&1"
        )
    }

    /// Runs a script as the account of the tests' server.
    fn run(&self, script: &str) {
        execute(
            &self.starter,
            &format!("COPY (SELECT 1) TO PROGRAM $script$cat > /dev/null; {script}$script$"),
        );
    }
}

impl Drop for TlsServer {
    fn drop(&mut self) {
        let Self { programs, place, .. } = &*self;
        let stop = format!("{programs}/pg_ctl --pgdata={place}/data --mode=immediate stop");
        self.run(&format!("{stop} > /dev/null; rm -rf {place}"));
    }
}

/// Whether programs that a server starts share the files and ports of this machine.
fn is_local(server: &str) -> bool {
    let url = Url::parse(server).expect("an address");
    matches!(url.host_str(), Some("127.0.0.1" | "localhost"))
}

/// The directory of a server's programs.
fn programs_of(server: &str) -> String {
    let mut connection = PgConnection::establish(server).expect("PostgreSQL answers");
    let select = "SELECT setting FROM pg_config WHERE name = 'BINDIR'";
    let found: Setting = diesel::sql_query(select).get_result(&mut connection).expect("a row");
    assert!(Path::new(&found.setting).is_absolute(), "{}", found.setting);
    found.setting
}
