//! Sample assets, integrations, webhooks and requests.

use crate::sample::operator;
use std::sync::Arc;

use contact_hub::adapters::TimeOrderedIds;
use contact_hub_domain::access::{AccessStore, Company, User};
use contact_hub_domain::ids::{AssetId, CompanyId, EventId, IntegrationId, SyncId, WebhookId};
use contact_hub_domain::input::{FromText, Input};
use contact_hub_domain::property::Property;
use contact_hub_domain::sync::{
    Asset, AssetDraft, AssetSync, ErrorMessage, Integration, IntegrationDraft, Links, MapEntry,
    MapId, MapUrl, Report, RequestProblem, RequestedSync, SyncRequest, SyncStore,
};
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use diesel::sql_types::Text;
use diesel::{Connection as _, PgConnection, QueryableByName, RunQueryDsl as _, SqliteConnection};
use uuid::Uuid;

use crate::sample::{MANY, at, stored_company, user};

pub(super) fn draft(name: &str) -> AssetDraft {
    AssetDraft {
        name: name.into(),
        r#type: "email".into(),
        html: "<p>Hé {{first_name}}\u{1f382}</p>\r\n".into(),
        subject: "Hello".into(),
        preheader: "More".into(),
        ..AssetDraft::default()
    }
}

pub(super) fn page_draft(name: &str) -> AssetDraft {
    let page = AssetDraft { r#type: "landing_page".into(), text: " own ".into(), ..draft(name) };
    AssetDraft { subject: Property::Absent, preheader: Property::Absent, ..page }
}

pub(super) fn asset(draft: &AssetDraft) -> Asset {
    draft.validate(AssetId::new(Uuid::now_v7()), at(10)).expect("a valid asset")
}

pub(super) fn integration_draft(types: &[&str], mapping: &[(&str, &str)]) -> IntegrationDraft {
    let members =
        mapping.iter().map(|(name, text)| ((*name).to_owned(), Input::from(*text)).into());
    IntegrationDraft {
        name: "Ours".into(),
        asset_types: types.iter().map(|word| Property::from(*word)).collect(),
        merge_tag_format: "marketo".into(),
        merge_tag_mapping: members.collect(),
    }
}

pub(super) fn integration(draft: &IntegrationDraft) -> Integration {
    let id = IntegrationId::new(Uuid::now_v7());
    draft.validate(id, at(11)).expect("a valid integration")
}

/// A company that may request syncs: a user, an asset, an integration and an enabled webhook.
#[derive(Clone)]
pub(super) struct Setting {
    pub(super) company: Company,
    pub(super) user: User,
    pub(super) asset: Asset,
    pub(super) integration: Integration,
}

pub(super) async fn stored(database: &TestDatabase, storage: &Storage) -> Setting {
    let company = stored_company(storage).await;
    let user = user(company.id, "ann@example.com");
    storage.create_user(operator(), user.clone(), MANY).await.expect("a user");
    let asset = stored_asset(storage, company.id).await;
    let integration = stored_integration(storage, company.id).await;
    webhook(database, company.id, true);
    Setting { company, user, asset, integration }
}

pub(super) async fn stored_asset(storage: &Storage, company: CompanyId) -> Asset {
    let asset = asset(&draft("Spring"));
    storage.create_asset(company.into(), asset.clone()).await.expect("it is stored");
    asset
}

pub(super) async fn stored_integration(storage: &Storage, company: CompanyId) -> Integration {
    let integration = integration(&integration_draft(&["email"], &[]));
    storage
        .create_integration(company.into(), integration.clone(), MANY)
        .await
        .expect("it is stored");
    integration
}

pub(super) fn request(setting: &Setting, micros: i64) -> SyncRequest {
    SyncRequest {
        asset: setting.asset.id,
        integration: setting.integration.id,
        user: setting.user.id,
        sync_id: SyncId::new(Uuid::now_v7()),
        event_id: EventId::new(Uuid::now_v7()),
        ids: Arc::new(TimeOrderedIds),
        at: at(micros),
        links: Links::new("https://hub.example"),
    }
}

/// Requests a sync, which must be accepted.
pub(super) async fn requested(storage: &Storage, setting: &Setting, micros: i64) -> AssetSync {
    let requested = ask(storage, setting, request(setting, micros)).await;
    requested.expect("it is accepted").sync
}

pub(super) async fn ask(
    storage: &Storage,
    setting: &Setting,
    request: SyncRequest,
) -> Result<RequestedSync, RequestProblem> {
    SyncStore::request(storage, setting.company.id.into(), request).await.expect("an outcome")
}

pub(super) fn completed(id: &str) -> Report {
    Report::Completed(MapEntry {
        id: MapId::from_text(id).expect("an id"),
        url: MapUrl::from_text("https://platform.example/1").expect("a URL"),
    })
}

pub(super) fn failed(message: &str) -> Report {
    Report::Failed(ErrorMessage::from_text(message).expect("a message"))
}

fn literal(database: &TestDatabase, id: Uuid) -> String {
    if database.is_postgres() { format!("'{id}'") } else { format!("x'{}'", id.simple()) }
}

/// A webhook that subscribes to syncRequested.
pub(super) fn webhook(database: &TestDatabase, company: CompanyId, is_on: bool) -> WebhookId {
    let id = Uuid::now_v7();
    let (own, company) = (literal(database, id), literal(database, company.uuid()));
    let reason = if is_on { "NULL" } else { "'by_hand'" };
    let (off, now) = if database.is_postgres() { ("false", "now()") } else { ("0", "0") };
    database.execute(&format!(
            "INSERT INTO webhooks (id, company_id, name, url, events, disabled_reason, failed_attempts, warning, \
             created_at, updated_at) \
             VALUES ({own}, {company}, 'Ours', 'https://a.example', 1, {reason}, 0, {off}, {now}, {now})"
    ));
    WebhookId::new(id)
}

#[derive(QueryableByName)]
struct State {
    #[diesel(sql_type = Text)]
    state: String,
}

/// The states of all deliveries, oldest first.
pub(super) fn deliveries(database: &TestDatabase) -> Vec<String> {
    let url = database.url_text();
    let query = diesel::sql_query("SELECT state FROM deliveries ORDER BY created_at, id");
    let rows: Vec<State> = if database.is_postgres() {
        query.load(&mut PgConnection::establish(url).expect("PostgreSQL")).expect("rows")
    } else {
        let path = url.trim_start_matches("sqlite://");
        query.load(&mut SqliteConnection::establish(path).expect("SQLite")).expect("rows")
    };
    rows.into_iter().map(|row| row.state).collect()
}
