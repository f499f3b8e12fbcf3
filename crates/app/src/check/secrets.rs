//! Whether the sealed secrets open with the master keys here.

use std::path::Path;
use std::sync::Arc;

use contact_hub_domain::webhooks::{TriedSecrets, try_secrets};
use contact_hub_storage::{DatabaseUrl, Storage};
use tokio::runtime::Handle;

use super::Finding;
use super::database::cause;
use crate::adapters::{MasterKeyVault, SystemRandomness};
use crate::master_key;
use crate::settings::DatabaseSettings;

pub(super) async fn look(database: &DatabaseSettings, named: Option<&Path>) -> Finding {
    let url = &database.database_url;
    if named.is_none() && matches!(url, DatabaseUrl::Postgres(_)) {
        let found = "the key file is not known";
        return Finding::warning("secrets", found, "give it with --secret-key-file");
    }
    let file = match master_key::file(named, url) {
        Ok(file) => file,
        Err(error) => return Finding::error("secrets", format!("{error:#}"), ""),
    };
    if named.is_some() && !file.exists() {
        let found = format!("the secret key file {} does not exist", file.display());
        return Finding::error("secrets", found, "correct --secret-key-file, or restore the file");
    }
    let keys = if file.exists() { master_key::read(&file) } else { Ok(Vec::new()) };
    let keys = match keys {
        Ok(keys) => keys,
        Err(error) => {
            let advice = "restore the file, which has one key on each line";
            return Finding::error("secrets", format!("{error:#}"), advice);
        }
    };
    let storage = Storage::new(&database.storage_options(), Handle::current());
    let vault = MasterKeyVault::new(&keys, Arc::new(SystemRandomness));
    match try_secrets(&storage, &vault).await {
        Ok(tried) => judge(&tried, &file),
        Err(error) => {
            let found = format!("they cannot be read: {}", cause(error));
            Finding::error("secrets", found, "look at the database, and check again")
        }
    }
}

fn judge(tried: &TriedSecrets, file: &Path) -> Finding {
    if !tried.without_key.is_empty() {
        let missing: Vec<String> =
            tried.without_key.iter().map(|(key, number)| format!("{key} ({number})")).collect();
        let found =
            format!("{} lacks keys of sealed secrets: {}", file.display(), missing.join(", "));
        return Finding::error("secrets", found, "add these keys to the file, each on a line");
    }
    if tried.broken > 0 {
        let found = format!("{} of {} do not open", tried.broken, tried.broken + tried.opened);
        let advice =
            "they were changed outside of the service: set new secrets, or restore a backup";
        return Finding::error("secrets", found, advice);
    }
    Finding::ok("secrets", format!("{} open with the keys of {}", tried.opened, file.display()))
}
