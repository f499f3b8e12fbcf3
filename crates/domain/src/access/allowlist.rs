//! The domains to which a company sends.

use crate::email::ascii_domain;
use crate::input::FromText;
use crate::text;
use crate::violations::Problem;

/// The maximum number of patterns that a company's allowlist holds.
pub const MAX_ALLOWED_DOMAINS: usize = 1000;

/// An exact domain, or with a leading `*.` all of its subdomains. It is in lower-case ASCII form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DomainPattern(String);

impl DomainPattern {
    /// Restores a pattern from a store, without validation.
    #[must_use]
    pub const fn from_stored(pattern: String) -> Self {
        Self(pattern)
    }

    /// The pattern in lower-case ASCII.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn permits(&self, domain: &str) -> bool {
        match self.0.strip_prefix("*.") {
            Some(parent) => domain
                .strip_suffix(parent)
                .is_some_and(|rest| rest.len() > 1 && rest.ends_with('.')),
            None => self.0 == domain,
        }
    }
}

impl FromText for DomainPattern {
    fn from_text(text: &str) -> Result<Self, Problem> {
        let pattern = text::trimmed(text);
        let (prefix, domain) = match pattern.strip_prefix("*.") {
            Some(domain) => ("*.", domain),
            None => ("", pattern),
        };
        let domain = ascii_domain(domain)
            .ok_or_else(|| Problem::new("must be a domain such as example.com or *.example.com"))?;
        Ok(Self(format!("{prefix}{domain}")))
    }
}

/// The recipient domains of a company; an empty list permits every domain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowlist(Vec<DomainPattern>);

impl Allowlist {
    /// Takes patterns and removes duplicates.
    #[must_use]
    pub fn new(mut patterns: Vec<DomainPattern>) -> Self {
        patterns.sort();
        patterns.dedup();
        Self(patterns)
    }

    /// Whether a domain, in lower-case ASCII form as [`Email::domain`](crate::email::Email::domain) returns it, is
    /// permitted.
    #[must_use]
    pub fn permits(&self, domain: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|pattern| pattern.permits(domain))
    }

    /// The patterns.
    #[must_use]
    pub fn patterns(&self) -> &[DomainPattern] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{Allowlist, DomainPattern};
    use crate::input::FromText;

    #[test]
    fn permits_exact_domains_and_wildcard_subdomains() {
        let pattern = |text| DomainPattern::from_text(text).expect(text);
        let list = Allowlist::new(vec![
            pattern("Example.com"),
            pattern("*.sub.example"),
            pattern("exämple.de"),
        ]);
        for domain in ["example.com", "a.sub.example", "a.b.sub.example", "xn--exmple-cua.de"] {
            assert!(list.permits(domain), "{domain}");
        }
        for domain in
            ["sub.example", "xsub.example", ".sub.example", "a.example.com", "example.org"]
        {
            assert!(!list.permits(domain), "{domain}");
        }
        assert!(Allowlist::default().permits("anything.example"));
        for bad in ["", "*", "*.", "a b", "*.*.de", "example.com."] {
            assert!(DomainPattern::from_text(bad).is_err(), "{bad}");
        }
    }
}
