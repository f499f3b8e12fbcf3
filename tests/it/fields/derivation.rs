//! `POST /fields`: the key that is derived from a name.

use contact_hub_tests::with_hub;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_derived_from_the_name() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for (name, key) in [
            ("Department", "department"),
            ("URL", "url"),
            ("JobTitle", "jobtitle"),
            ("Job Title", "jobTitle"),
            ("home phone number 2", "homePhoneNumber2"),
            ("T-Shirt Size", "tShirtSize"),
            ("Driver's Licence", "driversLicence"),
            ("Pilot’s Licence", "pilotsLicence"),
            ("Sailorʼs Licence", "sailorsLicence"),
            ("rock 'n' roll", "rockNRoll"),
            ("Prénom", "prénom"),
            ("e\u{301}tat Civil", "étatCivil"),
            ("ΣΊΣΥΦΟΣ ΌΝΟΜΑ", "σίσυφοςΌνομα"),
            ("soft\u{ad}ware", "software"),
            ("ﬁrst name", "firstName"),
            ("Ｆｕｌｌ　Ｗｉｄｔｈ", "fullWidth"),
            ("employee.ID_code", "employeeIdCode"),
            ("部署 コード", "部署コード"),
            ("⭐ VIP ⭐", "vip"),
            ("2nd Address", "2ndAddress"),
        ] {
            assert_eq!(client.field(name, "string").await, key, "{name}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_derived_key_that_is_taken_is_reported_with_the_field_that_has_it() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Job Title", "string").await;
        for name in ["Job Title", "JOB   title", "job-title", "¡Job! (Title)"] {
            let body = json!({"name": name, "type": "number"});
            let refused = client.post("/fields", &body).await;
            let refused = refused.expect_error(409, "FIELD_ALREADY_EXISTS");
            let message = refused.json["error"]["message"].as_str().unwrap();
            assert!(message.contains("Job Title"), "{message}");
        }
        let listed = client.get("/fields").await.expect(200);
        assert_eq!(listed.data().as_array().unwrap().len(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_compared_exactly() {
    with_hub(async |hub| {
        let client = hub.client().await;
        assert_eq!(client.field("Job Title", "string").await, "jobTitle");
        assert_eq!(client.field("JobTitle", "string").await, "jobtitle");
        assert_eq!(client.field("Jöb Title", "string").await, "jöbTitle");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_without_a_word_is_invalid() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for name in ["!!!", "🎂", "'", "- _ -", "\u{ad}\u{200d}"] {
            let body = json!({"name": name, "type": "string"});
            client.post("/fields", &body).await.expect_invalid(&["name"]);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_whose_key_exceeds_255_characters_is_invalid() {
    with_hub(async |hub| {
        let client = hub.client().await;
        // One character that is eighteen in its compatibility form.
        let body = json!({"name": "ﷺ".repeat(20), "type": "string"});
        client.post("/fields", &body).await.expect_invalid(&["name"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_concurrent_creates_of_the_same_key_succeeds() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let calls = (0..8).map(|n| {
            let client = client.clone();
            tokio::spawn(async move {
                let name = format!("Job{}Title", " ".repeat(n + 1));
                client.post("/fields", &json!({"name": name, "type": "date"})).await.status
            })
        });
        let mut statuses = Vec::new();
        for call in calls.collect::<Vec<_>>() {
            statuses.push(call.await.unwrap());
        }
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 409, 409, 409, 409, 409, 409, 409]);
    })
    .await;
}
