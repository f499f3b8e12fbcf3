//! Rows of `oidc_providers`.

use diesel::QueryableByName;
use diesel::sql_types::{Bool, Nullable, Text};
use serde_json::{Value, json};

use contact_hub_domain::access::{CompanyProvider, GroupPermissions, Permissions, SealedSecret};
use contact_hub_domain::ids::{CompanyId, OidcProviderId};

use crate::columns::{Id, IdValue, Json, JsonValue, Moment, MomentValue};
use crate::failure::Failure;
use crate::sealed::SealedRow;

pub(super) const PROVIDER: &str = "oidc_providers.id, oidc_providers.company_id, oidc_providers.name, \
     oidc_providers.issuer, oidc_providers.client_id, oidc_providers.scopes, oidc_providers.trusts_emails, \
     oidc_providers.creates_users, oidc_providers.group_claim, oidc_providers.group_permissions, oidc_providers.created_at";

/// A row of `oidc_providers`, without its secret and its domains.
#[derive(QueryableByName)]
pub(super) struct ProviderRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    issuer: String,
    #[diesel(sql_type = Text)]
    client_id: String,
    #[diesel(sql_type = Json)]
    scopes: JsonValue,
    #[diesel(sql_type = Bool)]
    trusts_emails: bool,
    #[diesel(sql_type = Bool)]
    creates_users: bool,
    #[diesel(sql_type = Nullable<Text>)]
    group_claim: Option<String>,
    #[diesel(sql_type = Json)]
    group_permissions: JsonValue,
    #[diesel(sql_type = Moment)]
    created_at: MomentValue,
}

/// The same with its secret.
#[derive(QueryableByName)]
pub(super) struct SecretProviderRow {
    #[diesel(embed)]
    provider: ProviderRow,
    #[diesel(embed)]
    secret: SealedRow,
}

impl SecretProviderRow {
    pub(super) fn into_provider(self) -> Result<(CompanyProvider, SealedSecret), Failure> {
        Ok((self.provider.into_provider()?, self.secret.into_sealed()))
    }
}

impl ProviderRow {
    /// The provider without its domains.
    pub(super) fn into_provider(self) -> Result<CompanyProvider, Failure> {
        let groups = read_groups(&self.group_permissions)?;
        Ok(CompanyProvider {
            id: OidcProviderId::new(self.id.0),
            company: CompanyId::new(self.company_id.0),
            name: self.name,
            issuer: self.issuer,
            client_id: self.client_id,
            scopes: read_scopes(&self.scopes)?,
            trusts_emails: self.trusts_emails,
            creates_users: self.creates_users,
            groups: self.group_claim.map(|claim| GroupPermissions { claim, groups }),
            domains: Vec::new(),
            created_at: self.created_at.0,
        })
    }
}

fn corrupt(column: &str) -> Failure {
    Failure::Corrupt(format!("oidc_providers.{column}"))
}

pub(super) fn write_scopes(scopes: &[String]) -> JsonValue {
    JsonValue(Value::from(scopes).to_string())
}

fn read_scopes(json: &JsonValue) -> Result<Vec<String>, Failure> {
    serde_json::from_str(&json.0).map_err(|_not_json| corrupt("scopes"))
}

/// Pairs of a group and the bits of its permissions.
pub(super) fn write_groups(groups: Option<&GroupPermissions>) -> JsonValue {
    let groups = groups.map(|groups| groups.groups.as_slice()).unwrap_or_default();
    let pairs = groups.iter().map(|(group, permissions)| json!([group, permissions.bits()]));
    JsonValue(pairs.collect::<Value>().to_string())
}

fn read_groups(json: &JsonValue) -> Result<Vec<(String, Permissions)>, Failure> {
    let pairs: Vec<(String, i16)> =
        serde_json::from_str(&json.0).map_err(|_not_json| corrupt("group_permissions"))?;
    let pair = |(group, bits)| (group, Permissions::from_bits(bits));
    Ok(pairs.into_iter().map(pair).collect())
}
