//! The wait and the metric of reads that may go to any server.

use std::time::Duration;

use metrics::counter;

use crate::connections::server::Server;

/// How long a call waits for the primary's position, a permit or a connection, before the primary takes it.
pub(super) const WAIT: Duration = Duration::from_millis(500);

/// Counts a read that may go to any server.
pub(crate) fn count_read(server: Server) {
    counter!("contact_hub_db_reads_total", "server" => server.name()).increment(1);
}
