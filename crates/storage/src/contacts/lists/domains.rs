//! Where PostgreSQL finds the contacts with a text of three characters or more.
//!
//! Its index of substrings has the trigrams of the names and of an email up to its `@`, since most contacts share their domain
//! with others. A text within a domain is looked for among the company's domains, which are [counted](crate::counts), and the
//! contacts with them are found by an index of domains. Those with a common domain need not be counted.

use std::cell::OnceCell;

use contact_hub_domain::ids::CompanyId;

use super::addresses::Addresses;
use crate::connection::Connection;
use crate::counts::domains_containing;
use crate::dialect::{contains, contains_not, uses_index};
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

/// What the index has the trigrams of.
const INDEXED: &str = "(split_part(email_folded, '@', 1) || '@' || E'\\n' || first_name_folded || E'\\n' || last_name_folded)";

/// The domain with its `@`, as its index has it.
const DOMAIN: &str = "substr(email_folded, strpos(email_folded, '@'))";

/// Up to this many domains are looked up in their index. If more contain a text, the contacts are looked at.
const MAX_DOMAINS: usize = 10_000;

/// Up to this many are looked up regardless of the plan. With statistics from when the table was empty, all indexes of
/// a company have the same cost for PostgreSQL, and each look-up may read the whole company.
const FEW_DOMAINS: usize = 10;

/// Where the contacts with a text are found.
pub(super) struct Places {
    /// The index has the trigrams of this text for each of them, unless they have one of the domains.
    within: String,
    domains: Option<Domains>,
    /// Those that have it in their email, if only one character of it is not in their domain.
    addresses: OnceCell<Addresses>,
}

/// The domains in which a text, or the end of it, is.
pub(super) struct Domains {
    part: String,
    /// `None` if they are too many, or would not be looked up by their index.
    names: Option<Vec<String>>,
    /// How many contacts have one of them.
    pub(super) contacts: u64,
    /// Whether the whole text is in them.
    are_of_all: bool,
}

impl Places {
    /// A text of which the index has a trigram for each contact.
    pub(super) fn in_trigrams(text: &str) -> Self {
        Self { within: text.to_owned(), domains: None, addresses: OnceCell::new() }
    }

    /// A text in an email or a name.
    pub(super) fn of(
        connection: &mut Connection,
        company: CompanyId,
        text: &str,
    ) -> Result<Self, Failure> {
        let part = match text.split_once('@') {
            Some((local, _)) if has_trigram(local) => {
                return Ok(Self::in_trigrams(&format!("{local}@")));
            }
            Some((local, domain)) if !local.is_empty() => format!("@{domain}"),
            _ => text.to_owned(),
        };
        let found = domains_containing(connection, company, &part, MAX_DOMAINS)?;
        let (mut names, contacts) = (found.names, found.contacts);
        let has_none = names.as_ref().is_some_and(Vec::is_empty);
        let are_many = names.as_ref().is_some_and(|names| names.len() > FEW_DOMAINS);
        if are_many && !is_looked_up_by_index(connection, company)? {
            names = None;
        }
        let domains = Domains { are_of_all: part == text, part, names, contacts };
        let domains = (!has_none).then_some(domains);
        Ok(Self { within: text.to_owned(), domains, addresses: OnceCell::new() })
    }

    /// Looks at the emails of the company once, if more contacts than this have a domain with the end of the text.
    pub(super) fn find_addresses(
        &self,
        connection: &mut Connection,
        scope: &Statement,
        few: u64,
    ) -> Result<(), Failure> {
        let is_of_many = |it: &Domains| !it.are_of_all && it.contacts > few;
        if self.addresses().is_none() && self.domains.as_ref().is_some_and(is_of_many) {
            let found = Addresses::containing(connection, scope, &self.within, few)?;
            self.addresses.get_or_init(|| found);
        }
        Ok(())
    }

    /// Those that have the text in their email, if they were looked for.
    pub(super) fn addresses(&self) -> Option<&Addresses> {
        self.addresses.get()
    }

    /// The domains, unless no domain has any of the text.
    pub(super) const fn domains(&self) -> Option<&Domains> {
        self.domains.as_ref()
    }

    /// The condition by which the index finds the contacts with none of the domains, and perhaps others.
    pub(super) fn elsewhere(&self) -> Statement {
        let within = contains(INDEXED, &self.within);
        match &self.domains {
            None => within,
            Some(domains) => sql!("{} AND {}", within, contains_not(DOMAIN, &domains.part)),
        }
    }

    /// The condition by which it finds those whose email does not have the text, and perhaps others.
    pub(super) fn in_other_emails(&self) -> Statement {
        let other = contains_not("email_folded", &self.within);
        sql!("{} AND {}", contains(INDEXED, &self.within), other)
    }
}

/// Whether PostgreSQL would look a domain up in their index.
fn is_looked_up_by_index(connection: &mut Connection, company: CompanyId) -> Result<bool, Failure> {
    let look_up = sql!(
        "SELECT id FROM contacts WHERE {} = '@' AND company_id = ? AND deleted_at IS NULL",
        DOMAIN
    );
    uses_index(connection, "contacts_by_domain", look_up.bind(company))
}

/// Whether the index finds a text that ends before an `@`. A trigram is one of a word, which may begin before the text,
/// and the end of a word is part of its last one.
fn has_trigram(local: &str) -> bool {
    local.chars().skip(1).any(char::is_alphanumeric)
}

impl Domains {
    /// Whether more contacts than these have the text in their domain, or more than can be found by their domains.
    pub(super) fn have_more_than(&self, few: u64) -> bool {
        self.are_of_all && (self.contacts > few || self.names.is_none())
    }

    /// Selects these columns of the contacts with one of the domains that meet a condition; `None` if the domains are too
    /// many. They are looked up one by one, since without statistics PostgreSQL would rather read all contacts.
    pub(super) fn select(&self, columns: &Statement, condition: Statement) -> Option<Statement> {
        let names: Vec<_> = self.names.as_ref()?.iter().cloned().map(Some).collect();
        Some(sql!(
            "SELECT found.* FROM {names} CROSS JOIN LATERAL \
             (SELECT {columns} FROM contacts WHERE {domain} = domains.name AND {condition} OFFSET 0) AS found",
            names = statement("unnest(?) AS domains (name)").bind(names),
            columns = columns,
            domain = DOMAIN,
            condition = condition,
        ))
    }
}
