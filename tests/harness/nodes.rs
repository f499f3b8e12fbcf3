//! The servers that hold a test's database: one PostgreSQL, or every node of a Citus cluster.

use std::sync::OnceLock;

use contact_hub_domain::ids::CompanyId;
use diesel::connection::SimpleConnection;
use diesel::sql_types::{Integer, Text};
use diesel::{Connection, PgConnection, QueryResult, QueryableByName, RunQueryDsl};
use url::Url;

/// Few shards, so that a database is copied quickly.
const SHARDS: u32 = 4;

/// Ends the connections to a database, including that of the extension's own process.
const CLOSED: &str =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'DATABASE'";

#[derive(QueryableByName)]
struct Node {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Integer)]
    port: i32,
}

/// A test's database on a cluster.
pub struct Cluster<'a> {
    pub(crate) server: &'a str,
    pub(crate) database: &'a str,
}

impl Cluster<'_> {
    /// The address of the node that has the contacts of a company.
    #[must_use]
    pub fn node_of(&self, company: CompanyId) -> String {
        let select = format!(
            "SELECT nodename AS name, nodeport AS port FROM pg_dist_shard_placement \
             WHERE shardid = get_shard_id_for_distribution_column('contacts', '{company}')"
        );
        let coordinator = address(self.server, self.database);
        let mut connection = PgConnection::establish(&coordinator).expect("PostgreSQL answers");
        let nodes: Vec<Node> =
            diesel::sql_query(select).load(&mut connection).expect("the shard's node");
        address_of(self.server, nodes.first().expect("a node"))
    }

    /// Delays each commit on the workers by a tenth of a second, unless `fsync` is off there. Connections to them are
    /// closed.
    pub fn commit_slowly(&self) {
        for worker in nodes(self.server).iter().skip(1) {
            for setting in ["commit_delay = 100000", "commit_siblings = 0"] {
                execute(worker, &format!("ALTER DATABASE {} SET {setting}", self.database));
            }
            self.close(worker);
            self.open(worker);
        }
    }

    /// Ends every connection to this database on a node, which then rejects new ones.
    pub fn close(&self, node: &str) {
        let node = address(node, "postgres");
        execute(&node, &format!("ALTER DATABASE {} ALLOW_CONNECTIONS false", self.database));
        execute(&node, &CLOSED.replace("DATABASE", self.database));
    }

    /// Makes the node accept connections again.
    pub fn open(&self, node: &str) {
        let node = address(node, "postgres");
        execute(&node, &format!("ALTER DATABASE {} ALLOW_CONNECTIONS true", self.database));
    }
}

/// Whether the server is the coordinator of a cluster.
pub(crate) fn is_cluster(server: &str) -> bool {
    nodes(server).len() > 1
}

/// Executes statements on each server, in its database of the same name.
pub(crate) fn execute_on_each(server: &str, text: &str) {
    for node in nodes(server) {
        execute(node, text);
    }
}

/// Creates an empty database on each node, and joins these databases to a cluster.
pub(crate) fn create_cluster(server: &str, name: &str) {
    let nodes = nodes(server);
    for node in nodes {
        execute(node, &format!("CREATE DATABASE {name}"));
        execute(&address(node, name), "CREATE EXTENSION citus");
    }
    let host_and_port = |node: &str| {
        let url = Url::parse(node).expect("an address");
        format!("'{}', {}", url.host_str().expect("a host"), url.port().unwrap_or(5432))
    };
    let coordinator = address(server, name);
    for (place, node) in nodes.iter().enumerate() {
        let how = if place == 0 { "citus_set_coordinator_host" } else { "citus_add_node" };
        execute(&coordinator, &format!("SELECT {how}({})", host_and_port(node)));
    }
    execute(server, &format!("ALTER DATABASE {name} SET citus.shard_count = {SHARDS}"));
}

/// Ends the connections to a database on each node, so that it can be copied or dropped. New ones are rejected, since
/// the extension would soon reopen its own.
pub(crate) fn close_on_each(server: &str, name: &str) {
    execute_on_each(server, &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false"));
    execute_on_each(server, &CLOSED.replace("DATABASE", name));
}

/// The server's address with another database's name.
pub(crate) fn address(server: &str, database: &str) -> String {
    let (base, _) = server.rsplit_once('/').expect("an address with a database");
    format!("{base}/{database}")
}

pub(crate) fn execute(server: &str, text: &str) {
    let mut connection = PgConnection::establish(server).expect("PostgreSQL answers");
    executed(&connection.batch_execute(text), text);
}

/// Panics with the error and the beginning of the statements, which may be long.
pub(crate) fn executed(outcome: &QueryResult<()>, text: &str) {
    assert_eq!(outcome, &Ok(()), "{text:.300}");
}

/// The address of a node, with the account and the database of another one.
fn address_of(server: &str, node: &Node) -> String {
    let mut url = Url::parse(server).expect("an address");
    url.set_host(Some(&node.name)).expect("a host");
    url.set_port(u16::try_from(node.port).ok()).expect("a port");
    url.into()
}

/// The addresses of the server and, if it is a coordinator, of the workers.
fn nodes(server: &str) -> &'static [String] {
    static NODES: OnceLock<Vec<String>> = OnceLock::new();
    NODES.get_or_init(|| {
        let mut connection = PgConnection::establish(server).expect("PostgreSQL answers");
        let workers = diesel::sql_query(
            "SELECT nodename AS name, nodeport AS port FROM pg_dist_node WHERE groupid <> 0 AND isactive",
        );
        // A server without the extension has no such table.
        let workers: Vec<Node> = workers.load(&mut connection).unwrap_or_default();
        let workers = workers.iter().map(|node| address_of(server, node));
        std::iter::once(server.to_owned()).chain(workers).collect()
    })
}
