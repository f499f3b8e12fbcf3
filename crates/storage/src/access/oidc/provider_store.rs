//! The port of providers that companies set.

use async_trait::async_trait;

use contact_hub_domain::access::{
    AllowDomainOutcome, CompanyProvider, CompanyProviderStore, DeleteProviderOutcome,
    SaveProviderOutcome, SealedSecret, SwitchPasswordSignInOutcome,
};
use contact_hub_domain::author::Author;
use contact_hub_domain::ids::{CompanyId, OidcProviderId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use super::{domains, password_sign_in, providers};
use crate::Storage;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::units::{Reading, Writing};

impl Storage {
    async fn write_provider<T: Send + 'static>(
        &self,
        company: CompanyId,
        unit: impl Fn(&mut Connection) -> Result<Recorded<T>, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let written = self.write(company, unit).await;
        self.known_providers().forget();
        written
    }
}

#[async_trait]
impl CompanyProviderStore for Storage {
    async fn company_providers(
        &self,
        company: CompanyId,
    ) -> Result<Vec<CompanyProvider>, StoreError> {
        let unit = move |connection: &mut _| providers::of_company(connection, company);
        self.read(Reading::Snapshot, unit).await
    }

    async fn company_provider(
        &self,
        id: OidcProviderId,
    ) -> Result<Option<(CompanyProvider, SealedSecret)>, StoreError> {
        self.read(Reading::Snapshot, move |connection| providers::find(connection, id)).await
    }

    async fn create_company_provider(
        &self,
        by: Author,
        provider: CompanyProvider,
        secret: SealedSecret,
        max: usize,
    ) -> Result<SaveProviderOutcome, StoreError> {
        let company = by.company;
        let unit =
            move |connection: &mut _| providers::create(connection, &by, &provider, &secret, max);
        self.write_provider(company, unit).await
    }

    async fn change_company_provider(
        &self,
        by: Author,
        provider: CompanyProvider,
        secret: Option<SealedSecret>,
        at: Timestamp,
    ) -> Result<SaveProviderOutcome, StoreError> {
        let company = by.company;
        let unit = move |connection: &mut _| {
            providers::change(connection, &by, &provider, secret.as_ref(), at)
        };
        self.write_provider(company, unit).await
    }

    async fn delete_company_provider(
        &self,
        by: Author,
        id: OidcProviderId,
        at: Timestamp,
    ) -> Result<DeleteProviderOutcome, StoreError> {
        let company = by.company;
        let unit = move |connection: &mut _| providers::delete(connection, &by, id, at);
        self.write_provider(company, unit).await
    }

    async fn switch_password_sign_in(
        &self,
        by: Author,
        is_on: bool,
        at: Timestamp,
    ) -> Result<SwitchPasswordSignInOutcome, StoreError> {
        let company = by.company;
        let unit = move |connection: &mut _| password_sign_in::switch(connection, &by, is_on, at);
        self.write(company, unit).await
    }

    async fn provider_of_domain(
        &self,
        domain: String,
    ) -> Result<Option<OidcProviderId>, StoreError> {
        let unit = move |connection: &mut _| domains::provider_of(connection, &domain);
        self.read(Reading::Few, unit).await
    }

    async fn has_company_providers(&self) -> Result<bool, StoreError> {
        self.known_providers().any(self.read(Reading::Few, domains::any)).await
    }

    async fn oidc_domains(&self, company: CompanyId) -> Result<Vec<String>, StoreError> {
        let unit = move |connection: &mut _| domains::of_company(connection, company);
        let rows = self.read(Reading::Few, unit).await?;
        Ok(rows.into_iter().map(|row| row.domain).collect())
    }

    async fn allow_oidc_domain(
        &self,
        by: Author,
        domain: String,
        max: usize,
        at: Timestamp,
    ) -> Result<AllowDomainOutcome, StoreError> {
        let company = by.company;
        let unit = move |connection: &mut _| domains::allow(connection, &by, &domain, max, at);
        self.write(company, unit).await
    }

    async fn forbid_oidc_domain(&self, domain: String, at: Timestamp) -> Result<bool, StoreError> {
        let unit = move |connection: &mut _| providers::forbid_domain(connection, &domain, at);
        let written = self.write(Writing::Few, unit).await;
        self.known_providers().forget();
        written
    }
}
