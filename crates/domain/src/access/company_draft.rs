//! The input for a new company or a change, and its validation.

use super::{Allowlist, Company, CompanyName, DomainPattern, MAX_ALLOWED_DOMAINS};
use crate::context::AccessPorts;
use crate::ids::{CompanyId, DirectoryId};
use crate::input::{Input, InputList};
use crate::violations::{Problem, Violations};

const NAME: &str = "name";
const PRODUCT_ACCESS: &str = "product_access";
const ALLOWED_DOMAINS: &str = "allowed_domains";

/// The input for a new company.
#[derive(Clone, Debug)]
pub struct CompanyDraft {
    /// The name.
    pub name: Input,
    /// Patterns of the domains to which it sends; none permits every domain.
    pub allowed_domains: Vec<Input>,
    /// Whether the account has the sending product's access.
    pub product_access: bool,
}

impl CompanyDraft {
    /// Validates a new company. All violations are returned at once.
    pub(super) fn validate(&self, ports: &AccessPorts) -> Result<Company, Violations> {
        let mut violations = Violations::default();
        let name = violations.collect(NAME, self.name.required::<CompanyName>());
        let domains = InputList::Items(self.allowed_domains.clone());
        let patterns = patterns(&domains, &mut violations).unwrap_or_default();
        match name {
            Some(name) if violations.is_empty() => Ok(Company {
                id: CompanyId::new(ports.environment.ids.next()),
                directory_id: DirectoryId::new(ports.environment.ids.next()),
                name,
                product_access: self.product_access,
                allowed_domains: Allowlist::new(patterns),
                created_at: ports.environment.clock.now(),
            }),
            _ => Err(violations),
        }
    }
}

/// The input for a change.
#[derive(Clone, Debug, Default)]
pub struct CompanyChange {
    /// The name.
    pub name: Input,
    /// Whether the account has the sending product's access.
    pub product_access: Input,
    /// All patterns of the domains to which it sends.
    pub allowed_domains: InputList<Input>,
}

impl CompanyChange {
    /// The company after the change. Absent members stay. All violations are returned at once.
    pub fn apply(&self, before: &Company) -> Result<Company, Violations> {
        let mut violations = Violations::default();
        let mut changed = before.clone();
        if self.name != Input::Absent {
            let name = violations.collect(NAME, self.name.required());
            changed.name = name.unwrap_or(changed.name);
        }
        if self.product_access != Input::Absent {
            let input = self.product_access.boolean();
            let input = input.and_then(|input| input.ok_or_else(|| Problem::new("is required")));
            changed.product_access =
                violations.collect(PRODUCT_ACCESS, input).unwrap_or(changed.product_access);
        }
        if let Some(patterns) = patterns(&self.allowed_domains, &mut violations) {
            changed.allowed_domains = Allowlist::new(patterns);
        }
        violations.into_result().map(|()| changed)
    }
}

fn patterns(input: &InputList<Input>, violations: &mut Violations) -> Option<Vec<DomainPattern>> {
    input.each(ALLOWED_DOMAINS, MAX_ALLOWED_DOMAINS, violations)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::CompanyChange;
    use crate::access::{Allowlist, Company, CompanyName, MAX_ALLOWED_DOMAINS};
    use crate::ids::{CompanyId, DirectoryId};
    use crate::input::{FromText, Input, InputList};
    use crate::time::Timestamp;

    fn company() -> Company {
        Company {
            id: CompanyId::new(Uuid::nil()),
            directory_id: DirectoryId::new(Uuid::nil()),
            name: CompanyName::from_text("Acme").expect("a name"),
            product_access: true,
            allowed_domains: Allowlist::default(),
            created_at: Timestamp::MIN,
        }
    }

    fn domains(texts: &[&str]) -> InputList<Input> {
        InputList::Items(texts.iter().map(|text| Input::from(*text)).collect())
    }

    #[test]
    fn a_change_keeps_what_is_absent() {
        assert_eq!(CompanyChange::default().apply(&company()), Ok(company()));
        let change = CompanyChange {
            product_access: Input::Bool(false),
            allowed_domains: domains(&["*.B.example", "a.example", "A.example"]),
            ..CompanyChange::default()
        };
        let after = change.apply(&company()).expect("valid");
        let patterns = after.allowed_domains.patterns().iter();
        let patterns: Vec<&str> = patterns.map(super::DomainPattern::as_str).collect();
        assert_eq!((after.name, after.product_access), (company().name, false));
        assert_eq!(patterns, ["*.b.example", "a.example"]);
        let emptied = CompanyChange { allowed_domains: domains(&[]), ..CompanyChange::default() };
        assert_eq!(emptied.apply(&company()), Ok(company()));
    }

    #[test]
    fn names_everything_that_is_wrong() {
        let paths = |change: CompanyChange| {
            let violations = change.apply(&company()).expect_err("violations");
            violations.iter().map(|(path, _)| path.to_owned()).collect::<Vec<_>>()
        };
        let change = CompanyChange {
            name: Input::Null,
            product_access: Input::from("yes"),
            allowed_domains: domains(&["a.example", "x y"]),
        };
        assert_eq!(paths(change), ["name", "product_access", "allowed_domains.1"]);
        let many = domains(&["a.example"; MAX_ALLOWED_DOMAINS + 1]);
        for allowed_domains in [InputList::NotAnArray, many] {
            let change = CompanyChange {
                product_access: Input::Null,
                allowed_domains,
                ..CompanyChange::default()
            };
            assert_eq!(paths(change), ["product_access", "allowed_domains"]);
        }
    }
}
