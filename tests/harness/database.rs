//! A database for one test.

use std::os::unix::fs::PermissionsExt as _;
use std::sync::OnceLock;
use std::time::Duration;

use contact_hub_storage::{
    DatabaseUrl, ReplicaOptions, Storage, StorageOptions, distribute, migrate, record_plans,
    seen_values, take_plans,
};
use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use tempfile::TempDir;
use tokio::runtime::Handle;
use uuid::Uuid;

use crate::nodes::{
    Cluster, address, close_on_each, create_cluster, execute, execute_on_each, executed, is_cluster,
};
use crate::plans::offences;
use crate::proxy::Proxy;
use crate::rows::misdeclared;

const VARIABLE: &str = "CONTACT_HUB_TEST_DATABASE";

/// Names the address of a pooler in front of the server. Services in the test's process then use it.
const POOLER: &str = "CONTACT_HUB_TEST_POOLER";

/// A separate database, deleted when this is dropped.
pub struct TestDatabase {
    url: String,
    kind: Kind,
}

enum Kind {
    Sqlite { directory: TempDir },
    Postgres { name: String, directory: TempDir, is_cluster: bool },
}

impl TestDatabase {
    /// A migrated database.
    #[must_use]
    pub fn migrated() -> Self {
        let server = postgres_server();
        let Some(server) = server else {
            let database = Self::empty();
            std::fs::write(database.file(), migrated_file()).expect("a database");
            // The mode that the service gives it.
            let private = std::fs::Permissions::from_mode(0o600);
            std::fs::set_permissions(database.file(), private).expect("the test's own file");
            return database;
        };
        Self::on_postgres(&server, Some(template(&server)))
    }

    /// A database without a schema, on one server.
    #[must_use]
    pub fn empty() -> Self {
        if let Some(server) = postgres_server() {
            Self::on_postgres(&server, None)
        } else {
            let directory = TempDir::new().expect("a temporary directory");
            let url = format!("sqlite://{}", directory.path().join("hub.db").display());
            Self { url, kind: Kind::Sqlite { directory } }
        }
    }

    fn on_postgres(server: &str, template: Option<&str>) -> Self {
        let name = format!("test_{}", Uuid::now_v7().simple());
        let from = template.map(|template| format!(" TEMPLATE {template}")).unwrap_or_default();
        let create = format!("CREATE DATABASE {name}{from}");
        let is_cluster = template.is_some() && is_cluster(server);
        if is_cluster {
            execute_on_each(server, &create);
        } else {
            execute(server, &create);
        }
        let directory = TempDir::new().expect("a temporary directory");
        let key = directory.path().join("hub.key");
        std::fs::write(key, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=").expect("a key file");
        Self { url: address(server, &name), kind: Kind::Postgres { name, directory, is_cluster } }
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> DatabaseUrl {
        self.url.parse().expect("an address")
    }

    /// The address for a service in the test's process, and whether it leads to a pooler.
    #[must_use]
    pub fn service_address(&self) -> (DatabaseUrl, bool) {
        let Kind::Postgres { name, .. } = &self.kind else { return (self.url(), false) };
        let Ok(pooler) = std::env::var(POOLER) else { return (self.url(), false) };
        (address(&pooler, name).parse().expect("an address"), true)
    }

    /// Its address, as the value of a flag.
    #[must_use]
    pub fn url_text(&self) -> &str {
        &self.url
    }

    /// A proxy in front of the server, and the database's address through it. Only for PostgreSQL.
    pub async fn through_proxy(&self) -> (Proxy, String) {
        let url = url::Url::parse(&self.url).expect("an address");
        let server = url.socket_addrs(|| Some(5432)).expect("a server's address");
        let proxy = Proxy::before(*server.first().expect("an address")).await;
        let mut through = url;
        through.set_ip_host(proxy.address().ip()).expect("a host");
        through.set_port(Some(proxy.address().port())).expect("a port");
        (proxy, through.into())
    }

    /// The file of SQLite.
    fn file(&self) -> &str {
        self.url.trim_start_matches("sqlite://")
    }

    /// Executes statements in this database, on a separate connection.
    pub fn execute(&self, text: &str) {
        if self.is_postgres() {
            return execute(&self.url, text);
        }
        let mut connection = SqliteConnection::establish(self.file()).expect("SQLite opens");
        let patient = format!("PRAGMA busy_timeout = 20000; {text}");
        executed(&connection.batch_execute(&patient), text);
    }

    /// True on PostgreSQL.
    #[must_use]
    pub const fn is_postgres(&self) -> bool {
        matches!(self.kind, Kind::Postgres { .. })
    }

    /// The cluster that it is on, if it is on one.
    #[must_use]
    pub fn cluster(&self) -> Option<Cluster<'_>> {
        match &self.kind {
            Kind::Postgres { name, is_cluster: true, .. } => {
                Some(Cluster { server: &self.url, database: name })
            }
            _ => None,
        }
    }

    /// A directory of this test, in which the key file is or will be `hub.key`.
    #[must_use]
    pub fn directory(&self) -> &std::path::Path {
        match &self.kind {
            Kind::Sqlite { directory } | Kind::Postgres { directory, .. } => directory.path(),
        }
    }

    /// The store ports on this database. The plans of their statements and the types of what they return are checked
    /// when the database is dropped; on a cluster, whose plans are those of the shards, the types alone.
    #[must_use]
    pub fn storage(&self) -> Storage {
        if self.cluster().is_none() {
            record_plans(&self.url());
        }
        let (url, pooled) = self.service_address();
        let options = StorageOptions {
            url,
            pooled,
            connections: 8,
            wait: Duration::from_secs(20),
            statement: Duration::from_secs(20),
            replicas: ReplicaOptions::default(),
        };
        Storage::new(&options, Handle::current())
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let mut offences = offences(&take_plans(&self.url()), self.is_postgres());
        offences.extend(misdeclared(&seen_values()));
        if let (Kind::Postgres { name, is_cluster, .. }, Some(server)) =
            (&self.kind, postgres_server())
        {
            let drop = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
            if *is_cluster {
                close_on_each(&server, name);
                execute_on_each(&server, &drop);
            } else {
                execute(&server, &drop);
            }
        }
        if !std::thread::panicking() {
            assert!(offences.is_empty(), "statements break the rules:\n{}", offences.join("\n"));
        }
    }
}

pub(crate) fn postgres_server() -> Option<String> {
    std::env::var(VARIABLE).ok().filter(|value| value != "sqlite")
}

/// A migrated database of SQLite. A test copies it, since all migrations take much longer than most tests.
fn migrated_file() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let database = TestDatabase::empty();
        migrate(&database.url()).expect("it is migrated");
        let log = format!("{}-wal", database.file());
        assert!(!std::path::Path::new(&log).exists(), "the file has all of the database");
        std::fs::read(database.file()).expect("its file")
    })
}

/// A migrated database of PostgreSQL that the tests' databases are copied from; one for each test program.
fn template(server: &str) -> &'static str {
    static TEMPLATE: OnceLock<String> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let name = format!("template_{}", Uuid::now_v7().simple());
        if is_cluster(server) {
            create_cluster(server, &name);
        } else {
            execute(server, &format!("CREATE DATABASE {name}"));
        }
        let template = address(server, &name);
        let url = template.parse().expect("an address");
        migrate(&url).expect("it is migrated");
        if is_cluster(server) {
            distribute(&url).expect("it is distributed");
            close_on_each(server, &name);
        } else {
            execute(&template, SEEM_FILLED);
        }
        name
    })
}

/// Makes the planner believe that every table is large, so that it chooses the plans of a large database.
const SEEM_FILLED: &str = "UPDATE pg_class SET relpages = 1, reltuples = 1000000 \
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace";
