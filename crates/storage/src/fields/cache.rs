//! Caches directories. Fields never change and are never deleted, so a cached directory stays correct; it may only
//! lack fields that another instance has added since.

use std::sync::Arc;

use moka::sync::Cache;

use contact_hub_domain::fields::Directory;
use contact_hub_domain::ids::CompanyId;

/// How many companies' fields are cached.
const REMEMBERED_COMPANIES: u64 = 2_000;

pub(crate) struct DirectoryCache(Cache<CompanyId, Arc<Directory>>);

impl DirectoryCache {
    pub(crate) fn new() -> Self {
        Self(Cache::new(REMEMBERED_COMPANIES))
    }

    /// The company's cached directory, if it has all of `keys`.
    pub(crate) fn knowing<'a>(
        &self,
        company: CompanyId,
        mut keys: impl Iterator<Item = &'a str>,
    ) -> Option<Arc<Directory>> {
        let directory = self.0.get(&company)?;
        keys.all(|key| directory.find(key).is_some()).then_some(directory)
    }

    /// Caches what was read, unless the cached directory has more fields.
    pub(crate) fn remember(&self, company: CompanyId, directory: &Arc<Directory>) {
        let fuller = |known: &Arc<Directory>| known.fields().len() >= directory.fields().len();
        if !self.0.get(&company).as_ref().is_some_and(fuller) {
            self.0.insert(company, Arc::clone(directory));
        }
    }
}
