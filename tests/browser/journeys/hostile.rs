//! Untrusted text has no effect: neither an asset's HTML, nor a receiver's answer, nor a name.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use contact_hub_tests::{Receiver, with_hub};
use serde_json::json;
use thirtyfour::By;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::contacts::downloaded;
use super::environment::made;
use crate::person::Person;

/// Attempts at injecting markup or scripts. Each would leave a mark on the page, or navigate away from it.
fn hostile(elsewhere: &str) -> String {
    format!(
        "\"'></textarea></title><script>top.isOwned = true</script>\
         <img src=x onerror=\"top.isOwned = true\"><svg onload=\"top.isOwned = true\"></svg>\
         <iframe srcdoc=\"<script>top.isOwned = true</script>\"></iframe>\
         <iframe src=\"javascript:top.isOwned = true\"></iframe>\
         <script src=\"{elsewhere}\"></script>\
         <object data=\"{elsewhere}\"></object><embed src=\"{elsewhere}\"><iframe src=\"{elsewhere}\"></iframe>\
         <form id=trap action=\"{elsewhere}\"><button>Save</button></form><script>trap.submit()</script>\
         <base href=\"{elsewhere}\"><meta http-equiv=refresh content=\"0;url={elsewhere}\">"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_asset_has_no_effect() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let elsewhere = Receiver::start(&[200]).await;
        let html = format!("{}<p id=end>The end</p>", hostile(&elsewhere.url()));
        let asset =
            json!({"name": "Trap", "type": "email", "subject": html, "html": html, "text": html});
        let id = made(&client.manage(), "/assets", &asset).await;
        person.open(&format!("/assets/{id}")).await;
        let frame = person.driver().find(By::Css("iframe.preview")).await.unwrap();
        frame.scroll_into_view().await.unwrap();
        frame.enter_frame().await.unwrap();
        // A meta refresh navigates the frame itself, which the page's policy for frames blocks.
        person
            .until("the frame is there", async || {
                Ok(person.js("return document.readyState").await? == "complete")
            })
            .await;
        person.driver().enter_default_frame().await.unwrap();
        unharmed(&person, &format!("/assets/{id}"), &elsewhere).await;

        // Opened directly, outside the frame, it has no effect either.
        person.open(&format!("/assets/{id}/preview")).await;
        assert_eq!(person.js("return typeof top.isOwned").await.unwrap(), "undefined");
        for page in ["", "/edit"] {
            person.open(&format!("/assets/{id}{page}")).await;
            unharmed(&person, &format!("/assets/{id}{page}"), &elsewhere).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_reads_no_page_in_the_name_of_the_person_who_looks_at_it() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let html = "<link rel=prefetch href=/contacts/export.csv?a><style>@import '/contacts/export.csv?b';\
                    body { background: url(/contacts/export.csv?c) }</style>\
                    <img src=/contacts/export.csv?d><img src=/static/icon.svg>";
        let asset = json!({"name": "Trap", "type": "landing_page", "html": html});
        let id = made(&client.manage(), "/assets", &asset).await;
        person.open(&format!("/assets/{id}")).await;
        let frame = person.driver().find(By::Css("iframe.preview")).await.unwrap();
        frame.scroll_into_view().await.unwrap();
        frame.enter_frame().await.unwrap();
        let is_loaded = "return document.readyState === 'complete' && document.images[1].naturalWidth > 0";
        person.until("the pictures", async || Ok(person.js(is_loaded).await? == true)).await;
        person.driver().enter_default_frame().await.unwrap();
        let exports = async || {
            let path = "/audit?filter[action]=contacts.exported";
            client.manage().get(path).await.expect(200).data().as_array().unwrap().len()
        };
        assert_eq!(exports().await, 0);
        person.open("/contacts").await;
        let downloads = person.downloads().await;
        person.click("Export CSV").await;
        downloaded(&downloads.join("contacts.csv")).await;
        person.until("the own export", async || Ok(exports().await == 1)).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_answer_has_no_effect() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let elsewhere = Receiver::start(&[200]).await;
        let body = hostile(&elsewhere.url());
        let text = body.clone();
        let answers = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&answers);
        let receiver = Receiver::raw(move |mut stream| {
            let (text, counted) = (text.clone(), Arc::clone(&counted));
            async move {
                let _request = stream.read(&mut [0; 4096]).await;
                let head = "HTTP/1.1 500 No\r\nContent-Type: text/html\r\nRefresh: 0; url=/\r\nConnection: close\r\n";
                let answer = format!("{head}Content-Length: {}\r\n\r\n{text}", text.len());
                stream.write_all(answer.as_bytes()).await.ok();
                counted.fetch_add(1, Ordering::SeqCst);
            }
        })
        .await;
        let name = body.get(..200).unwrap();
        let webhook = json!({"name": name, "url": receiver.url(), "events": ["syncRequested"]});
        let id = made(&client.manage(), "/webhooks", &webhook).await;
        let path = format!("/admin/integrations/webhooks/{id}");
        person.open(&path).await;
        person.click("Send a test").await;
        person.arrives("test").await;
        person.sees("top.isOwned = true").await;
        assert_eq!(answers.load(Ordering::SeqCst), 1);
        let delivery = person.path().await.unwrap();
        unharmed(&person, &delivery, &elsewhere).await;
        for path in [&path, "/admin/integrations/webhooks"] {
            person.open(path).await;
            unharmed(&person, path, &elsewhere).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_names_and_messages_have_no_effect() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let elsewhere = Receiver::start(&[202]).await;
        let text = hostile("//elsewhere.example");
        let name = text.get(..250).unwrap();
        let _ = client.post("/fields", &json!({"name": name, "type": "string"})).await.expect(201);
        let fields = client.get("/fields").await.expect(200);
        let key = fields.data()[0]["key"].as_str().unwrap().to_owned();
        let contact = json!({"email": "a@example.com", "first_name": name, "last_name": name, "field_values": {key: text}});
        let contact = made(&client, "/contacts", &contact).await;
        let manage = client.manage();
        let asset = json!({"name": name, "type": "landing_page", "html": "x"});
        let asset = made(&manage, "/assets", &asset).await;
        let platform = json!({"name": name, "asset_types": ["landing_page"], "merge_tag_format": "braze", "merge_tag_mapping": {"first_name": text}});
        let platform = made(&manage, "/integrations", &platform).await;
        let webhook = json!({"name": "Hook", "url": elsewhere.url(), "events": ["syncRequested"]});
        let _ = made(&manage, "/webhooks", &webhook).await;
        let syncs = format!("/assets/{asset}/syncs");
        let _ = manage.post(&syncs, &json!({"integration_id": platform})).await.expect(202);
        let report = json!({"status": "failed", "error_message": text});
        let _ = client.published().patch(&format!("/sync-status/{asset}"), &report).await.expect(200);
        for path in [
            "/contacts",
            "/contacts?search=%22%3E%3Cscript%3Etop.isOwned=1%3C/script%3E",
            &format!("/contacts/{contact}"),
            &format!("/contacts/{contact}/edit"),
            "/fields",
            "/assets",
            &format!("/assets/{asset}"),
            "/admin/integrations/platforms",
            &format!("/admin/integrations/platforms/{platform}"),
            "/admin/integrations/webhooks/deliveries",
        ] {
            person.open(path).await;
            let marks = "
                const own = `${location.origin}/static/`;
                return [typeof window.isOwned, [...document.scripts].filter(({ src }) => !src.startsWith(own)).length]";
            assert_eq!(person.js(marks).await.unwrap(), json!(["undefined", 0]), "{path}");
        }
    })
    .await;
}

/// Still the requested page, without a mark, and other hosts were only asked for images.
async fn unharmed(person: &Person, path: &str, elsewhere: &Receiver) {
    assert_eq!(person.path().await.unwrap(), path);
    assert_eq!(person.js("return typeof window.isOwned").await.unwrap(), "undefined");
    assert_eq!(person.js("return document.querySelectorAll('main iframe, main form#trap, base').length - document.querySelectorAll('iframe.preview').length").await.unwrap(), 0);
    assert_eq!(elsewhere.count(), 0, "{:?}", elsewhere.requests());
}
