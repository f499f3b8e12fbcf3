//! Every page that a link leads to, for an empty company and for one with data of every kind.

use std::collections::{BTreeSet, VecDeque};

use contact_hub_tests::with_hub;
use serde_json::Value;

use super::environment;
use crate::page_check::{self, kind_of};
use crate::person::Person;

/// Every page with content; one id of each kind.
const PAGES: [&str; 41] = [
    "/",
    "/account",
    "/account/api-access",
    "/account/alerts",
    "/account/passkeys",
    "/account/two-step",
    "/admin",
    "/admin/company",
    "/admin/company/keys",
    "/admin/company/services/new",
    "/admin/company/sign-on",
    "/admin/company/sign-on/new",
    "/admin/company/users/:id",
    "/admin/company/users/new",
    "/admin/integrations",
    "/admin/integrations/platforms",
    "/admin/integrations/platforms/:id",
    "/admin/integrations/platforms/add",
    "/admin/integrations/platforms/all",
    "/admin/integrations/platforms/new",
    "/admin/integrations/webhooks",
    "/admin/integrations/webhooks/:id",
    "/admin/integrations/webhooks/:id/edit",
    "/admin/integrations/webhooks/deliveries",
    "/admin/integrations/webhooks/deliveries/:id",
    "/admin/integrations/webhooks/deliveries/resend",
    "/admin/integrations/webhooks/new",
    "/assets",
    "/assets/:id",
    "/assets/:id/edit",
    "/assets/:id/preview-as",
    "/assets/new",
    "/contacts",
    "/contacts/:id",
    "/contacts/:id/edit",
    "/contacts/deleted",
    "/contacts/import",
    "/contacts/new",
    "/docs/guide",
    "/fields",
    "/fields/:id",
];

/// Addresses that are not pages, or pages without our layout.
const OTHERS: [&str; 3] = ["/contacts/export.csv", "/docs", "/openapi.json"];

#[tokio::test(flavor = "multi_thread")]
async fn every_page_of_an_active_company_passes_all_checks() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let _world = environment::fill(&client).await;
        let seen = tour(&person).await;
        let expected: BTreeSet<String> = PAGES.map(str::to_owned).into();
        assert_eq!(seen, expected);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_of_an_empty_company_passes_all_checks() {
    with_hub(async |hub| {
        let (person, _client) = Person::signed_in(hub).await;
        let seen = tour(&person).await;
        assert!(seen.contains("/contacts") && !seen.contains("/contacts/:id"));
    })
    .await;
}

/// Follows links from the start, to one page of each kind.
async fn tour(person: &Person) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut ahead = VecDeque::from(["/".to_owned()]);
    while let Some(path) = ahead.pop_front() {
        let kind = kind_of(&path);
        if OTHERS.contains(&kind.as_str()) || !seen.insert(kind) {
            continue;
        }
        person.open(&path).await;
        page_check::check(person, &page_check::LOOKS).await;
        let links = "return [...document.querySelectorAll('a[href^=\"/\"]')].map((a) => a.getAttribute('href'))";
        let links = person.js(links).await.unwrap();
        ahead.extend(links.as_array().unwrap().iter().filter_map(Value::as_str).map(str::to_owned));
    }
    seen
}
