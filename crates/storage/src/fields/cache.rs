//! Caches directories for less than a second. So every instance sees a changed field within about a second, and a busy
//! company needs one look-up in that time.

use std::sync::Arc;
use std::time::Duration;

use moka::ops::compute::Op;
use moka::sync::Cache;
use tokio::time::Instant;

use contact_hub_domain::fields::Directory;
use contact_hub_domain::ids::CompanyId;

use super::load::KnownFields;

/// How long cached fields are used.
const VALID_FOR: Duration = Duration::from_millis(900);

/// How many companies' fields are cached.
const REMEMBERED_COMPANIES: u64 = 2_000;

/// What is known of a company's fields since a moment.
#[derive(Clone)]
struct Known {
    since: Instant,
    /// `None` after a change: nothing that was read before it is remembered.
    fields: Option<KnownFields>,
}

pub(crate) struct DirectoryCache(Cache<CompanyId, Known>);

impl DirectoryCache {
    pub(crate) fn new() -> Self {
        Self(Cache::new(REMEMBERED_COMPANIES))
    }

    /// The company's directory as it was less than a second ago, if it has all of `keys`.
    pub(crate) fn knowing<'a>(
        &self,
        company: CompanyId,
        keys: impl Iterator<Item = &'a str>,
    ) -> Option<Arc<Directory>> {
        let directory = self.recent(company)?.directory;
        has_all(&directory, keys).then_some(directory)
    }

    /// The company's fields as they were less than a second ago.
    pub(super) fn recent(&self, company: CompanyId) -> Option<KnownFields> {
        self.0.get(&company).filter(|known| known.since.elapsed() < VALID_FOR)?.fields
    }

    /// The company's cached directory, however old: keys and types never change.
    pub(crate) fn ever_known(&self, company: CompanyId) -> Option<Arc<Directory>> {
        Some(self.0.get(&company)?.fields?.directory)
    }

    /// Caches what was read from this moment on, unless more is known. Fields are never deleted, so of two directories the
    /// one with fewer fields was read before the other.
    pub(super) fn remember(&self, company: CompanyId, since: Instant, fields: &KnownFields) {
        let read = Known { since, fields: Some(fields.clone()) };
        self.0.entry(company).and_compute_with(|known| {
            let is_older = known.is_some_and(|known| {
                let known = known.into_value();
                match &known.fields {
                    None => since < known.since,
                    Some(other) => {
                        let number = |it: &KnownFields| it.directory.fields().len();
                        let (fields, others) = (number(fields), number(other));
                        fields < others || (fields == others && since < known.since)
                    }
                }
            });
            if is_older { Op::Nop } else { Op::Put(read) }
        });
    }

    /// Forgets the company's directory, after this instance changed a field.
    pub(crate) fn forget(&self, company: CompanyId) {
        self.0.insert(company, Known { since: Instant::now(), fields: None });
    }
}

fn has_all<'a>(directory: &Directory, mut keys: impl Iterator<Item = &'a str>) -> bool {
    keys.all(|key| directory.find(key).is_some())
}
