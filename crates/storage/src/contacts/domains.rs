//! Where PostgreSQL finds the contacts with a text of three characters or more.
//!
//! Its index of substrings has the trigrams of the names and of an email up to its `@`, and the domain as one key, since
//! most contacts share it with others. A text within a domain is looked for among the company's domains, which are
//! [counted](crate::counts). So the contacts with a common domain need not be counted.

use contact_hub_domain::ids::CompanyId;

use crate::connection::Connection;
use crate::counts::{Domains, domains_containing};
use crate::dialect::{contains, contains_not};
use crate::failure::Failure;
use crate::statement::{Statement, sql};

/// What the index has the trigrams of.
const INDEXED: &str = "(split_part(email_folded, '@', 1) || '@' || E'\\n' || first_name_folded || E'\\n' || last_name_folded)";

/// The domain with its `@`, as the index has it.
const DOMAIN: &str = "substr(email_folded, strpos(email_folded, '@'))";

/// Up to this many domains are looked up in the index. If more contain a text, the contacts are looked at.
const MOST_DOMAINS: usize = 10_000;

/// Where the contacts with a text are found.
pub(super) struct Places {
    /// The index has the trigrams of this text for each of them, unless they have one of the domains.
    within: String,
    /// `None` if they are too many.
    domains: Option<Vec<String>>,
    /// The text, if all contacts with one of the domains have it, and their number.
    shared: Option<(String, u64)>,
}

/// The contacts with a text, in two parts.
pub(super) struct Parted {
    /// How many have it in their domain.
    pub(super) in_domains: u64,
    /// Whether these cannot be found by their domains, since they are too many.
    pub(super) are_too_many: bool,
    /// The condition by which the index finds those that have it elsewhere alone.
    pub(super) elsewhere: Statement,
}

impl Places {
    /// A text in a name, or one whose beginning is before a domain.
    pub(super) fn in_trigrams(text: &str) -> Self {
        Self { within: text.to_owned(), domains: Some(Vec::new()), shared: None }
    }

    /// A text in an email or a name.
    pub(super) fn of(
        connection: &mut Connection,
        company: CompanyId,
        text: &str,
    ) -> Result<Self, Failure> {
        let mut look_up = |part: &str| domains_containing(connection, company, part, MOST_DOMAINS);
        match text.split_once('@') {
            // What precedes the domain has a trigram.
            Some((local, _)) if local.chars().count() > 1 => {
                Ok(Self::in_trigrams(&format!("{local}@")))
            }
            Some((local, domain)) if !local.is_empty() => {
                let Domains { names, .. } = look_up(&format!("@{domain}"))?;
                Ok(Self { within: text.to_owned(), domains: names, shared: None })
            }
            _ => {
                let Domains { names, contacts } = look_up(text)?;
                let shared = Some((text.to_owned(), contacts));
                Ok(Self { within: text.to_owned(), domains: names, shared })
            }
        }
    }

    /// The condition by which the index finds them, and perhaps others; `None` if it does not.
    pub(super) fn condition(&self) -> Option<Statement> {
        let within = contains(INDEXED, &self.within);
        match self.domains.as_deref()? {
            [] => Some(within),
            domains => {
                let domains: Vec<_> = domains.iter().cloned().map(Some).collect();
                Some(sql!("({} OR {} = ANY(?))", within, DOMAIN).bind(domains))
            }
        }
    }

    /// `None` if the domains alone do not show which of their contacts have the text.
    pub(super) fn parted(&self) -> Option<Parted> {
        let (text, in_domains) = self.shared.as_ref()?;
        let elsewhere =
            sql!("{} AND {}", contains(INDEXED, &self.within), contains_not(DOMAIN, text));
        Some(Parted { in_domains: *in_domains, are_too_many: self.domains.is_none(), elsewhere })
    }
}
