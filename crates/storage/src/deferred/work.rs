//! The kinds of deferred work.

use contact_hub_domain::ids::CompanyId;

use crate::connection::Connection;
use crate::contacts::unlist;
use crate::counts::apply;
use crate::failure::Failure;

/// A kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Work {
    /// Applying changes of counts; its units are rows and entries.
    Counts,
    /// Removing deleted contacts from the indexes of the lists of SQLite; its units are contacts.
    Unlisting,
}

/// What a batch did.
pub(crate) struct Batch {
    /// In units of the work.
    pub(crate) size: usize,
    /// Whether the company has more.
    pub(crate) more: bool,
}

impl Work {
    /// Every kind.
    pub(super) const ALL: [Self; 2] = [Self::Counts, Self::Unlisting];

    /// From this many units on, a company's next writer first does some. Reads take account of as many.
    pub(super) const fn most(self) -> usize {
        match self {
            Self::Counts => 50_000,
            Self::Unlisting => 5_000,
        }
    }

    /// The size of a batch in the background. On SQLite it blocks all other writes, so it is short.
    pub(super) const fn batch(self) -> u16 {
        match self {
            Self::Counts => 1500,
            Self::Unlisting => 250,
        }
    }

    /// The size of a batch of a writer whose company has too much.
    pub(super) const fn batch_of_writer(self) -> u16 {
        match self {
            Self::Counts => 5000,
            Self::Unlisting => 1000,
        }
    }

    /// Does about as many units of a company, the oldest first.
    pub(super) fn run(
        self,
        connection: &mut Connection,
        company: CompanyId,
        units: u16,
    ) -> Result<Batch, Failure> {
        match self {
            Self::Counts => apply::apply(connection, company, units),
            Self::Unlisting => unlist::unlist(connection, company, units),
        }
    }

    /// The rows of companies that have such work, as they follow FROM; `None` if the database has no such work.
    pub(super) const fn rows(self, connection: &Connection) -> Option<&'static str> {
        match (self, connection) {
            (Self::Counts, _) => Some("count_changes WHERE true"),
            (Self::Unlisting, Connection::Postgres(_)) => None,
            (Self::Unlisting, Connection::Sqlite(_)) => Some(unlist::LISTED),
        }
    }
}
