//! The requests of an import, part by part.

use contact_hub_tests::{Answer, Browser, with_hub};
use reqwest::Method;
use serde_json::{Value, json};

async fn send(browser: &Browser, path: &str, csv: &str) -> Answer {
    let request = browser.request(Method::POST, path).header("Content-Type", "text/csv");
    browser.send(request.header("X-CSRF-Token", browser.token()).body(csv.to_owned())).await
}

fn counts(outcome: &Value) -> Value {
    json!([outcome["created"], outcome["updated"], outcome["unchanged"]])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_guesses_the_columns() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let _ = client.field("Job Title", "string").await;
        let import = browser.get("/contacts/import").await.expect(200);
        assert!(import.text.contains("<option value=\"field:0\">Job Title</option>"));
        let csv = "\u{feff}E-Mail;First Name;Surname;job title;Other <b>\r\na@example.com;Ann;\"Lee; B\";Boss;x\r\n";
        let page = send(&browser, "/contacts/import/preview", csv).await.expect(200);
        assert!(page.text.contains("data-delimiter=\";\""));
        for target in ["email", "first_name", "last_name", "field:0", ""] {
            let guess = format!("data-guess=\"{target}\"");
            assert_eq!(page.text.matches(&guess).count(), 1, "{target}");
        }
        assert!(page.text.contains("Lee; B") && page.text.contains("Other &#60;b&#62;"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_become_contacts_and_rejected_ones_are_listed() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let _ = client.field("shoe Size", "number").await;
        let path = "/contacts/import/rows?delimiter=%2C&column=email&column=&column=first_name&column=last_name&column=field%3A0";
        let csv = "a@example.com,x,Ann,Lee,1.50\nnobody,x,,Lee,\nc@example.com,x,Cy,Lee,big\n";
        let answer = send(&browser, path, csv).await.expect(200);
        assert_eq!(answer.json["created"], 1);
        let refused = answer.json["refused"].as_array().unwrap();
        assert_eq!((&refused[0]["row"], &refused[1]["row"]), (&1.into(), &2.into()));
        let reason = "Email must be a valid email address. First name is required.";
        assert_eq!(refused[0]["reason"], reason);
        assert_eq!(refused[1]["reason"], "shoe Size must be a number.");
        let again = send(&browser, path, "a@example.com,,Anna,Lee,\na@example.com,,Anna,Lee,1.5\n");
        let again = again.await.expect(200).json;
        assert_eq!(counts(&again), json!([0, 1, 1]));
        let listed = client.get("/contacts").await.expect(200);
        let id = listed.data()[0]["id"].as_str().unwrap();
        let contact = client.get(&format!("/contacts/{id}")).await.expect(200);
        assert_eq!(contact.data()["first_name"], "Anna");
        let values = &contact.data()["field_values"];
        assert_eq!(values.as_array().unwrap().len(), 1, "an empty cell leaves what is there");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_needs_the_csrf_token_and_utf_8() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        for path in ["/contacts/import/preview", "/contacts/import/rows"] {
            let request = browser.request(Method::POST, path).header("Content-Type", "text/csv");
            let _ = browser.send(request.body("a")).await.expect(403);
            let request =
                browser.request(Method::POST, path).header("X-CSRF-Token", browser.token());
            let _ = browser.send(request.body(b"a\xff".to_vec())).await.expect(422);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_returns_the_outcome_and_writes_nothing() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let names = "&column=email&column=first_name&column=last_name";
        let run = |new: &str| format!("/contacts/import/rows?delimiter=%2C{names}{new}");
        let csv = "a@example.com,Ann,Lee,1\nnobody,Bo,Lee,2\nc@example.com,Cy,Lee,x\n";
        let dry = send(&browser, &run("&column=new:number&dry_run=true"), csv).await.expect(200);
        assert_eq!(counts(&dry.json), json!([1, 0, 0]));
        let refused = json!([
            {"row": 1, "reason": "Email must be a valid email address."},
            {"row": 2, "reason": "Column 4 does not fit its new field."},
        ]);
        assert_eq!(dry.json["refused"], refused);
        assert_eq!(client.get("/contacts").await.expect(200).json["meta"]["total"], 0);
        let refused = send(&browser, &run("&column=new:number"), csv).await.expect(422);
        assert!(refused.text.contains("field is not made yet"));
        let _ = send(&browser, &run("&column="), csv).await.expect(200);
        let dry = send(&browser, &run("&column=&dry_run=true"), csv).await.expect(200);
        assert_eq!(counts(&dry.json), json!([0, 0, 2]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_with_more_cells_than_columns_is_refused() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let path = "/contacts/import/rows?delimiter=%2C&column=email&column=first_name&column=last_name";
        let csv = "a@example.com,Ann,Lee\nb@example.com,Bo, Jr.,Lee\nc@example.com,Cy,Lee,,\n";
        let answer = send(&browser, path, csv).await.expect(200);
        assert_eq!(counts(&answer.json), json!([2, 0, 0]));
        let reason = "It has 4 cells, but the first row has 3. Put a cell that contains the separator in quotes.";
        assert_eq!(answer.json["refused"], json!([{"row": 1, "reason": reason}]));
        assert_eq!(client.get("/contacts").await.expect(200).json["meta"]["total"], 2);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn cells_are_read_as_the_preview_shows() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let fields = [("Born", "date"), ("Paid", "boolean"), ("Sum", "number"), ("Seen", "datetime")];
        for (name, kind) in fields {
            let _ = client.field(name, kind).await;
        }
        let csv = "email,first_name,last_name,born,paid,sum,seen\n\
                   a@example.com,Ann,Lee,31.01.2026,Yes,\"1.234,5\",2026-01-31 09:30\n\
                   b@example.com,Bo,Lee,01.02.2026,off,\"2,5\",soon\n";
        let page = send(&browser, "/contacts/import/preview", csv).await.expect(200);
        for shown in [
            "data-kind=\"date\"\ndata-reading=\"dmy\"",
            "31.01.2026 → 2026-01-31",
            "Yes<br>off → No",
            "data-kind=\"number\"\ndata-reading=\"comma\"",
            "1.234,5 → 1234.5",
            "2026-01-31 09:30 → 2026-01-31T09:30:00+00:00",
            "1 of the first rows cannot be read.",
        ] {
            assert!(page.text.contains(shown), "{shown}: {}", page.text);
        }
        let unclear = csv.replace("31.01.2026", "03.04.2026");
        let page = send(&browser, "/contacts/import/preview", &unclear).await.expect(200);
        assert!(page.text.contains("data-kind=\"date\"\ndata-reading=\"?\""));
        let chosen = "/contacts/import/preview?delimiter=,&column=field:0~mdy";
        let page = send(&browser, chosen, "born\n03/04/2026\n").await.expect(200);
        assert!(page.text.contains("03/04/2026 → 2026-03-04"), "{}", page.text);

        let rows = "/contacts/import/rows?delimiter=%2C&column=email&column=first_name&column=last_name\
                    &column=field:0~dmy&column=field:1&column=field:2~comma&column=field:3";
        let csv = csv.split_once('\n').unwrap().1;
        let outcome = send(&browser, rows, csv).await.expect(200);
        assert_eq!(counts(&outcome.json), json!([1, 0, 0]));
        assert_eq!(outcome.json["refused"][0]["row"], 1);
        let listed = client.get("/contacts?include=field_values").await.expect(200);
        let values = listed.data()[0]["field_values"].as_array().unwrap().iter();
        let values: Vec<String> = values.map(|it| it["value"].to_string()).collect();
        let expected = ["\"2026-01-31\"", "true", "1234.5", "\"2026-01-31T09:30:00+00:00\""];
        assert_eq!(values, expected);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_columns_cannot_become_the_same_field() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let _ = client.field("Size", "number").await;
        for columns in ["email&column=email", "field:0&column=field:0~comma", "field:7", "phone"] {
            let path = format!("/contacts/import/rows?column={columns}");
            let _ = send(&browser, &path, "a,b\n").await.expect(422);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_is_created_for_a_column() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let _ = client.field("Size", "number").await;
        let path = "/contacts/import/fields";
        let form = [("name", "Team"), ("type", "string")];
        let made = browser.post(path, &form).await.expect(200);
        let made: Value = serde_json::from_str(&made.text).unwrap();
        assert_eq!(made, json!({"target": "field:1", "label": "Team"}));
        let again = browser.post(path, &form).await.expect(409);
        assert!(again.text.contains("has the key team"), "{}", again.text);
        let nameless = browser.post(path, &[("name", ""), ("type", "string")]).await.expect(422);
        assert!(nameless.text.contains("Enter a name."), "{}", nameless.text);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_overview_shows_an_import_that_rejected_rows() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let end = async |refused: &str| {
            let counts = [("created", "5"), ("updated", "x"), ("refused", refused)];
            let _ = browser.post("/contacts/import/end", &counts).await.expect(204);
            browser.get("/").await.expect(200).text
        };
        let page = end("3").await;
        assert!(page.contains("Refused rows") && page.contains("3 of 8 rows"), "{page}");
        assert!(end("0").await.contains("Nothing needs action."));
        assert!(end("99999999999999999999").await.contains("Nothing needs action."));
    })
    .await;
}
