//! `POST /contacts`: a number comes back equal to what was sent, to its last digit, or is refused.

use contact_hub_tests::{Answer, Client, with_hub};
use reqwest::Method;

use crate::support::{raw_values, read};

/// A decimal number independent of its spelling: its sign, its digits and the power of ten of the last one.
#[derive(Debug, PartialEq)]
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

fn decimal(text: &str) -> Decimal {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let unsigned = mantissa.trim_start_matches('-');
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let all = format!("{whole}{fraction}");
    let significant = all.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        return Decimal { negative: false, digits: String::new(), exponent: 0 };
    }
    let zeros = all.len() - all.trim_end_matches('0').len();
    let shift = i64::try_from(zeros).unwrap() - i64::try_from(fraction.len()).unwrap();
    let exponent: i64 = exponent.trim_start_matches('+').parse().unwrap();
    Decimal {
        negative: mantissa.starts_with('-'),
        digits: significant.to_owned(),
        exponent: exponent + shift,
    }
}

fn body(n: usize, number: &str) -> String {
    format!(
        r#"{{"email": "p{n}@example.com", "first_name": "A", "last_name": "B", "field_values": {{"size": {number}}}}}"#
    )
}

async fn returned(client: &Client, n: usize, number: &str) -> String {
    let created = client.post_text("/contacts", body(n, number)).await.expect(201);
    let shown = read(client, created.data()["id"].as_str().expect("an id")).await;
    raw_values(&shown)[0].1.clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_is_returned_equal_to_the_submitted_one() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Size", "number").await;
        let long = "9".repeat(1000);
        let long_fraction = format!("-0.{}", "7".repeat(999));
        let long_both = format!("{}.{}e-400", "3".repeat(500), "1".repeat(500));
        let numbers = [
            "0",
            "1",
            "-1",
            "1.0",
            "10",
            "1.50",
            "0.1",
            "9007199254740993",
            "-9007199254740993",
            "18446744073709551616",
            "123456789012345678901234567890",
            "0.1000000000000000055511151231257827",
            "3.141592653589793238462643383279502884197",
            "0.30000000000000004",
            "1e400",
            "1E+400",
            "-1e-400",
            "1.5e3",
            "1e309",
            "5e-324",
            "2.5E-10",
            &long,
            &long_fraction,
            &long_both,
        ];
        for (n, number) in numbers.into_iter().enumerate() {
            let shown = returned(&client, n, number).await;
            assert_eq!(decimal(&shown), decimal(number), "{number} came back as {shown}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn minus_zero_is_zero() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Size", "number").await;
        for (n, number) in ["-0", "-0.0", "-0e5", "-0.000E-3"].into_iter().enumerate() {
            let shown = returned(&client, n, number).await;
            assert_eq!(decimal(&shown).digits, "", "{number} came back as {shown}");
            assert!(!shown.starts_with('-'), "{number} came back as {shown}");
        }
        assert_eq!(returned(&client, 9, "-0").await, "0");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_beyond_the_limits_is_refused_and_never_rounded() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Size", "number").await;
        let digits = "9".repeat(1001);
        let fraction = format!("0.{}", "1".repeat(1000));
        for number in
            [&digits, &fraction, "1e401", "1e-401", "-1E+401", "1e99999999999999999999", "0e401"]
        {
            let answer = client.post_text("/contacts", body(0, number)).await;
            answer.expect_invalid(&["field_values.size"]);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_a_json_number_is_invalid_json() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Size", "number").await;
        for number in ["01", "1.", ".5", "+1", "1e", "0x1", "NaN", "Infinity", "-", "1_000", "１"]
        {
            client.post_text("/contacts", body(0, number)).await.expect_invalid(&["body"]);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_keeps_its_digits_through_every_endpoint() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Size", "number").await;
        let _created = client.post_text("/contacts", body(0, "1")).await.expect(201);
        let list = client.get("/contacts").await.expect(200);
        let id = list.data()[0]["id"].as_str().expect("an id").to_owned();
        let values = format!("/contacts/{id}/field-values");
        for number in ["123456789012345678901234567890.10", "-0.1000000000000000055511151231257827"]
        {
            let put =
                client.request(Method::PUT, &values).header("Content-Type", "application/json");
            let replaced = put.body(format!("{{\"field_values\": {{\"size\": {number}}}}}"));
            let replaced = Answer::of(replaced).await.expect(200);
            let again = client.get(&values).await.expect(200);
            let bulk = format!("{{\"contacts\": [{}]}}", body(0, &number.replace('1', "2")));
            for answer in [replaced, again] {
                assert!(answer.text.contains(&format!("\"value\":{number}}}")), "{}", answer.text);
            }
            let _updated = client.post_text("/contacts/bulk", bulk).await.expect(200);
            let shown = raw_values(&read(&client, &id).await);
            assert_eq!(shown[0].1, number.replace('1', "2"));
        }
    })
    .await;
}
