//! Data that was stored under earlier rules can still be read.

use contact_hub_domain::access::AccessStore;
use contact_hub_domain::contacts::ContactStore;
use contact_hub_domain::fields::{FieldStore, FieldValue};
use contact_hub_tests::TestDatabase;

use crate::access::execute;
use crate::sample::{new_contact, stored_field, stored_key};

#[tokio::test(flavor = "multi_thread")]
async fn rows_that_the_current_rules_would_reject_can_be_read() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, user, _, hash) = stored_key(&storage).await;
    stored_field(&storage, &company, "One").await;
    let directory = FieldStore::list(&storage, company.id).await.expect("fields");
    let new = new_contact(&directory, "ann@example.com", &[("one", "1")]);
    ContactStore::create(&storage, company.id.into(), new.clone()).await.expect("a contact");
    let digits = "9".repeat(2000);
    execute(&database, "UPDATE users SET email = 'a b@c_d'");
    execute(&database, "UPDATE companies SET name = '', allowed_domains = '[\"a b\"]'");
    let text = format!(
        "UPDATE contacts SET email = 'ann', avatar_url = 'x', field_values = '{{\"one\":{digits}}}'"
    );
    execute(&database, &text);

    let storage = database.storage();
    let contact =
        ContactStore::read(&storage, company.id, new.id).await.expect("read").expect("one");
    let values: Vec<_> = contact.field_values.values().map(FieldValue::to_json).collect();
    assert_eq!((contact.email.as_str(), values), ("ann", vec![digits]));
    let read = storage.read_user(company.id, user.id).await.expect("read").expect("a user");
    assert_eq!(read.email.as_str(), "a b@c_d");
    let read = storage.read_company(company.id).await.expect("read").expect("a company");
    assert_eq!((read.name.as_str(), read.allowed_domains.patterns().len()), ("", 1));
    assert!(storage.holder(hash).await.expect("read").is_some());
}
