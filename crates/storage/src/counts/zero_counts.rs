//! Deletes the rows of counts that fell to zero.

use contact_hub_domain::ids::CompanyId;

use crate::Storage;
use crate::connection::Connection;
use crate::dialect::{Source, in_index_order};
use crate::failure::Failure;
use crate::statement::sql;

/// A table of counts.
pub(super) struct CountTable {
    pub(super) table: &'static str,
    /// The column of the count.
    pub(super) count: &'static str,
    /// That a row has the key of a row of `source`.
    pub(super) is_of_source: &'static str,
}

impl CountTable {
    /// Deletes those of the company's rows with these keys whose count is not positive.
    ///
    /// A join would follow the statistics of PostgreSQL. With those of a small table it compares each of the company's rows
    /// with each key, which took seconds for a hundred thousand values while the company's writers waited. So the rows are
    /// looked up one by one. On a cluster a row's place is one in a shard, and a shard plans each statement anew.
    pub(super) fn delete_zero_counts<T>(
        &self,
        storage: &Storage,
        connection: &mut Connection,
        company: CompanyId,
        keys: Source<'_, T>,
    ) -> Result<(), Failure> {
        let Self { table, count, is_of_source } = *self;
        let columns = keys.names();
        let source = keys.table(connection);
        let delete = match connection {
            Connection::Postgres(_) if !storage.opener().is_cluster() => sql!(
                "DELETE FROM {table} WHERE ctid = ANY (ARRAY (SELECT place FROM {source} CROSS JOIN LATERAL \
                 (SELECT ctid AS place FROM {table} WHERE company_id = ? AND {is_of_source} AND {count} <= 0 OFFSET 0) \
                 AS fallen))",
                table = table,
                source = source,
                is_of_source = is_of_source,
                count = count,
            ),
            _ => sql!(
                "DELETE FROM {table} \
                 WHERE company_id = ? AND {count} <= 0 AND ({columns}) IN (SELECT {columns} FROM {source})",
                table = table,
                count = count,
                columns = columns,
                source = source,
            ),
        };
        let delete = delete.bind(company);
        in_index_order(connection, |connection| Ok(connection.execute(delete)?))?;
        Ok(())
    }
}
