//! The port of exports of a company.

use async_trait::async_trait;
use uuid::Uuid;

use contact_hub_domain::access::{CompanyContents, StoredContact};
use contact_hub_domain::ids::{AssetId, CompanyId, DeliveryId};
use contact_hub_domain::ports::StoreError;

use crate::Storage;
use crate::columns::{IdRow, IdValue};
use crate::contacts::stored_after;
use crate::statement::sql;
use crate::units::Reading;

#[async_trait]
impl CompanyContents for Storage {
    async fn stored_contacts(
        &self,
        company: CompanyId,
        after: String,
        limit: u32,
    ) -> Result<Vec<StoredContact>, StoreError> {
        let storage = self.clone();
        self.read(Reading::OrderedList(company), move |connection| {
            stored_after(&storage, connection, company, &after, limit)
        })
        .await
    }

    async fn asset_ids(
        &self,
        company: CompanyId,
        after: Option<AssetId>,
        limit: u32,
    ) -> Result<Vec<AssetId>, StoreError> {
        let after = after.map_or_else(Uuid::nil, AssetId::uuid);
        let ids = self.ids_after("assets", company, after, limit).await?;
        Ok(ids.into_iter().map(AssetId::new).collect())
    }

    async fn delivery_ids(
        &self,
        company: CompanyId,
        after: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<DeliveryId>, StoreError> {
        let after = after.map_or_else(Uuid::nil, DeliveryId::uuid);
        let ids = self.ids_after("deliveries", company, after, limit).await?;
        Ok(ids.into_iter().map(DeliveryId::new).collect())
    }
}

impl Storage {
    /// Ids of a table that has an index of them for each company.
    async fn ids_after(
        &self,
        table: &'static str,
        company: CompanyId,
        after: Uuid,
        limit: u32,
    ) -> Result<Vec<Uuid>, StoreError> {
        self.read(Reading::OrderedList(company), move |connection| {
            let select = sql!(
                "SELECT id FROM {} WHERE company_id = ? AND id > ? ORDER BY id LIMIT ?",
                table
            );
            let select = select.bind(company).bind(IdValue(after)).bind(i64::from(limit));
            let rows: Vec<IdRow> = connection.rows(select)?;
            Ok(rows.into_iter().map(|row| row.id.0).collect())
        })
        .await
    }
}
