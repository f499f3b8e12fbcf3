//! What lists show of a delivery besides its own columns.

use std::collections::HashMap;
use std::time::Duration;

use contact_hub_domain::ids::{AssetId, CompanyId, IntegrationId};
use contact_hub_domain::sync::{AssetName, IntegrationName};
use contact_hub_domain::webhooks::{Delivery, ListedDelivery};
use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Integer, Nullable, Text};
use uuid::Uuid;

use super::attempts::{outcome, time};
use super::rows::stored_count;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::{Source, join_in_order, unindexed};
use crate::failure::Failure;
use crate::statement::sql;

#[derive(QueryableByName)]
struct ListedRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Nullable<BigInt>)]
    duration_ms: Option<i64>,
    #[diesel(sql_type = Nullable<Integer>)]
    status_code: Option<i32>,
    #[diesel(sql_type = Nullable<Text>)]
    error_class: Option<String>,
    #[diesel(sql_type = Nullable<Id>)]
    asset_id: Option<IdValue>,
    #[diesel(sql_type = Nullable<Text>)]
    asset_name: Option<String>,
    #[diesel(sql_type = Nullable<Id>)]
    integration_id: Option<IdValue>,
    #[diesel(sql_type = Nullable<Text>)]
    integration_name: Option<String>,
}

/// The deliveries of a page with their last attempts and what their syncs publish, by one statement.
pub(super) fn listed(
    connection: &mut Connection,
    company: CompanyId,
    deliveries: Vec<Delivery>,
) -> Result<Vec<ListedDelivery>, Failure> {
    if deliveries.is_empty() {
        return Ok(Vec::new());
    }
    let source = Source::of(&deliveries)
        .ids("id", |it| it.id.uuid())
        .ints("attempts", |it| stored_count(it.attempts));
    let select = sql!(
        "SELECT source.id, delivery_attempts.duration_ms, delivery_attempts.status_code, delivery_attempts.error_class, \
         assets.id AS asset_id, assets.name AS asset_name, integrations.id AS integration_id, \
         integrations.name AS integration_name \
         FROM {table} {join} deliveries ON deliveries.id = source.id \
         LEFT JOIN delivery_attempts ON delivery_attempts.delivery_id = source.id \
         AND delivery_attempts.number = source.attempts \
         LEFT JOIN syncs ON syncs.id = deliveries.sync_id AND syncs.company_id = deliveries.company_id \
         LEFT JOIN assets ON assets.id = syncs.asset_id AND assets.company_id = deliveries.company_id \
         LEFT JOIN integrations ON integrations.id = syncs.integration_id \
         AND integrations.company_id = deliveries.company_id WHERE {unindexed}deliveries.company_id = ?",
        table = source.table(connection),
        join = join_in_order(connection),
        unindexed = unindexed(connection),
    );
    let rows: Vec<ListedRow> = connection.rows(select.bind(company))?;
    let mut rows: HashMap<Uuid, ListedRow> = rows.into_iter().map(|row| (row.id.0, row)).collect();
    let listed = deliveries.into_iter().map(|delivery| {
        let row = rows.remove(&delivery.id.uuid());
        match row {
            Some(row) => row.into_listed(delivery),
            None => ListedDelivery { delivery, last: None, asset: None, integration: None },
        }
    });
    Ok(listed.collect())
}

impl ListedRow {
    fn into_listed(self, delivery: Delivery) -> ListedDelivery {
        let outcome = outcome(self.status_code, self.error_class.as_deref());
        let took: Option<Duration> = self.duration_ms.map(time);
        let asset = self.asset_id.zip(self.asset_name);
        let integration = self.integration_id.zip(self.integration_name);
        ListedDelivery {
            delivery,
            last: outcome.zip(took),
            asset: asset.map(|(id, name)| (AssetId::new(id.0), AssetName::from_stored(name))),
            integration: integration
                .map(|(id, name)| (IntegrationId::new(id.0), IntegrationName::from_stored(name))),
        }
    }
}
