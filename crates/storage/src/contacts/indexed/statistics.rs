//! The statistics of indexed values by which PostgreSQL chooses its plans.
//!
//! A build adds as many rows as a company has contacts. Until autovacuum analyses the table, which takes a minute or more,
//! PostgreSQL chooses plans for the few rows that were there before. So the table is analysed as soon as a build has ended.

use diesel::QueryableByName;
use diesel::sql_types::Bool;

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use crate::Storage;
use crate::connection::Connection;
use crate::statement::statement;
use crate::statistics::analyse;
use crate::units::Writing;

/// Whether the table has grown by a tenth since it was analysed. So small builds do not analyse a large table each time.
const ARE_OLD: &str = "SELECT pg_relation_size(oid) / current_setting('block_size')::bigint > relpages * 1.1 \
     AS are_old FROM pg_class WHERE oid = 'indexed_values'::regclass";

#[derive(QueryableByName)]
struct Statistics {
    #[diesel(sql_type = Bool)]
    are_old: bool,
}

/// Renews the statistics if they are old. The coordinator of a cluster does not know how old those of its nodes are.
pub(super) async fn renew(storage: &Storage, company: CompanyId) -> Result<(), StoreError> {
    let is_cluster = storage.opener().is_cluster();
    let unit = move |connection: &mut Connection| {
        if let Connection::Sqlite(_) = connection {
            return Ok(());
        }
        let statistics: Option<Statistics> = connection.first(statement(ARE_OLD))?;
        if is_cluster || statistics.is_some_and(|statistics| statistics.are_old) {
            analyse(connection, "indexed_values")?;
        }
        Ok(())
    };
    storage.write_unrecorded(Writing::For(company), unit).await
}
