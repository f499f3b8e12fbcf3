//! Notices when deliveries, webhooks or syncs of a company change, for pages that are open.
//!
//! What they show is summed up from counts that every write keeps, so nothing is written for open pages, and a look reads
//! no delivery. It reads a few rows for each webhook, each delivery in progress and each open sync.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Duration;

use async_trait::async_trait;
use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Text};
use uuid::Uuid;

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::live::{LiveStore, MOST_PAGES, MOST_PAGES_OF_COMPANY, Mark};
use contact_hub_domain::ports::StoreError;

use crate::Storage;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::{Source, along, any_id};
use crate::failure::Failure;
use crate::statement::{Statement, sql};
use crate::units::Reading;
use crate::webhooks::delivery_counts;

/// The interval between two looks.
const EVERY: Duration = Duration::from_secs(1);

/// How many open syncs of a company are counted.
const MAX_SYNCS: i64 = 10_000;

#[async_trait]
impl LiveStore for Storage {
    async fn changed(&self, company: CompanyId, known: Option<Mark>) -> Option<Mark> {
        let place =
            self.live_watch().join(company, known, (MOST_PAGES_OF_COMPANY, MOST_PAGES), || {
                self.dispatch().runtime.spawn(watch(self.clone()));
            });
        place?.news().await
    }
}

async fn watch(storage: Storage) {
    while let Some(calls) = storage.live_watch().calls() {
        let companies: BTreeSet<Uuid> = calls.iter().map(|(company, _)| company.uuid()).collect();
        match marks(&storage, companies.into_iter().collect()).await {
            Ok(marks) => storage.live_watch().wake(|company, known| {
                marks.get(&company).copied().filter(|mark| known != Some(*mark))
            }),
            Err(error) => tracing::debug!(%error, "no look at changes; the next run retries"),
        }
        tokio::time::sleep(EVERY).await;
    }
}

#[derive(QueryableByName)]
struct PartRow {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Text)]
    part: String,
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// The mark of each of these companies.
async fn marks(
    storage: &Storage,
    companies: Vec<Uuid>,
) -> Result<HashMap<CompanyId, Mark>, StoreError> {
    let unit = move |connection: &mut Connection| -> Result<_, Failure> {
        let mut rows: Vec<PartRow> = connection.rows(parts(connection, &companies))?;
        rows.sort_unstable_by(|one, other| {
            (one.company_id.0, &one.part).cmp(&(other.company_id.0, &other.part))
        });
        let mut hashers: HashMap<CompanyId, DefaultHasher> =
            companies.iter().map(|id| (CompanyId::new(*id), DefaultHasher::new())).collect();
        for row in rows {
            if let Some(hasher) = hashers.get_mut(&CompanyId::new(row.company_id.0)) {
                (row.part, row.number).hash(hasher);
            }
        }
        Ok(hashers.into_iter().map(|(company, it)| (company, Mark(it.finish()))).collect())
    };
    storage.read(Reading::Control, unit).await
}

/// The parts of the marks: deliveries by state, attempts of the last hour that has some, deliveries in progress, webhooks
/// by state, and open syncs.
fn parts(connection: &Connection, companies: &[Uuid]) -> Statement {
    let any = || any_id(connection, companies.iter().copied());
    let source = || Source::of(companies).ids("company_id", |id| *id).table(connection);
    let syncs = sql!(
        "SELECT source.company_id, 'syncs' AS part, (SELECT count(*) FROM (SELECT 1 FROM syncs \
         WHERE company_id = source.company_id AND state = 'requested' LIMIT ?) AS open) AS number FROM {}",
        source(),
    );
    sql!(
        "SELECT company_id, state AS part, CAST(sum(number) AS bigint) AS number FROM {counts} AS counts \
         WHERE company_id {any_count} GROUP BY 1, 2 \
         UNION ALL SELECT source.company_id, 'attempts' AS part, COALESCE((SELECT CAST(sum(succeeded + failed) AS bigint) \
         FROM delivery_outcomes{by_hour} WHERE company_id = source.company_id AND hour = (SELECT max(hour) \
         FROM delivery_outcomes WHERE company_id = source.company_id)), 0) AS number FROM {attempts} \
         UNION ALL SELECT company_id, 'leases' AS part, count(*) AS number FROM delivery_leases \
         WHERE company_id {any_lease} GROUP BY 1 \
         UNION ALL SELECT company_id, COALESCE(disabled_reason, 'on') AS part, count(*) AS number FROM webhooks \
         WHERE company_id {any_webhook} GROUP BY 1, 2 \
         UNION ALL {syncs}",
        counts = delivery_counts(connection),
        any_count = any(),
        by_hour = along(connection, "delivery_outcomes_by_hour"),
        attempts = source(),
        any_lease = any(),
        any_webhook = any(),
        syncs = syncs.bind(MAX_SYNCS),
    )
}
