//! Pictures of pages, for people to look at: taken where `CONTACT_HUB_TEST_PICTURES` names a directory for them.

use std::path::PathBuf;
use std::sync::LazyLock;

use serde_json::json;

use crate::page_check::Look;
use crate::person::Person;

static DIRECTORY: LazyLock<Option<PathBuf>> =
    LazyLock::new(|| std::env::var_os("CONTACT_HUB_TEST_PICTURES").map(PathBuf::from));

/// Takes a picture of the whole page.
pub(crate) async fn take(person: &Person, name: &str, look: Look) {
    let Some(directory) = &*DIRECTORY else { return };
    std::fs::create_dir_all(directory).unwrap();
    let whole = json!({"format": "png", "captureBeyondViewport": true});
    let picture = person.driver().cdp().send_raw("Page.captureScreenshot", whole).await.unwrap();
    let picture = thirtyfour::support::base64_decode(picture["data"].as_str().unwrap()).unwrap();
    let file = format!("{name}--{}.png", look.name);
    std::fs::write(directory.join(file), picture).unwrap();
}
