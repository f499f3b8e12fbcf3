//! Checks that hold for every page, whatever it shows.

use serde_json::{Value, json};

use crate::person::Person;
use crate::{accessibility, layout, pictures};

/// The widths in CSS pixels at which a page is checked.
const WIDE: (u64, u64) = (1280, 900);
const NARROW: (u64, u64) = (390, 844);

/// A window size and colour scheme in which a page is checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// Its name, for files.
    pub(crate) name: &'static str,
    dark: bool,
    size: (u64, u64),
}

impl Look {
    /// The same in a window of another height.
    pub(crate) const fn as_high_as(self, height: u64) -> Self {
        Self { size: (self.size.0, height), ..self }
    }
}

/// Every combination; the page is left in the last one.
pub(crate) const LOOKS: [Look; 4] = [
    Look { name: "phone-dark", dark: true, size: NARROW },
    Look { name: "phone-light", dark: false, size: NARROW },
    Look { name: "desktop-dark", dark: true, size: WIDE },
    Look { name: "desktop-light", dark: false, size: WIDE },
];

/// The narrowest window, the wide one at twice its size, and a 4K screen.
const EXTREMES: [Look; 3] = [
    Look { name: "narrowest", dark: false, size: (320, 640) },
    Look { name: "zoomed", dark: false, size: (WIDE.0 / 2, WIDE.1 / 2) },
    Look { name: "4k", dark: false, size: (3840, 2160) },
];

/// Two combinations that differ in everything: enough for pages in the middle of a journey.
pub(crate) const OPPOSITES: [Look; 2] = [LOOKS[0], LOOKS[3]];

/// Fails the test if the page violates a check.
pub(crate) async fn check(person: &Person, looks: &[Look]) {
    let path = person.path().await.unwrap();
    let name = name(person, &path).await;
    calm(person, &path).await;
    for look in EXTREMES {
        show(person, look).await;
        fits(person, &path, look).await;
        pictures::take(person, &name, look).await;
    }
    for look in looks {
        let look = *look;
        show(person, look).await;
        accessible(person, &path, look).await;
        fits(person, &path, look).await;
        pictures::take(person, &name, look).await;
    }
    quiet(person, &path).await;
    at_home(person, &path).await;
}

/// The path and heading as a file name.
async fn name(person: &Person, path: &str) -> String {
    let heading = person.js("return document.querySelector('h1')?.innerText ?? ''").await.unwrap();
    let words = format!("{} {}", kind_of(path), heading.as_str().unwrap_or_default());
    let parts = words.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-")
}

/// Shows the page this way from now on.
pub(crate) async fn show(person: &Person, look: Look) {
    let scheme = if look.dark { "dark" } else { "light" };
    let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}]});
    let (width, height) = look.size;
    let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
    let browser = person.driver().cdp();
    browser.send_raw("Emulation.setEmulatedMedia", features).await.unwrap();
    browser.send_raw("Emulation.setDeviceMetricsOverride", size).await.unwrap();
}

async fn accessible(person: &Person, path: &str, look: Look) {
    let found = accessibility::violations(person).await;
    assert_eq!(found, json!([]), "{path} ({}): {found:#}", look.name);
}

/// Everything can be read without horizontal scrolling, except tables in their own scroll container.
async fn fits(person: &Person, path: &str, look: Look) {
    let found = layout::findings(person).await;
    assert_eq!(found, json!([]), "{path} ({}): {found:#}", look.name);
}

/// Neither scripts nor policies report errors. An error status of the page itself is not counted.
async fn quiet(person: &Person, path: &str) {
    let here = person.driver().current_url().await.unwrap();
    let log = person.driver().browser_log().await.unwrap();
    let is_own_status = |message: &str| {
        message.starts_with(here.as_str()) && message.contains("Failed to load resource")
    };
    let complaints: Vec<&String> = log
        .iter()
        .filter(|entry| !matches!(entry.level.as_str(), "INFO" | "DEBUG" | "FINE"))
        .map(|entry| &entry.message)
        .filter(|message| !is_own_status(message))
        .collect();
    assert!(complaints.is_empty(), "{path}: {complaints:#?}");
}

/// Nothing comes from another host.
async fn at_home(person: &Person, path: &str) {
    let loaded =
        person.js("return performance.getEntriesByType('resource').map(({ name }) => name)");
    let loaded = loaded.await.unwrap();
    for name in loaded.as_array().unwrap().iter().filter_map(Value::as_str) {
        assert!(name.starts_with(person.base()), "{path} loads {name}");
    }
}

/// The layout does not shift by itself. The browser reports which shifts happen within half a second of an input; on a
/// busy machine a change by the user may be rendered later. The bound is a tenth of what web.dev calls good for
/// Cumulative Layout Shift.
async fn calm(person: &Person, path: &str) {
    let script = "
        const done = arguments[arguments.length - 1];
        const shifts = [];
        const isByPerson = (time) => (window.changes ?? []).some(([from, to]) => from <= time && time <= to);
        const seen = new PerformanceObserver((list) => {
            for (const { startTime, value, hadRecentInput, sources } of list.getEntries()) {
                const moved = sources.map(({ node }) => node?.outerHTML?.slice(0, 200) ?? node?.nodeName);
                if (!hadRecentInput && !isByPerson(startTime)) shifts.push([value, moved]);
            }
        });
        seen.observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => done(shifts)));
        // A window without changes may not render another frame.
        setTimeout(() => done(shifts), 5000);
    ";
    let shifts = person.driver().execute_async(script, Vec::new()).await.unwrap().json().clone();
    let sum: f64 = shifts.as_array().unwrap().iter().filter_map(|shift| shift[0].as_f64()).sum();
    assert!(sum < 0.01, "{path} jumps by {sum}: {shifts:#}");
}

/// A path without the parts that differ between pages of one kind.
pub(crate) fn kind_of(path: &str) -> String {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let parts = path.split('/').map(|part| if is_id(part) { ":id" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

/// An id, or the token of a link; no word is that long.
const fn is_id(part: &str) -> bool {
    part.len() >= 36
}
