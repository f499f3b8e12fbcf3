//! `GET /contacts`: filters on `created_at` and `updated_at`.

use contact_hub_tests::{Client, TestDatabase, with_hub};
use serde_json::json;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::support::execute;

/// When the contacts a to h were created, and last changed a year later.
const MOMENTS: [(&str, &str); 8] = [
    ("a", "2026-03-09T23:59:59.999999Z"),
    ("b", "2026-03-10T00:00:00Z"),
    ("c", "2026-03-10T09:30:00Z"),
    ("d", "2026-03-10T09:30:00.25Z"),
    ("e", "2026-03-10T09:30:00.999999Z"),
    ("f", "2026-03-10T09:30:01Z"),
    ("g", "2026-03-10T23:59:59.999999Z"),
    ("h", "2026-03-11T00:00:00Z"),
];

/// A timestamp as the database stores it.
fn stored(database: &TestDatabase, text: &str) -> String {
    let moment = OffsetDateTime::parse(text, &Rfc3339).expect(text);
    let micros = moment.unix_timestamp_nanos() / 1000;
    if database.is_postgres() {
        format!("timestamptz '1970-01-01T00:00:00Z' + interval '{micros} microseconds'")
    } else {
        micros.to_string()
    }
}

async fn with_moments(test: impl AsyncFnOnce(&Client)) {
    with_hub(async |hub| {
        let client = hub.client().await;
        for (name, created) in MOMENTS {
            let email = format!("{name}@example.com");
            let body = json!({"email": email, "first_name": "A", "last_name": "B"});
            let _created = client.post("/contacts", &body).await.expect(201);
            let created_at = stored(&hub.database, created);
            let updated_at = stored(&hub.database, &created.replace("2026", "2027"));
            let set = format!("created_at = {created_at}, updated_at = {updated_at}");
            execute(&hub.database, &format!("UPDATE contacts SET {set} WHERE email = '{email}'"));
        }
        test(&client).await;
    })
    .await;
}

async fn found(client: &Client, query: &str) -> String {
    let answer = client.get(&format!("/contacts?sort[]=email&{query}")).await.expect(200);
    let contacts = answer.data().as_array().expect("a list").clone();
    contacts.iter().filter_map(|contact| contact["email"].as_str()?.chars().next()).collect()
}

#[expect(clippy::too_many_lines, reason = "most of it is a table")]
#[tokio::test(flavor = "multi_thread")]
async fn a_date_covers_its_day_and_a_value_without_a_fraction_its_second() {
    with_moments(async |client| {
        for (condition, hits) in [
            ("[between]=2026-03-10,2026-03-10", "bcdefg"),
            ("[between]=2026-03-09,2026-03-10", "abcdefg"),
            ("[between]=2026-03-10,", "bcdefgh"),
            ("[between]=,2026-03-10", "abcdefg"),
            ("[between]=,2026-03-09", "a"),
            ("[between]=2026-03-11,2026-03-10", ""),
            ("[gt]=2026-03-09", "bcdefgh"),
            ("[gt]=2026-03-10", "h"),
            ("[lt]=2026-03-10", "a"),
            ("[lt]=2026-03-11", "abcdefg"),
            ("[between]=2026-03-10T09:30:00Z,2026-03-10T09:30:00Z", "cde"),
            ("[between]=2026-03-10T09:30:00%2B00:00,2026-03-10T09:30:01%2B00:00", "cdef"),
            ("[between]=2026-03-10T09:30:00+00:00,2026-03-10T09:30:00+00:00", "cde"),
            ("[between]=2026-03-10T11:30:00%2B02:00,2026-03-10T09:30:00Z", "cde"),
            ("[between]=2026-03-10,2026-03-10T09:30:00Z", "bcde"),
            ("[gt]=2026-03-10T09:30:00Z", "fgh"),
            ("[lt]=2026-03-10T09:30:00Z", "ab"),
            ("[lt]=2026-03-10T09:30:01Z", "abcde"),
            ("[gt]=2026-03-10T09:30:00.0Z", "defgh"),
            ("[gt]=2026-03-10T09:30:00.25Z", "efgh"),
            ("[lt]=2026-03-10T09:30:00.25Z", "abc"),
            ("[between]=2026-03-10T09:30:00.25Z,2026-03-10T09:30:00.25Z", "d"),
            ("[between]=2026-03-10T09:30:00.250001Z,2026-03-10T09:30:00.999998Z", ""),
            ("[%3E]=2026-03-10", "h"),
            ("[%3C]=2026-03-10", "a"),
            ("[gt]=0001-01-01", "abcdefgh"),
            ("[lt]=9999-12-31", "abcdefgh"),
            ("[between]=0001-01-01,9999-12-31", "abcdefgh"),
        ] {
            assert_eq!(
                found(client, &format!("filter[created_at]{condition}")).await,
                hits,
                "{condition}"
            );
            let later = condition.replace("2026", "2027");
            assert_eq!(found(client, &format!("filter[updated_at]{later}")).await, hits, "{later}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pair_a_list_and_several_short_conditions_are_accepted() {
    with_moments(async |client| {
        for (query, hits) in [
            ("filter[created_at][operator]=%3E&filter[created_at][value]=2026-03-10", "h"),
            ("filter[created_at][operator]=gt&filter[created_at][value]=2026-03-10", "h"),
            ("filter[created_at][value]=2026-03-10,2026-03-10&filter[created_at][operator]=between", "bcdefg"),
            ("filter[created_at][operator]=between&filter[created_at][value][]=2026-03-10&filter[created_at][value][]=", "bcdefgh"),
            ("filter[created_at][between][]=2026-03-11&filter[created_at][between][]=2026-03-11", "h"),
            ("filter[created_at][gt]=2026-03-09&filter[created_at][lt]=2026-03-11", "bcdefg"),
            ("filter[created_at][gt]=2026-03-10&filter[updated_at][lt]=2027-03-11", ""),
            ("filter%5Bcreated_at%5D%5Bgt%5D=2026-03-10&filter[email][!=]=x", "h"),
        ] {
            assert_eq!(found(client, query).await, hits, "{query}");
        }
    })
    .await;
}

#[expect(clippy::too_many_lines, reason = "most of it is a table")]
#[tokio::test(flavor = "multi_thread")]
async fn every_other_condition_on_a_timestamp_is_invalid() {
    with_moments(async |client| {
        let mut refused = vec![
            ("filter[created_at]=2026-03-10".to_owned(), "filter.created_at".to_owned()),
            ("filter[created_at]=".to_owned(), "filter.created_at".to_owned()),
        ];
        for operator in ["eq", "ne", "=", "!=", "startsWith", "contains", "notContains", "gte"] {
            let path = format!("filter.updated_at.{operator}");
            refused.push((format!("filter[updated_at][{operator}]=2026-03-10"), path));
        }
        for value in [
            "",
            "x",
            "2026",
            "2026-02-30",
            "2026-03-10T09:30:00",
            "2026-03-10 09:30:00Z",
            "1773135000",
            "now",
        ] {
            refused.push((
                format!("filter[created_at][gt]={value}"),
                "filter.created_at.gt".to_owned(),
            ));
        }
        for value in [
            ",",
            "2026-03-10",
            "2026-03-10,2026-03-11,2026-03-12",
            "x,2026-03-10",
            "2026-03-10,x",
            "",
        ] {
            let path = "filter.created_at.between".to_owned();
            refused.push((format!("filter[created_at][between]={value}"), path));
        }
        let pair = "filter[created_at][operator]=contains&filter[created_at][value]=2026";
        refused.push((pair.to_owned(), "filter.created_at.operator".to_owned()));
        for (query, path) in refused {
            let answer = client.get(&format!("/contacts?{query}")).await;
            assert_eq!(answer.status, 422, "{query}: {}", answer.text);
            answer.expect_invalid(&[&path]);
        }
    })
    .await;
}
