//! Lists of contacts with one value of a field, which are created in another order than that of their ids.

use contact_hub_domain::contacts::{
    ContactStore, ListDraft, ListQuery, NewContact, PartRequest, Start,
};
use contact_hub_domain::fields::Directory;
use contact_hub_domain::ids::ContactId;
use contact_hub_tests::TestDatabase;
use contact_hub_web::FromQuery as _;

use crate::indexed_values::{built, fields, score, set};
use crate::sample::{at, new_contact, page_of, stored_company};

const CONTACTS: i64 = 200;

fn query(text: &str, directory: &Directory) -> ListQuery {
    ListDraft::from_query(text).expect("a draft").validate(directory).expect("a valid query")
}

#[tokio::test(flavor = "multi_thread")]
async fn each_page_of_the_contacts_with_one_value_is_in_the_order_of_their_creation() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let field = score(&storage, &company).await;
    set(&storage, &company, &field, true).await;
    built(&storage, &company).await;
    let directory = fields(&storage, &company).await;
    let mut created = Vec::new();
    for n in 0..CONTACTS {
        let moment = at(n * 37 % 100);
        let new = new_contact(&directory, &format!("p{n}@example.com"), &[("score", "5")]);
        created.push((moment, new.id));
        ContactStore::create(&storage, company.id.into(), NewContact { at: moment, ..new })
            .await
            .expect("created");
    }
    for descending in [false, true] {
        created.sort_unstable();
        if descending {
            created.reverse();
        }
        let expected: Vec<ContactId> = created.iter().map(|(_, id)| *id).collect();
        let sort = if descending { "-created_at" } else { "created_at" };
        for (place, ids) in expected.chunks(5).enumerate() {
            let text = format!(
                "filter[field:score]=5&sort[]={sort}&page[size]=5&page[number]={}",
                place + 1
            );
            let page = page_of(&storage, company.id, query(&text, &directory)).await;
            let found: Vec<_> = page.items.iter().map(|contact| contact.id).collect();
            assert_eq!(found, ids, "{text}");
            let start = Start::Skipping(u64::try_from(5 * place).expect("few"));
            let part = PartRequest { start, contacts: 5, bytes: 1 << 20 };
            let part = storage.list_part(company.id, query(&text, &directory), part).await;
            let found: Vec<_> = part.expect("a part").contacts.iter().map(|it| it.id).collect();
            assert_eq!(found, ids, "{text}, without a total");
        }
    }
}
