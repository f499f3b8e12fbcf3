//! Screenshots of pages for people to look at, taken if `CONTACT_HUB_TEST_PICTURES` names a directory for them.

use std::path::PathBuf;
use std::sync::LazyLock;

use serde_json::json;

use crate::page_check::{self, Look};
use crate::person::Person;

static DIRECTORY: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    let named = std::env::var_os("CONTACT_HUB_TEST_PICTURES").filter(|it| !it.is_empty());
    named.map(PathBuf::from)
});

/// Takes a screenshot of the whole page.
pub(crate) async fn take(person: &Person, name: &str, look: Look) {
    let Some(directory) = &*DIRECTORY else { return };
    std::fs::create_dir_all(directory).unwrap();
    // The window becomes as tall as the page, since a frame outside the window would not be rendered.
    let height = person.js("return document.documentElement.scrollHeight").await.unwrap();
    page_check::show(person, look.as_high_as(height.as_u64().unwrap())).await;
    let drawn = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))";
    person.driver().execute_async(drawn, Vec::new()).await.unwrap();
    let png = json!({"format": "png"});
    let picture = person.driver().cdp().send_raw("Page.captureScreenshot", png).await.unwrap();
    page_check::show(person, look).await;
    let picture = thirtyfour::support::base64_decode(picture["data"].as_str().unwrap()).unwrap();
    let file = format!("{name}--{}.png", look.name);
    std::fs::write(directory.join(file), picture).unwrap();
}
