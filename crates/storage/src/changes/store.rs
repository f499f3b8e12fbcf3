//! The port of the feed.

use async_trait::async_trait;
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

use contact_hub_domain::changes::{After, ChangeEntry, ChangeStore, ChangesOutcome, ChangesQuery};
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;

use super::position::Horizon;
use super::{list, object, settled, watch};
use crate::Storage;
use crate::units::Reading;

#[async_trait]
impl ChangeStore for Storage {
    async fn list_changes(
        &self,
        company: CompanyId,
        mut query: ChangesQuery,
    ) -> Result<ChangesOutcome, StoreError> {
        if query.wait.is_zero() {
            return settled::list(self, company, &query).await;
        }
        let until = Instant::now() + query.wait;
        loop {
            let asked = query.clone();
            let outcome = self
                .read(Reading::OrderedMany(company), move |connection| {
                    let horizon = Horizon::read(connection)?;
                    list::list(connection, company, &asked, horizon)
                })
                .await?;
            let after = match &outcome {
                ChangesOutcome::Found(page) if page.entries.is_empty() => page.next,
                _ => return Ok(outcome),
            };
            if Instant::now() >= until {
                return Ok(outcome);
            }
            query.after = After::Entry(after);
            let Some(mut place) = watch::join(self, company, after) else {
                return Ok(outcome);
            };
            if timeout_at(until, place.news()).await.is_err() {
                return Ok(outcome);
            }
        }
    }

    async fn changes_of(
        &self,
        company: CompanyId,
        id: Uuid,
        limit: u32,
    ) -> Result<Vec<ChangeEntry>, StoreError> {
        self.read(Reading::For(company), move |connection| {
            object::of_object(connection, company, id, limit)
        })
        .await
    }
}
