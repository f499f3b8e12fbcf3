//! The address of a contact's picture.

use crate::texts::texts;
use crate::web_address;

/// The longest avatar address, in code points.
pub const MAX_AVATAR_URL: usize = 2048;

texts! {
    /// An absolute http or https address, kept as submitted.
    AvatarUrl, |text| web_address::absolute(text, MAX_AVATAR_URL);
}

#[cfg(test)]
mod tests {
    use super::AvatarUrl;
    use crate::input::FromText;

    #[test]
    fn accepts_absolute_http_addresses_unchanged() {
        for url in
            ["https://a.example/p.png?x=1#y", "HTTP://bücher.example/ä", "http://[::1]:8080/"]
        {
            assert_eq!(AvatarUrl::from_text(&format!(" {url} ")).expect(url).as_str(), url);
        }
        let bad = [
            "",
            "a.example/p.png",
            "//a.example",
            "ftp://a.example",
            "http://",
            "http:///x",
            "http:a.example",
            "javascript:alert(1)",
            "https://a b.example",
            "https://a.example/\u{0}",
        ];
        for url in bad {
            assert!(AvatarUrl::from_text(url).is_err(), "{url}");
        }
        assert!(AvatarUrl::from_text(&format!("https://a.example/{}", "x".repeat(2048))).is_err());
    }
}
