//! The input for a new company or a change, and its validation.

use super::{Allowlist, Company, CompanyName, Days, DomainPattern, MAX_ALLOWED_DOMAINS};
use crate::context::AccessPorts;
use crate::ids::{CompanyId, DirectoryId};
use crate::property::Property;
use crate::rules::{count, optional, required, unless_absent, valid};
use crate::violations::Violations;

/// The input for a new company.
#[derive(Clone, Debug, garde::Validate)]
pub struct CompanyDraft {
    /// The name.
    #[garde(custom(required))]
    pub name: Property<CompanyName>,
    /// Patterns of the domains to which it sends; none permits every domain.
    #[garde(
        custom(optional),
        custom(count(0, MAX_ALLOWED_DOMAINS, "entries")),
        inner(custom(required))
    )]
    pub allowed_domains: Property<Vec<Property<DomainPattern>>>,
    /// Whether the account has the sending product's access.
    #[garde(skip)]
    pub product_access: bool,
}

impl CompanyDraft {
    /// Validates a new company. All violations are returned at once.
    pub(super) fn validate(&self, ports: &AccessPorts) -> Result<Company, Violations> {
        valid(self, (), |()| {
            Some(Company {
                name: self.name.value()?,
                id: CompanyId::new(ports.environment.ids.next()),
                directory_id: DirectoryId::new(ports.environment.ids.next()),
                product_access: self.product_access,
                allowed_domains: Allowlist::new(self.allowed_domains.values().unwrap_or_default()),
                erase_deleted_after: None,
                requires_two_step: false,
                password_sign_in: true,
                created_at: ports.environment.clock.now(),
            })
        })
    }
}

/// The input for a change.
#[derive(Clone, Debug, Default, garde::Validate)]
pub struct CompanyChange {
    /// The name.
    #[garde(custom(unless_absent))]
    pub name: Property<CompanyName>,
    /// Whether the account has the sending product's access.
    #[garde(custom(unless_absent))]
    pub product_access: Property<bool>,
    /// All patterns of the domains to which it sends.
    #[garde(
        custom(optional),
        custom(count(0, MAX_ALLOWED_DOMAINS, "entries")),
        inner(custom(required))
    )]
    pub allowed_domains: Property<Vec<Property<DomainPattern>>>,
    /// After how many days deleted contacts are erased; null keeps them.
    #[garde(custom(optional))]
    pub erase_deleted_after_days: Property<Days>,
    /// Whether users have to set up two-step verification.
    #[garde(custom(unless_absent))]
    pub requires_two_step: Property<bool>,
}

impl CompanyChange {
    /// The company after the change. Absent members are left unchanged. All violations are returned at once.
    pub fn apply(&self, before: &Company) -> Result<Company, Violations> {
        valid(self, (), |()| {
            let domains = self.allowed_domains.values().map(Allowlist::new);
            let erase_deleted_after = match &self.erase_deleted_after_days {
                Property::Absent => before.erase_deleted_after,
                property => property.value(),
            };
            Some(Company {
                name: self.name.or(&before.name),
                product_access: self.product_access.or(&before.product_access),
                allowed_domains: domains.unwrap_or_else(|| before.allowed_domains.clone()),
                erase_deleted_after,
                requires_two_step: self.requires_two_step.or(&before.requires_two_step),
                password_sign_in: before.password_sign_in,
                ..before.clone()
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::CompanyChange;
    use crate::access::{Allowlist, Company, CompanyName, DomainPattern, MAX_ALLOWED_DOMAINS};
    use crate::ids::{CompanyId, DirectoryId};
    use crate::input::{FromText, Input};
    use crate::property::Property;
    use crate::time::Timestamp;

    fn company() -> Company {
        Company {
            erase_deleted_after: None,
            requires_two_step: false,
            password_sign_in: true,
            id: CompanyId::new(Uuid::nil()),
            directory_id: DirectoryId::new(Uuid::nil()),
            name: CompanyName::from_text("Acme").expect("a name"),
            product_access: true,
            allowed_domains: Allowlist::default(),
            created_at: Timestamp::MIN,
        }
    }

    fn domains(texts: &[&str]) -> Property<Vec<Property<DomainPattern>>> {
        texts.iter().map(|text| Property::from(*text)).collect()
    }

    #[test]
    fn a_change_keeps_absent_members() {
        assert_eq!(CompanyChange::default().apply(&company()), Ok(company()));
        let change = CompanyChange {
            product_access: Input::Bool(false).into(),
            allowed_domains: domains(&["*.B.example", "a.example", "A.example"]),
            ..CompanyChange::default()
        };
        let after = change.apply(&company()).expect("valid");
        let patterns = after.allowed_domains.patterns().iter();
        let patterns: Vec<&str> = patterns.map(DomainPattern::as_str).collect();
        assert_eq!((after.name, after.product_access), (company().name, false));
        assert_eq!(patterns, ["*.b.example", "a.example"]);
        let emptied = CompanyChange { allowed_domains: domains(&[]), ..CompanyChange::default() };
        assert_eq!(emptied.apply(&company()), Ok(company()));
    }

    #[test]
    fn names_all_invalid_members() {
        let paths = |change: CompanyChange| {
            let violations = change.apply(&company()).expect_err("violations");
            violations.iter().map(|(path, _)| path.to_owned()).collect::<Vec<_>>()
        };
        let change = CompanyChange {
            name: Property::Null,
            product_access: "yes".into(),
            allowed_domains: domains(&["a.example", "x y"]),
            erase_deleted_after_days: Input::Number("0".into()).into(),
            requires_two_step: Property::Null,
        };
        assert_eq!(
            paths(change),
            [
                "erase_deleted_after_days",
                "name",
                "product_access",
                "requires_two_step",
                "allowed_domains.1"
            ]
        );
        let many = domains(&["a.example"; MAX_ALLOWED_DOMAINS + 1]);
        for allowed_domains in [Property::not_an_array(), many] {
            let change = CompanyChange {
                product_access: Property::Null,
                allowed_domains,
                ..CompanyChange::default()
            };
            assert_eq!(paths(change), ["allowed_domains", "product_access"]);
        }
    }
}
