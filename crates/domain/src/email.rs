//! Email addresses: their validation, and the identity that all spellings of an address share.

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use unicode_normalization::UnicodeNormalization;

use crate::input::FromText;
use crate::text;
use crate::violations::Problem;

/// The longest address, in code points (RFC 5321, erratum 1690).
pub const MAX_EMAIL: usize = 254;

/// The longest domain in its ASCII form (RFC 1035, section 2.3.4).
const MAX_DOMAIN: usize = 253;

/// A valid address as it was submitted, trimmed, with its identity.
///
/// An address is valid if HTML's `<input type=email>` accepts it and its domain has a dot. International local parts
/// (RFC 6531) and domains (UTS 46) are valid too. Display names, comments, quoted parts, address literals and trailing
/// dots are not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Email {
    address: String,
    identity: String,
    domain_at: usize,
}

impl Email {
    /// Restores an address from a store, without validation.
    #[must_use]
    pub fn from_stored(address: String) -> Self {
        let (local, domain) = address.rsplit_once('@').unwrap_or((&address, ""));
        // A domain that only an earlier rule accepted is kept in lower case.
        let domain = ascii_domain(domain).unwrap_or_else(|| domain.to_lowercase());
        let (identity, domain_at) = identity(local, &domain);
        Self { address, identity, domain_at }
    }

    /// The address as submitted.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.address
    }

    /// Equal for two spellings of one address: the case-folded NFC local part with the domain's lower-case ASCII form.
    #[must_use]
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The domain's lower-case ASCII form.
    #[must_use]
    pub fn domain(&self) -> &str {
        self.identity.get(self.domain_at..).unwrap_or_default()
    }

    /// The text by which the address is matched and sorted.
    #[must_use]
    pub fn folded(&self) -> String {
        text::folded(&self.address)
    }
}

impl FromText for Email {
    fn from_text(text: &str) -> Result<Self, Problem> {
        let address = text::bounded(text::trimmed(text), MAX_EMAIL)?;
        let invalid = || Problem::new("must be a valid email address");
        let (local, domain) = address.rsplit_once('@').ok_or_else(invalid)?;
        if !is_local_part(local) {
            return Err(invalid());
        }
        let domain =
            ascii_domain(domain).filter(|domain| domain.contains('.')).ok_or_else(invalid)?;
        let (identity, domain_at) = identity(local, &domain);
        Ok(Self { address: address.to_owned(), identity, domain_at })
    }
}

/// The identity of an address, and the position of the domain in it.
fn identity(local: &str, domain: &str) -> (String, usize) {
    let local = if local.is_ascii() {
        local.to_ascii_lowercase()
    } else {
        text::folded(&local.nfc().collect::<String>()).nfc().collect()
    };
    (format!("{local}@{domain}"), local.len() + 1)
}

fn is_local_part(local: &str) -> bool {
    let allowed = |c: char| {
        if c.is_ascii() {
            c.is_ascii_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(c)
        } else {
            !c.is_control()
                && !c.is_whitespace()
                && !matches!(c, '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fff0}'..='\u{ffff}')
        }
    };
    !local.is_empty() && local.chars().all(allowed)
}

/// The domain's lower-case ASCII form; `None` when it is not a domain or ends with a dot.
pub(crate) fn ascii_domain(domain: &str) -> Option<String> {
    let ascii = if domain.is_ascii() {
        let lower = domain.to_ascii_lowercase();
        // Only the mapping of Punycode may change it. HTML accepts a label that looks like Punycode but is not, so the
        // spelling is kept when the mapping fails.
        if lower.split('.').any(|label| label.starts_with("xn--")) {
            to_ascii(&lower).unwrap_or(lower)
        } else {
            lower
        }
    } else {
        to_ascii(domain)?
    };
    let labels_hold = ascii.split('.').all(is_label);
    (labels_hold && ascii.len() <= MAX_DOMAIN).then_some(ascii)
}

fn to_ascii(domain: &str) -> Option<String> {
    Uts46::new()
        .to_ascii(domain.as_bytes(), AsciiDenyList::STD3, Hyphens::Allow, DnsLength::Verify)
        .ok()
        .map(std::borrow::Cow::into_owned)
}

/// One label as HTML defines it: 1 to 63 letters, digits and hyphens, no hyphen at either end.
fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Email;
    use crate::input::FromText;

    fn identity(text: &str) -> Option<String> {
        Email::from_text(text).ok().map(|email| email.identity().to_owned())
    }

    #[test]
    fn accepts_what_html_accepts_and_international_addresses() {
        for (address, expected) in [
            ("a@b.co", "a@b.co"),
            (" Ann.O'Hara+tag@Mail.Example ", "ann.o'hara+tag@mail.example"),
            ("..a..@b-c.d", "..a..@b-c.d"),
            ("r3---x@r3---sn.example", "r3---x@r3---sn.example"),
            ("a@xn--zz.example", "a@xn--zz.example"),
            ("Ünï@EXÄMPLE.de", "ünï@xn--exmple-cua.de"),
            ("u\u{308}nï@xn--exmple-cua.de", "ünï@xn--exmple-cua.de"),
            ("a@例え。テスト", "a@xn--r8jz45g.xn--zckzah"),
        ] {
            assert_eq!(identity(address).as_deref(), Some(expected), "{address}");
        }
        assert_eq!(
            Email::from_text(" Ann@Mail.Example ").expect("valid").as_str(),
            "Ann@Mail.Example"
        );
    }

    #[test]
    fn stored_values_are_accepted_under_any_later_rule() {
        for stored in ["Ann.O'Hara@Mail.Example", "Ünï@EXÄMPLE.de", "u\u{308}@例え。テスト"]
        {
            let email = Email::from_text(stored).expect(stored);
            assert_eq!(Email::from_stored(stored.to_owned()), email);
        }
        for (stored, identity, domain) in
            [("a b@C_d.E", "a b@c_d.e", "c_d.e"), ("Ann", "ann@", ""), ("", "@", "")]
        {
            assert!(Email::from_text(stored).is_err());
            let email = Email::from_stored(stored.to_owned());
            assert_eq!((email.as_str(), email.identity()), (stored, identity));
            assert_eq!(email.domain(), domain);
        }
    }

    #[test]
    fn rejects_everything_else() {
        let long_label = format!("a@{}.de", "x".repeat(64));
        let long = format!("{}@b.co", "x".repeat(250));
        for address in [
            "",
            "a",
            "@b.co",
            "a@",
            "a@b",
            "a@b.co.",
            "a@.co",
            "a@b..co",
            "a b@c.de",
            "a@b c.de",
            "a@@b.co",
            "Ann <a@b.co>",
            "a(x)@b.co",
            "\"a\"@b.co",
            "a@[127.0.0.1]",
            "a@-b.co",
            "a@b-.co",
            "a@b_c.co",
            "a\0@b.co",
            "a@b.co\0",
            "a\u{200b}b@c.de",
            "a@b,c.de",
            &long_label,
            &long,
        ] {
            assert_eq!(identity(address), None, "{address}");
        }
    }

    proptest! {
        #[test]
        fn a_domain_of_plain_letters_is_its_own_ascii_form(domain in "[a-z0-9.-]{0,70}") {
            if !domain.split('.').any(|label| label.starts_with("xn--")) {
                let mapped = super::to_ascii(&domain).unwrap_or_else(|| domain.clone());
                prop_assert_eq!(mapped, domain);
            }
        }

        #[test]
        fn the_identity_of_an_identity_is_itself(local in "[\\p{L}0-9.+-]{1,20}", domain in "[a-zäöü]{1,10}\\.[a-z]{2,5}") {
            if let Some(once) = identity(&format!("{local}@{domain}")) {
                prop_assert_eq!(identity(&once), Some(once.clone()));
            }
        }
    }
}
