//! How each kind of work is done.

use contact_hub_domain::ids::CompanyId;

use crate::Storage;
use crate::backlog::{Batch, Work};
use crate::connection::Connection;
use crate::contacts::unlist;
use crate::counts::apply;
use crate::failure::Failure;

/// The size of a batch in the background. On SQLite it blocks all other writes, so it is short.
pub(super) const fn batch(work: Work) -> u32 {
    match work {
        Work::Counts => 128 << 10,
        Work::Unlisting => 250,
    }
}

/// The size of a batch of a writer whose company has too much.
pub(super) const fn batch_of_writer(work: Work) -> u32 {
    match work {
        Work::Counts => 512 << 10,
        Work::Unlisting => 1000,
    }
}

/// Does about this many units of a company, the oldest first.
pub(super) fn run(
    work: Work,
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    units: u32,
) -> Result<Batch, Failure> {
    match work {
        Work::Counts => {
            let units = units * coalesced(connection);
            apply::apply(storage, connection, company, units)
        }
        Work::Unlisting => unlist::unlist(connection, company, units),
    }
}

/// The factor by which batches of counts are larger on PostgreSQL, where they block no other write: more of their
/// changes are of the same values, so fewer counts are written in all.
const fn coalesced(connection: &Connection) -> u32 {
    match connection {
        Connection::Postgres(_) => 16,
        Connection::Sqlite(_) => 1,
    }
}

/// The rows of companies that have such work, as they follow FROM; `None` if the database has no such work.
pub(super) const fn rows(work: Work, connection: &Connection) -> Option<&'static str> {
    match (work, connection) {
        (Work::Counts, _) => Some("count_changes WHERE true"),
        (Work::Unlisting, Connection::Postgres(_)) => None,
        (Work::Unlisting, Connection::Sqlite(_)) => Some(unlist::LISTED),
    }
}
