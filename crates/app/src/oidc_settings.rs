//! The operator's identity providers, which a file describes.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use contact_hub_domain::access::{
    GroupPermissions, MAX_GROUPS, OidcProvider, Permission, ProviderKey,
};
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::web_address::leads_here;
use contact_hub_domain::webhooks::Secret;
use serde::Deserialize;
use url::Url;
use zeroize::Zeroizing;

use crate::files;

/// The maximum number of providers of the operator.
const MAX_PROVIDERS: usize = 20;

/// The maximum number of scopes of a provider.
const MAX_SCOPES: usize = 20;

/// The longest text of a provider's settings, in characters.
const MAX_TEXT: usize = 500;

/// Single sign-on.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Single sign-on")]
pub struct OidcSettings {
    /// A file in JSON with the identity providers by which users may sign in
    #[arg(long, env = "CONTACT_HUB_OIDC_PROVIDERS_FILE")]
    pub oidc_providers_file: Option<PathBuf>,
}

/// A provider in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Described {
    id: String,
    name: String,
    issuer: String,
    client_id: String,
    client_secret_file: Option<PathBuf>,
    #[serde(default = "scopes")]
    scopes: Vec<String>,
    #[serde(default)]
    trust_emails: bool,
    create_users_in: Option<String>,
    group_claim: Option<String>,
    #[serde(default)]
    groups: BTreeMap<String, Vec<String>>,
}

fn scopes() -> Vec<String> {
    vec!["email".to_owned()]
}

impl OidcSettings {
    /// The providers of the file; none without one. A file that cannot work is an error.
    pub fn providers(&self) -> Result<Arc<[OidcProvider]>> {
        let Some(file) = &self.oidc_providers_file else { return Ok(Arc::default()) };
        let text = fs::read_to_string(file);
        let text = text.with_context(|| format!("the file {} cannot be read", file.display()))?;
        let place = file.parent().unwrap_or_else(|| Path::new(""));
        providers(&text, place).with_context(|| {
            format!("the file {} with identity providers is wrong", file.display())
        })
    }
}

/// The providers that a text describes. Paths in it begin at this place.
fn providers(text: &str, place: &Path) -> Result<Arc<[OidcProvider]>> {
    let described: Vec<Described> = serde_json::from_str(text)?;
    ensure!(described.len() <= MAX_PROVIDERS, "there may be at most {MAX_PROVIDERS}");
    let mut ids = HashSet::new();
    for provider in &described {
        ensure!(ids.insert(provider.id.clone()), "two have the id {}", provider.id);
    }
    let provider = |described: Described| {
        let id = described.id.clone();
        provider(described, place).with_context(|| format!("the provider {id}"))
    };
    described.into_iter().map(provider).collect()
}

fn provider(described: Described, place: &Path) -> Result<OidcProvider> {
    let key = ProviderKey::of_operator(&described.id);
    let key = key.context("its id must have 1 to 32 lower-case letters, digits and dashes")?;
    for text in [&described.name, &described.issuer, &described.client_id] {
        let is_text =
            (1..=MAX_TEXT).contains(&text.chars().count()) && !text.chars().any(char::is_control);
        ensure!(is_text, "name, issuer and client_id must have 1 to {MAX_TEXT} characters");
    }
    check_issuer(&described.issuer)?;
    ensure!(described.scopes.len() <= MAX_SCOPES, "it may have at most {MAX_SCOPES} scopes");
    let company = described.create_users_in.as_deref().map(CompanyId::parse);
    if company == Some(None) {
        bail!("create_users_in must be the id of a company");
    }
    let secret = described.client_secret_file.map(|file| secret_in(&place.join(file)));
    Ok(OidcProvider {
        key,
        company: None,
        name: described.name,
        issuer: described.issuer,
        client_id: described.client_id,
        client_secret: secret.transpose()?,
        scopes: described.scopes,
        trusts_emails: described.trust_emails,
        creates_users_in: company.flatten(),
        groups: groups(described.group_claim, described.groups)?,
        domains: Vec::new(),
    })
}

/// Tokens of a provider without TLS could be forged, except on this machine.
fn check_issuer(issuer: &str) -> Result<()> {
    let url = Url::parse(issuer).context("issuer must be an address")?;
    let is_safe = url.scheme() == "https" || (url.scheme() == "http" && leads_here(&url));
    ensure!(is_safe, "issuer must be an https address");
    ensure!(
        url.query().is_none() && url.fragment().is_none(),
        "issuer must have no query and no fragment"
    );
    Ok(())
}

fn groups(
    claim: Option<String>,
    groups: BTreeMap<String, Vec<String>>,
) -> Result<Option<GroupPermissions>> {
    let Some(claim) = claim else {
        ensure!(groups.is_empty(), "groups need a group_claim");
        return Ok(None);
    };
    ensure!(groups.len() <= MAX_GROUPS, "it may have at most {MAX_GROUPS} groups");
    let permissions = |words: Vec<String>| {
        let permission = |word: &String| {
            Permission::parse(word).with_context(|| format!("{word} is not a permission"))
        };
        words.iter().map(permission).collect::<Result<_>>()
    };
    let groups = groups.into_iter().map(|(group, words)| Ok((group, permissions(words)?)));
    Ok(Some(GroupPermissions { claim, groups: groups.collect::<Result<_>>()? }))
}

/// The secret in a file, without the line break at its end.
fn secret_in(file: &Path) -> Result<Secret> {
    files::warn_unless_private(file);
    let text = fs::read_to_string(file).map(Zeroizing::new);
    let text = text.with_context(|| format!("the file {} cannot be read", file.display()))?;
    let secret = text.trim_end_matches(['\r', '\n']);
    ensure!(!secret.is_empty(), "the file {} is empty", file.display());
    Ok(Secret::from_stored(Zeroizing::new(secret.to_owned())))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use contact_hub_domain::access::Permission;
    use tempfile::TempDir;

    use super::{OidcSettings, providers};

    fn described(members: &str) -> String {
        format!(
            "[{{\"id\": \"acme\", \"name\": \"Acme\", \"issuer\": \"https://id.example\", \
             \"client_id\": \"hub\"{members}}}]"
        )
    }

    #[test]
    fn providers_are_read_from_a_file() {
        let place = TempDir::new().expect("a directory");
        std::fs::write(place.path().join("secret"), "s3cret\n").expect("written");
        let members = ", \"client_secret_file\": \"secret\", \"group_claim\": \"groups\", \
             \"groups\": {\"staff\": [\"publish\"]}";
        let file = place.path().join("providers.json");
        std::fs::write(&file, described(members)).expect("written");
        let settings = OidcSettings { oidc_providers_file: Some(file) };
        let found = settings.providers().expect("providers");
        let provider = found.first().expect("one");
        let secret = provider.client_secret.as_ref().expect("a secret");
        assert_eq!((provider.key.as_str(), secret.reveal()), ("acme", "s3cret"));
        assert_eq!(provider.scopes, ["email"]);
        let groups = provider.groups.as_ref().expect("groups");
        assert!(groups.of(&["staff".to_owned()]).has(Permission::Publish));
        assert!(OidcSettings::default().providers().expect("none").is_empty());
    }

    #[test]
    fn invalid_settings_are_errors_that_repeat_no_secret() {
        let twice = described("").replace(']', ",") + described("").trim_start_matches('[');
        for wrong in [
            "{}".to_owned(),
            twice,
            described("").replace("acme", "Acme"),
            described("").replace("https://", "http://"),
            described("").replace("id.example", "id.example?x"),
            described(", \"client_secret\": \"s3cret\""),
            described(", \"client_secret_file\": \"nowhere\""),
            described(", \"create_users_in\": \"acme\""),
            described(", \"groups\": {\"staff\": [\"publish\"]}"),
            described(", \"group_claim\": \"groups\", \"groups\": {\"staff\": [\"all\"]}"),
        ] {
            let error = providers(&wrong, Path::new("")).expect_err(&wrong);
            assert!(!format!("{error:?}").contains("s3cret"), "{error:?}");
        }
        let here = described("").replace("https://id.example", "http://127.0.0.1:9");
        assert!(providers(&here, Path::new("")).is_ok());
    }
}
