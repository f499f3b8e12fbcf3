//! A browser in plain words.

use actix_web::HttpRequest;
use actix_web::http::header::USER_AGENT;

use contact_hub_domain::author::Call;

use crate::extract::call_of;

/// The first of these that a user agent contains names the browser. The order matters, because most browsers also claim
/// to be another one.
const BROWSERS: [(&str, &str); 11] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Vivaldi/", "Vivaldi"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("HeadlessChrome/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];

/// The same for the operating system.
const SYSTEMS: [(&str, &str); 8] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "macOS"),
    ("X11", "Linux"),
    ("Linux", "Linux"),
];

/// The call of a request that signs in.
pub(super) fn signing_in(request: &HttpRequest) -> Call {
    let agent = request.headers().get(USER_AGENT).and_then(|value| value.to_str().ok());
    let browser = agent.and_then(words).map(Into::into);
    Call { browser, ..call_of(request) }
}

fn words(agent: &str) -> Option<String> {
    let found = |known: &[(&str, &'static str)]| {
        known.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name)
    };
    match (found(&BROWSERS), found(&SYSTEMS)) {
        (Some(browser), Some(system)) => Some(format!("{browser} on {system}")),
        (Some(name), None) | (None, Some(name)) => Some(name.to_owned()),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn a_browser_is_named_with_its_operating_system() {
        let windows =
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)";
        let mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
        let phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15";
        for (agent, expected) in [
            (format!("{windows} Chrome/126.0.0.0 Safari/537.36"), "Chrome on Windows"),
            (format!("{windows} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0"), "Edge on Windows"),
            (format!("{mac} AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15"), "Safari on macOS"),
            (format!("{phone} CriOS/126.0 Mobile/15E148 Safari/604.1"), "Chrome on iPhone"),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Firefox/127.0".into(), "Firefox on Linux"),
            (
                "Mozilla/5.0 (Linux; Android 14) Chrome/126.0 Safari/537.36".into(),
                "Chrome on Android",
            ),
            ("curl/8.5.0".into(), "curl"),
        ] {
            assert_eq!(words(&agent).as_deref(), Some(expected), "{agent}");
        }
        assert_eq!(words("a robot"), None);
    }
}
