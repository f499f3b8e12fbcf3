//! How many webhooks, keys, fields, users and integrations one company or user may have.

use crate::fields::MAX_FIELDS;
use crate::violations::{Problem, Violations};

/// The maximum of each kind. Lowering a limit removes nothing that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Webhooks of a company.
    pub webhooks: usize,
    /// Keys of a user that are neither revoked nor expired.
    pub api_keys: usize,
    /// Fields of a company; more than [`MAX_FIELDS`] count as [`MAX_FIELDS`].
    pub fields: usize,
    /// Fields of a company by which contacts can be filtered and sorted.
    pub filterable_fields: usize,
    /// Users of a company.
    pub users: usize,
    /// Integrations of a company.
    pub integrations: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            webhooks: 1000,
            api_keys: 100,
            fields: MAX_FIELDS,
            filterable_fields: 10,
            users: 1000,
            integrations: 1000,
        }
    }
}

/// The violation, at `path`, of a request that would exceed the limit of an `owner`, such as `a company`, on a `noun`
/// in the singular.
pub(crate) fn exceeded(path: &str, owner: &str, max: usize, noun: &str) -> Violations {
    let plural = if max == 1 { "" } else { "s" };
    let sentence = format!("cannot be added: {owner} has at most {max} {noun}{plural}");
    Violations::one(path, Problem::new(sentence))
}

#[cfg(test)]
mod tests {
    use super::exceeded;

    #[test]
    fn the_message_has_the_limit() {
        for (max, expected) in [
            (1, "cannot be added: a company has at most 1 webhook"),
            (100, "cannot be added: a company has at most 100 webhooks"),
        ] {
            let violations = exceeded("name", "a company", max, "webhook");
            let named: Vec<_> = violations.iter().collect();
            assert_eq!(named, [("name", [expected.to_owned()].as_slice())]);
        }
    }
}
