//! The facts that decide requests of syncs, read under locks by a number of statements that does not depend on how many
//! requests there are.

use std::collections::HashMap;

use diesel::QueryableByName;
use diesel::sql_types::{Bool, Nullable, Text};

use contact_hub_domain::ids::{AssetId, CompanyId, IntegrationId};
use contact_hub_domain::sync::{AssetName, AssetSync, Integration, RequestFacts, RequestedAsset};
use contact_hub_domain::webhooks::EventKind;

use super::asked::Asked;
use super::rows::{INTEGRATION, IntegrationRow, asset_type};
use super::syncs;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::{Lock, Source, any_id, join_in_order, unindexed};
use crate::failure::Failure;
use crate::statement::sql;
use crate::webhooks::{self, Subscriber};

/// The facts of requests of a company, each of another asset.
pub(super) struct Facts {
    company: CompanyId,
    /// Each with the email of the user who requests its sync.
    assets: HashMap<AssetId, (RequestedAsset, Option<String>)>,
    /// Each with whether the company has another integration of its format.
    integrations: HashMap<IntegrationId, (Integration, bool)>,
    pub(super) subscribers: Vec<Subscriber>,
    /// The latest sync of each asset to its integration, and the last completed one.
    last: HashMap<AssetId, Vec<AssetSync>>,
}

impl Facts {
    /// Reads the facts, with locks on the assets, the integrations and the subscribed webhooks.
    pub(super) fn gather(
        connection: &mut Connection,
        company: CompanyId,
        requests: &[&Asked],
    ) -> Result<Self, Failure> {
        let assets = assets(connection, company, requests)?;
        let integrations = integrations(connection, company, requests)?;
        let subscribers =
            webhooks::lock_subscribers(connection, company, EventKind::SyncRequested)?;
        let pair = |asked: &&Asked| (asked.request.asset, asked.request.integration);
        let pairs: Vec<_> = requests.iter().map(pair).collect();
        let mut last: HashMap<AssetId, Vec<AssetSync>> = HashMap::new();
        for sync in syncs::last_of_pairs(connection, company, &pairs)? {
            last.entry(sync.asset_id).or_default().push(sync);
        }
        Ok(Self { company, assets, integrations, subscribers, last })
    }

    /// The facts of one of the requests.
    pub(super) fn of(&mut self, asked: &Asked) -> RequestFacts {
        let request = &asked.request;
        let (asset, requested_by) = self.assets.remove(&request.asset).unzip();
        let (integration, shares_format) =
            self.integrations.get(&request.integration).cloned().unzip();
        let last = self.last.remove(&request.asset).unwrap_or_default();
        RequestFacts {
            company: self.company,
            asset,
            integration,
            shares_format: shares_format.unwrap_or_default(),
            is_heard: self.subscribers.iter().any(|subscriber| subscriber.disabled.is_none()),
            last_map: last.iter().find_map(AssetSync::map).cloned(),
            latest: last.into_iter().next(),
            requested_by: requested_by.flatten(),
        }
    }
}

#[derive(QueryableByName)]
struct IntegrationFacts {
    #[diesel(embed)]
    integration: IntegrationRow,
    #[diesel(sql_type = Bool)]
    shares_format: bool,
}

/// Locks the integrations; also returns whether another one has the format of each.
fn integrations(
    connection: &mut Connection,
    company: CompanyId,
    requests: &[&Asked],
) -> Result<HashMap<IntegrationId, (Integration, bool)>, Failure> {
    let mut ids: Vec<_> = requests.iter().map(|it| it.request.integration.uuid()).collect();
    ids.sort_unstable();
    ids.dedup();
    let select = sql!(
        "SELECT {}, EXISTS (SELECT 1 FROM integrations AS other_integrations \
         WHERE other_integrations.company_id = integrations.company_id \
         AND other_integrations.merge_tag_format = integrations.merge_tag_format \
         AND other_integrations.id <> integrations.id) AS shares_format \
         FROM integrations WHERE id {} AND {}company_id = ? ORDER BY id{}",
        INTEGRATION,
        any_id(connection, ids.into_iter()),
        unindexed(connection),
        Lock::ForShare.on(connection)
    );
    let rows: Vec<IntegrationFacts> = connection.rows(select.bind(company))?;
    let facts = rows.into_iter().map(|row| {
        let integration = row.integration.into_integration()?;
        Ok((integration.id, (integration, row.shares_format)))
    });
    facts.collect()
}

#[derive(QueryableByName)]
struct AssetFacts {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Nullable<Text>)]
    email: Option<String>,
}

/// Locks the assets for changes of their syncs; also returns the email of the user who requests each.
fn assets(
    connection: &mut Connection,
    company: CompanyId,
    requests: &[&Asked],
) -> Result<HashMap<AssetId, (RequestedAsset, Option<String>)>, Failure> {
    let source = Source::of(requests)
        .ids("asset_id", |it| it.request.asset.uuid())
        .ids("user_id", |it| it.request.user.uuid());
    let lock = match connection {
        Connection::Postgres(_) => " ORDER BY assets.id FOR NO KEY UPDATE OF assets",
        Connection::Sqlite(_) => "",
    };
    let select = sql!(
        "SELECT assets.id, assets.name, assets.type AS kind, (SELECT email FROM users WHERE users.id = source.user_id \
         AND users.company_id = assets.company_id) AS email FROM {} {} assets ON assets.id = source.asset_id \
         WHERE assets.company_id = ?{}",
        source.table(connection),
        join_in_order(connection),
        lock
    );
    let rows: Vec<AssetFacts> = connection.rows(select.bind(company))?;
    let facts = rows.into_iter().map(|row| {
        let asset = RequestedAsset {
            name: AssetName::from_stored(row.name),
            kind: asset_type(&row.kind, row.id.0)?,
        };
        Ok((AssetId::new(row.id.0), (asset, row.email)))
    });
    facts.collect()
}
