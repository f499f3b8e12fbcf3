//! Deletes answers that have expired.

use std::time::Duration;

use diesel::QueryableByName;
use tokio::time::sleep;
use uuid::Uuid;

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use crate::Storage;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;
use crate::units::{Reading, Writing};

/// How many answers one transaction deletes, so that transactions stay short.
const BATCH: u32 = 200;

/// The pause between two batches.
const REST: Duration = Duration::from_millis(50);

#[derive(QueryableByName)]
struct Company {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
}

/// The kept answers of a database.
#[derive(Clone)]
pub struct KeptAnswers(Storage);

impl Storage {
    /// The kept answers, which a service deletes in the background when they have expired.
    #[must_use]
    pub fn kept_answers(&self) -> KeptAnswers {
        KeptAnswers(self.clone())
    }
}

impl KeptAnswers {
    /// Deletes the answers that were kept at this time or earlier, in batches. Returns their number.
    pub async fn delete_until(&self, before: Timestamp) -> Result<usize, StoreError> {
        let (mut after, mut deleted) = (Uuid::nil(), 0);
        while let Some(company) = self.next_company(after).await? {
            loop {
                let unit =
                    move |connection: &mut Connection| delete_batch(connection, company, before);
                let count = self.0.write(Writing::For(company), unit).await?;
                deleted += count;
                if u32::try_from(count).is_ok_and(|count| count < BATCH) {
                    break;
                }
                sleep(REST).await;
            }
            after = company.uuid();
        }
        Ok(deleted)
    }

    /// The next company with answers, in the order of the ids.
    async fn next_company(&self, after: Uuid) -> Result<Option<CompanyId>, StoreError> {
        let unit = move |connection: &mut Connection| -> Result<Option<CompanyId>, Failure> {
            let text = "SELECT company_id FROM kept_answers WHERE company_id > ? ORDER BY company_id LIMIT 1";
            let next: Option<Company> = connection.first(statement(text).bind(IdValue(after)))?;
            Ok(next.map(|next| CompanyId::new(next.company_id.0)))
        };
        self.0.read(Reading::Few, unit).await
    }
}

fn delete_batch(
    connection: &mut Connection,
    company: CompanyId,
    before: Timestamp,
) -> Result<usize, Failure> {
    let text = "DELETE FROM kept_answers WHERE company_id = ? AND (user_id, key) IN \
         (SELECT user_id, key FROM kept_answers WHERE company_id = ? AND kept_at <= ? ORDER BY kept_at LIMIT ?)";
    let delete = statement(text).bind(company).bind(company).bind(before).bind(i64::from(BATCH));
    Ok(connection.execute(delete)?)
}
