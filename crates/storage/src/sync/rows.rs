//! Rows of `assets`, `integrations` and `syncs`.

use std::collections::BTreeMap;

use diesel::QueryableByName;
use diesel::sql_types::{Bool, Nullable, Text};
use uuid::Uuid;

use contact_hub_domain::ids::{AssetId, IntegrationId, SyncId};
use contact_hub_domain::input::FromText;
use contact_hub_domain::sync::{
    Asset, AssetBody, AssetForm, AssetName, AssetSummary, AssetSync, AssetText, AssetType,
    AssetTypes, ErrorMessage, Integration, IntegrationChoice, IntegrationName, Line, MapEntry,
    MapId, MapUrl, MergeTagMapping, MergeTagName, Platform, SyncState, SyncStatus,
};

use crate::columns::{Id, IdValue, Json, JsonValue, Moment, MomentValue};
use crate::failure::Failure;

/// An asset without its HTML and text.
pub(super) const SUMMARY: &str = "assets.id, assets.name, assets.type AS kind, assets.subject, assets.preheader, \
     assets.created_at, assets.updated_at";

/// The columns of a whole asset besides its summary.
pub(super) const BODY: &str = "assets.html, assets.text, assets.text_is_made";

/// What is shown of an integration where one is chosen.
pub(super) const CHOICE: &str = "integrations.id, integrations.name, integrations.takes_emails, \
     integrations.takes_landing_pages, integrations.merge_tag_format";

pub(super) const INTEGRATION: &str = "integrations.id, integrations.name, integrations.takes_emails, \
     integrations.takes_landing_pages, integrations.merge_tag_format, integrations.merge_tag_mapping, \
     integrations.created_at, integrations.updated_at";

pub(super) const SYNC: &str = "syncs.id, syncs.asset_id, syncs.integration_id, syncs.state, syncs.map_id, \
     syncs.map_url, syncs.error_message, syncs.requested_by, syncs.requested_at, syncs.reported_at";

fn corrupt(column: &str, id: Uuid) -> Failure {
    Failure::Corrupt(format!("{column} of {id}"))
}

#[derive(QueryableByName)]
pub(super) struct SummaryRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Nullable<Text>)]
    subject: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    preheader: Option<String>,
    #[diesel(sql_type = Moment)]
    created_at: MomentValue,
    #[diesel(sql_type = Moment)]
    updated_at: MomentValue,
    #[diesel(sql_type = Nullable<Text>)]
    sync_state: Option<String>,
}

impl SummaryRow {
    pub(super) fn into_summary(self) -> Result<AssetSummary, Failure> {
        let id = self.id.0;
        Ok(AssetSummary {
            id: AssetId::new(id),
            name: AssetName::from_stored(self.name),
            form: form(id, &self.kind, self.subject, self.preheader)?,
            sync_status: self.sync_state.map(|word| status(&word, id)).transpose()?,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
        })
    }
}

#[derive(QueryableByName)]
pub(super) struct BodyRow {
    #[diesel(sql_type = Text)]
    html: String,
    #[diesel(sql_type = Text)]
    text: String,
    #[diesel(sql_type = Bool)]
    text_is_made: bool,
}

#[derive(QueryableByName)]
pub(super) struct AssetRow {
    #[diesel(embed)]
    pub(super) summary: SummaryRow,
    #[diesel(embed)]
    body: BodyRow,
}

impl AssetRow {
    /// The asset, and the status of its latest sync.
    pub(super) fn into_asset(self) -> Result<(Asset, Option<SyncStatus>), Failure> {
        let AssetSummary { id, name, form, sync_status, created_at, updated_at } =
            self.summary.into_summary()?;
        let html = AssetBody::from_stored(self.body.html);
        let text = AssetText { text: self.body.text, is_made: self.body.text_is_made };
        Ok((Asset { id, name, form, html, text, created_at, updated_at }, sync_status))
    }
}

fn form(
    id: Uuid,
    kind: &str,
    subject: Option<String>,
    preheader: Option<String>,
) -> Result<AssetForm, Failure> {
    match (asset_type(kind, id)?, subject) {
        (AssetType::Email, Some(subject)) => Ok(AssetForm::Email {
            subject: Line::from_stored(subject),
            preheader: preheader.map(Line::from_stored),
        }),
        (AssetType::LandingPage, None) => Ok(AssetForm::LandingPage),
        (AssetType::Email, None) | (AssetType::LandingPage, Some(_)) => {
            Err(corrupt("assets.subject", id))
        }
    }
}

pub(super) fn asset_type(word: &str, asset: Uuid) -> Result<AssetType, Failure> {
    AssetType::from_text(word).map_err(|_unknown| corrupt("assets.type", asset))
}

#[derive(QueryableByName)]
pub(super) struct ChoiceRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Bool)]
    takes_emails: bool,
    #[diesel(sql_type = Bool)]
    takes_landing_pages: bool,
    #[diesel(sql_type = Text)]
    merge_tag_format: String,
}

impl ChoiceRow {
    pub(super) fn into_choice(self) -> Result<IntegrationChoice, Failure> {
        let id = self.id.0;
        let takes = [
            (self.takes_emails, AssetType::Email),
            (self.takes_landing_pages, AssetType::LandingPage),
        ];
        let types: Vec<_> = takes.iter().filter(|(takes, _)| *takes).map(|(_, it)| *it).collect();
        let asset_types = AssetTypes::new(&types);
        let format = Platform::parse(&self.merge_tag_format);
        Ok(IntegrationChoice {
            id: IntegrationId::new(id),
            name: IntegrationName::from_stored(self.name),
            asset_types: asset_types.ok_or_else(|| corrupt("integrations.takes_emails", id))?,
            format: format.ok_or_else(|| corrupt("integrations.merge_tag_format", id))?,
        })
    }
}

#[derive(QueryableByName)]
pub(super) struct IntegrationRow {
    #[diesel(embed)]
    choice: ChoiceRow,
    #[diesel(sql_type = Nullable<Json>)]
    merge_tag_mapping: Option<JsonValue>,
    #[diesel(sql_type = Moment)]
    created_at: MomentValue,
    #[diesel(sql_type = Moment)]
    updated_at: MomentValue,
}

impl IntegrationRow {
    pub(super) fn into_integration(self) -> Result<Integration, Failure> {
        let mapping = self.merge_tag_mapping.as_ref().map(|json| mapping(&json.0));
        let IntegrationChoice { id, name, asset_types, format } = self.choice.into_choice()?;
        Ok(Integration {
            id,
            name,
            asset_types,
            format,
            mapping: mapping
                .unwrap_or_else(|| Some(MergeTagMapping::default()))
                .ok_or_else(|| corrupt("integrations.merge_tag_mapping", id.uuid()))?,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
        })
    }
}

fn mapping(json: &str) -> Option<MergeTagMapping> {
    let texts: BTreeMap<String, String> = serde_json::from_str(json).ok()?;
    let entry = |(name, text): (String, String)| Some((MergeTagName::from_stored(&name)?, text));
    texts.into_iter().map(entry).collect::<Option<_>>().map(MergeTagMapping::from_stored)
}

/// The mapping as it is stored; null when it is empty.
pub(super) fn encode(mapping: &MergeTagMapping) -> Option<JsonValue> {
    let texts: BTreeMap<String, &str> =
        mapping.iter().map(|(name, text)| (name.to_string(), text)).collect();
    let json = serde_json::to_string(&texts).ok()?;
    (!texts.is_empty()).then_some(JsonValue(json))
}

#[derive(QueryableByName)]
pub(super) struct SyncRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Id)]
    asset_id: IdValue,
    #[diesel(sql_type = Id)]
    integration_id: IdValue,
    #[diesel(sql_type = Text)]
    state: String,
    #[diesel(sql_type = Nullable<Text>)]
    map_id: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    map_url: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    error_message: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    requested_by: Option<String>,
    #[diesel(sql_type = Moment)]
    requested_at: MomentValue,
    #[diesel(sql_type = Nullable<Moment>)]
    reported_at: Option<MomentValue>,
}

impl SyncRow {
    pub(super) fn into_sync(self) -> Result<AssetSync, Failure> {
        let id = self.id.0;
        let reported_at = self.reported_at.map(|moment| moment.0);
        let state = match (self.state.as_str(), self.map_id, self.map_url, self.error_message) {
            (REQUESTED, None, None, None) => Some(SyncState::Requested),
            (COMPLETED, Some(map_id), Some(url), None) => reported_at.map(|reported_at| {
                let map =
                    MapEntry { id: MapId::from_stored(map_id), url: MapUrl::from_stored(url) };
                SyncState::Completed { map, reported_at }
            }),
            (FAILED, None, None, Some(message)) => reported_at.map(|reported_at| {
                let message = ErrorMessage::from_stored(message);
                SyncState::Failed { message, reported_at }
            }),
            (SUPERSEDED, None, None, None) => Some(SyncState::Superseded),
            (WITHDRAWN, None, None, None) => Some(SyncState::Withdrawn),
            _ => None,
        };
        Ok(AssetSync {
            id: SyncId::new(id),
            asset_id: AssetId::new(self.asset_id.0),
            integration_id: IntegrationId::new(self.integration_id.0),
            requested_by: self.requested_by,
            requested_at: self.requested_at.0,
            state: state.ok_or_else(|| corrupt("syncs.state", id))?,
        })
    }
}

const REQUESTED: &str = "requested";
const COMPLETED: &str = "completed";
const FAILED: &str = "failed";
const SUPERSEDED: &str = "superseded";
const WITHDRAWN: &str = "withdrawn";

/// The stored word for a state.
pub(super) const fn word(state: &SyncState) -> &'static str {
    match state {
        SyncState::Requested => REQUESTED,
        SyncState::Completed { .. } => COMPLETED,
        SyncState::Failed { .. } => FAILED,
        SyncState::Superseded => SUPERSEDED,
        SyncState::Withdrawn => WITHDRAWN,
    }
}

fn status(word: &str, asset: Uuid) -> Result<SyncStatus, Failure> {
    match word {
        REQUESTED => Ok(SyncStatus::SyncRequested),
        COMPLETED => Ok(SyncStatus::Completed),
        FAILED | SUPERSEDED | WITHDRAWN => Ok(SyncStatus::Failed),
        _ => Err(corrupt("syncs.state", asset)),
    }
}
