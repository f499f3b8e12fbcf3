//! A user with a browser.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use contact_hub_domain::access::{self, LinkPurpose};
use contact_hub_domain::ids::UserId;
use contact_hub_tests::{Chrome, Client, TestHub};
use serde_json::{Value, json};
use thirtyfour::error::{WebDriverErrorInner, WebDriverResult};
use thirtyfour::prelude::ElementQueryable;
use thirtyfour::{By, WebDriver, WebElement};

use crate::page_check::OPPOSITES;
use crate::{DEADLINE, page_check, words};

/// Clicks, types and reads. If something does not appear in time, the test fails with the text of the page.
pub(crate) struct Person {
    chrome: Chrome,
    base: String,
    clicks: AtomicUsize,
    fields: AtomicUsize,
}

/// Short enough to cause no noticeable delay.
const INTERVAL: std::time::Duration = std::time::Duration::from_millis(30);

/// Marks a page that a link or button is about to leave, although it is still shown. A page that is restored from the
/// back/forward cache is not marked.
const MARK_AS_LEFT: &str = "window.isLeft = true; addEventListener('pagehide', () => delete window.isLeft, { once: true })";

/// The heading of a page that is fully loaded and that no click is about to leave.
const HEADING: &str = "return !window.isLeft && document.readyState === 'complete' && document.querySelector('h1')?.innerText";

/// The user starts to change the page.
const BEGIN_CHANGE: &str = "(window.changes ??= []).push([performance.now(), Infinity])";

/// The user's change is rendered. A page that was left in the meantime has no change, and a window without changes may
/// not render another frame.
const END_CHANGE: &str = "
    const done = arguments[arguments.length - 1];
    const change = window.changes?.at(-1);
    const end = () => {
        if (change?.[1] === Infinity) change[1] = performance.now();
        done();
    };
    requestAnimationFrame(() => requestAnimationFrame(end));
    setTimeout(end, 5000);
";

impl Person {
    /// A user who has just opened a browser.
    pub(crate) async fn at(base: &str) -> Self {
        Self::using(Chrome::start().await, base)
    }

    /// Another user with a separate browser.
    pub(crate) async fn beside(&self) -> Self {
        Self::using(Chrome::start_beside().await, &self.base)
    }

    fn using(chrome: Chrome, base: &str) -> Self {
        let (clicks, fields) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { chrome, base: base.to_owned(), clicks, fields }
    }

    /// The number of clicks, and of fields that were filled in or chosen.
    pub(crate) fn effort(&self) -> (usize, usize) {
        (self.clicks.load(Ordering::Relaxed), self.fields.load(Ordering::Relaxed))
    }

    /// A signed-in user with all permissions in a new company, and a client of the same user.
    pub(crate) async fn signed_in(hub: &TestHub) -> (Self, Client) {
        let client = hub.client().await;
        let person = Self::at(&hub.base()).await;
        person.follow_link(hub, client.made.user).await;
        (person, client)
    }

    /// Signs in with a one-time link.
    pub(crate) async fn follow_link(&self, hub: &TestHub, user: UserId) {
        let link =
            access::create_link(&hub.hub.ports.access, None, user, LinkPurpose::SignIn).await;
        self.open(&link.unwrap().url("")).await;
        self.click("Sign in").await;
        self.until("signed in", async || Ok(!self.path().await?.starts_with("/sign-in"))).await;
    }

    /// The browser.
    pub(crate) const fn driver(&self) -> &WebDriver {
        &self.chrome.driver
    }

    /// Scheme and host of the pages.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// Opens a path of the service, once more if the browser did not hear from its own process for the page in time.
    pub(crate) async fn open(&self, path: &str) {
        let address = format!("{}{path}", self.base);
        match self.driver().goto(&address).await {
            Err(error) if matches!(*error, WebDriverErrorInner::WebDriverTimeout(_)) => {
                self.driver().goto(&address).await.unwrap();
            }
            opened => opened.unwrap(),
        }
    }

    /// Clicks a link, a button or a summary.
    pub(crate) async fn click(&self, words: &str) {
        self.press(words::clickable(words), words).await;
    }

    /// Clicks one of several elements with the same words: the one in the row or card that also contains the other words.
    pub(crate) async fn click_beside(&self, beside: &str, words: &str) {
        self.press(words::clickable_beside(beside, words), words).await;
    }

    async fn press(&self, by: By, words: &str) {
        self.clicks.fetch_add(1, Ordering::Relaxed);
        self.until(&format!("“{words}” can be clicked"), async || {
            for element in self.driver().find_all(by.clone()).await? {
                if element.is_displayed().await? && element.is_enabled().await? {
                    if element.tag_name().await? == "summary" {
                        return self.change(&element).await.map(|()| true);
                    }
                    self.js(MARK_AS_LEFT).await?;
                    return element.click().await.map(|()| true);
                }
            }
            Ok(false)
        })
        .await;
    }

    /// Clicks an element that changes the page without leaving it. The layout may shift until the change is rendered.
    async fn change(&self, element: &WebElement) -> WebDriverResult<()> {
        self.js(BEGIN_CHANGE).await?;
        element.click().await?;
        // It fails if the click left the page after all; then there is nothing to check on it.
        drop(self.driver().execute_async(END_CHANGE, Vec::new()).await);
        Ok(())
    }

    /// Replaces the text of the field with this label.
    pub(crate) async fn fill(&self, label: &str, text: &str) {
        let element = self.field(label).await;
        element.clear().await.unwrap();
        element.send_keys(text).await.unwrap();
    }

    /// Sets a field whose input format depends on the locale, such as a date.
    pub(crate) async fn set(&self, label: &str, value: &str) {
        let element = self.field(label).await.to_json().unwrap();
        let script = "arguments[0].value = arguments[1]";
        self.driver().execute(script, vec![element, value.into()]).await.unwrap();
    }

    /// Chooses from a select.
    pub(crate) async fn choose(&self, label: &str, choice: &str) {
        let choice = self.field(label).await.find(words::choice(choice)).await.unwrap();
        self.change(&choice).await.unwrap();
    }

    /// Ticks a box that is not ticked yet.
    pub(crate) async fn tick(&self, label: &str) {
        self.set_box(label, true).await;
    }

    /// Unticks a box.
    pub(crate) async fn untick(&self, label: &str) {
        self.set_box(label, false).await;
    }

    async fn set_box(&self, label: &str, ticked: bool) {
        let element = self.labelled(label).await;
        if element.is_selected().await.unwrap() != ticked {
            self.clicks.fetch_add(1, Ordering::Relaxed);
            self.change(&element).await.unwrap();
        }
    }

    /// Gives a file to a file input.
    pub(crate) async fn attach(&self, label: &str, file: &Path) {
        self.field(label).await.send_keys(file.to_str().unwrap()).await.unwrap();
    }

    /// Sets the directory to which files are downloaded from now on.
    pub(crate) async fn downloads(&self) -> PathBuf {
        let downloads = self.chrome.downloads();
        let behavior = json!({"behavior": "allow", "downloadPath": downloads});
        self.driver().cdp().send_raw("Browser.setDownloadBehavior", behavior).await.unwrap();
        downloads
    }

    /// The value of a field.
    pub(crate) async fn value_of(&self, label: &str) -> String {
        self.labelled(label).await.value().await.unwrap().unwrap_or_default()
    }

    /// Clicks a label, which selects its input.
    pub(crate) async fn click_label(&self, label: &str) {
        self.clicks.fetch_add(1, Ordering::Relaxed);
        self.change(&self.labelled(label).await).await.unwrap();
    }

    /// The field with this label, which is about to be filled in.
    async fn field(&self, label: &str) -> WebElement {
        self.fields.fetch_add(1, Ordering::Relaxed);
        self.labelled(label).await
    }

    /// The element with this label.
    pub(crate) async fn labelled(&self, label: &str) -> WebElement {
        let found =
            self.driver().query(words::labelled(label)).wait(DEADLINE, INTERVAL).and_displayed();
        match found.first().await {
            Ok(element) => element,
            Err(error) => panic!("nothing is labelled “{label}”: {error}\n{}", self.page().await),
        }
    }

    /// Waits for a page with this heading, and runs the checks for all pages. After a click it is a new page, even if
    /// the heading is the same.
    pub(crate) async fn arrives(&self, heading: &str) {
        self.until(&format!("the page “{heading}”"), async || {
            Ok(self.js(HEADING).await? == heading)
        })
        .await;
        self.keeps_promises().await;
    }

    /// Runs the checks for all pages on the page as its scripts have changed it.
    pub(crate) async fn keeps_promises(&self) {
        page_check::check(self, &OPPOSITES).await;
    }

    /// Waits until these words are visible.
    pub(crate) async fn sees(&self, words: &str) {
        self.until(&format!("“{words}” is seen"), async || {
            Ok(self.text().await?.contains(words))
        })
        .await;
    }

    /// Waits until these words are not visible.
    pub(crate) async fn misses(&self, words: &str) {
        self.until(&format!("“{words}” is not seen"), async || {
            Ok(!self.text().await?.contains(words))
        })
        .await;
    }

    /// Whether these words are visible at this moment.
    pub(crate) async fn is_seeing(&self, words: &str) -> bool {
        self.text().await.unwrap().contains(words)
    }

    /// The visible text of the page, in its original letter case.
    pub(crate) async fn text(&self) -> WebDriverResult<String> {
        let text = self.js("return document.body?.innerText ?? ''").await?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    /// The text of the first element that a selector finds.
    ///
    /// It is found and read by one script, since a live page may replace the element in between.
    pub(crate) async fn text_of(&self, selector: &str) -> String {
        let script = "return document.querySelector(arguments[0]).innerText.trim()";
        let text = self.driver().execute(script, vec![selector.into()]).await.unwrap();
        text.convert().unwrap()
    }

    /// The path and query of the page.
    pub(crate) async fn path(&self) -> WebDriverResult<String> {
        let url = self.driver().current_url().await?;
        Ok(url.as_str().strip_prefix(&self.base).unwrap_or(url.as_str()).to_owned())
    }

    /// Runs a script and returns its result.
    pub(crate) async fn js(&self, script: &str) -> WebDriverResult<Value> {
        Ok(self.driver().execute(script, Vec::new()).await?.json().clone())
    }

    /// Waits until a condition holds. If the page changes during a check, the check is repeated.
    pub(crate) async fn until(&self, what: &str, holds: impl AsyncFn() -> WebDriverResult<bool>) {
        let began = Instant::now();
        loop {
            let result = holds().await;
            if matches!(result, Ok(true)) {
                return;
            }
            let page = if began.elapsed() > DEADLINE { Some(self.page().await) } else { None };
            assert!(
                page.is_none(),
                "{what}: not in time ({result:?})\n{}",
                page.unwrap_or_default()
            );
            tokio::time::sleep(INTERVAL).await;
        }
    }

    /// The current page, for failure messages.
    async fn page(&self) -> String {
        format!(
            "{}\n{}",
            self.path().await.unwrap_or_default(),
            self.text().await.unwrap_or_default()
        )
    }
}
