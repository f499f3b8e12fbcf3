//! The parts of an import.

use contact_hub_tests::{Answer, Browser, with_hub};
use reqwest::Method;

async fn send(browser: &Browser, path: &str, csv: &str) -> Answer {
    let request = browser.request(Method::POST, path).header("Content-Type", "text/csv");
    browser.send(request.header("X-CSRF-Token", browser.token()).body(csv.to_owned())).await
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
async fn rows_become_contacts_and_refused_ones_are_listed() {
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
        let again = send(&browser, path, "a@example.com,,Anna,Lee,\n").await.expect(200);
        assert_eq!((&again.json["created"], &again.json["updated"]), (&0.into(), &1.into()));
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
async fn a_part_needs_the_token_and_utf_8() {
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
