//! The rules of drafts as functions for garde, and the one step from a draft to a valid value.

use crate::input::{Input, UNPAIRED_SURROGATE};
use crate::property::Property;
use crate::text;
use crate::violations::{Problem, Violations};

/// The purpose of a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A creation.
    New,
    /// A change: absent properties are left unchanged.
    Change,
}

/// Validates a draft: returns either the value that is taken from it, or all violations. Violations of whole properties
/// come first, and a property that is rejected as a whole has none within.
pub(crate) fn valid<D: garde::Validate, V>(
    draft: &D,
    context: D::Context,
    take: impl FnOnce(D::Context) -> Option<V>,
) -> Result<V, Violations> {
    valid_beside(draft, context, Violations::default(), take)
}

/// As [`valid`], with violations that were found without garde, such as in values of the company's fields.
pub(crate) fn valid_beside<D: garde::Validate, V>(
    draft: &D,
    context: D::Context,
    found_beside: Violations,
    take: impl FnOnce(D::Context) -> Option<V>,
) -> Result<V, Violations> {
    let mut violations = Violations::default();
    if let Err(report) = draft.validate_with(&context) {
        let mut found = report.into_inner();
        found.sort_by_key(|(path, _)| path.len());
        for (path, error) in found {
            let path = path.to_string();
            // A property that is named like a keyword is a raw identifier only in Rust.
            let path = path.trim_start_matches("r#");
            let is_within = |(property, _): (&str, &str)| violations.names(property);
            if !path.split_once('.').is_some_and(is_within) {
                violations.add(path, Problem::new(error.message()));
            }
        }
    }
    violations.append(found_beside);
    if violations.is_empty() { take(context).ok_or(violations) } else { Err(violations) }
}

/// The error of a rule.
pub(crate) fn broken(sentence: impl AsRef<str>) -> garde::Result {
    Err(garde::Error::new(sentence.as_ref()))
}

fn checked<T>(read: Result<&T, &Problem>) -> garde::Result {
    read.map_or_else(|problem| broken(problem.as_str()), |_value| Ok(()))
}

/// The property is required.
pub(crate) fn required<T, C>(property: &Property<T>, _context: &C) -> garde::Result {
    checked(property.required().as_ref().map(|value| *value))
}

/// The property may be absent or null.
pub(crate) fn optional<T, C>(property: &Property<T>, _context: &C) -> garde::Result {
    match property {
        Property::Absent | Property::Null => Ok(()),
        Property::Blank(read) | Property::Given(read) => checked(read.as_ref()),
    }
}

/// The property may be absent, null or a blank text.
pub(crate) fn unless_blank<T, C>(property: &Property<T>, context: &C) -> garde::Result {
    match property {
        Property::Blank(_) => Ok(()),
        property => optional(property, context),
    }
}

/// The property may be absent, and is then left unchanged.
pub(crate) fn unless_absent<T, C>(property: &Property<T>, context: &C) -> garde::Result {
    if property.is_absent() { Ok(()) } else { required(property, context) }
}

/// The property is required under a condition; otherwise it may be blank.
pub(crate) fn required_if<T, C>(condition: bool) -> impl Fn(&Property<T>, &C) -> garde::Result {
    if condition { required } else { unless_blank }
}

/// A creation requires the property, and a change cannot clear it.
pub(crate) fn needed<T, C>(purpose: Purpose) -> impl Fn(&Property<T>, &C) -> garde::Result {
    match purpose {
        Purpose::New => required,
        Purpose::Change => unless_absent,
    }
}

/// A creation may have the property, and a change cannot clear it.
pub(crate) fn offered<T, C>(purpose: Purpose) -> impl Fn(&Property<T>, &C) -> garde::Result {
    match purpose {
        Purpose::New => optional,
        Purpose::Change => unless_absent,
    }
}

/// An entry of a list of ids or emails is a text, which may name nothing.
pub(crate) fn is_text<C>(entry: &Input, _context: &C) -> garde::Result {
    match entry {
        Input::Text(text) => checked(text::without_nul(text).as_ref()),
        Input::BrokenText => broken(UNPAIRED_SURROGATE),
        _ => broken("must be a string"),
    }
}

/// A list or an object has this number of entries.
pub(crate) fn count<T, C>(
    min: usize,
    max: usize,
    noun: &str,
) -> impl Fn(&Property<Vec<T>>, &C) -> garde::Result {
    move |property, _context| match property {
        Property::Given(Ok(entries)) if !(min..=max).contains(&entries.len()) => {
            broken(match min {
                0 => format!("must have at most {max} {noun}"),
                _ => format!("must have {min} to {max} {noun}"),
            })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{count, optional, required, unless_absent, unless_blank, valid};
    use crate::email::Email;
    use crate::property::Property;

    #[derive(Default, garde::Validate)]
    struct Draft {
        #[garde(custom(optional), custom(count(1, 2, "entries")), inner(custom(required)))]
        list: Property<Vec<Property<Email>>>,
        #[garde(custom(unless_absent))]
        r#type: Property<Email>,
    }

    fn refused(draft: &Draft) -> Vec<String> {
        let violations = valid(draft, (), |()| Some(())).expect_err("refused");
        violations.iter().map(|(path, found)| format!("{path} {}", found.join("; "))).collect()
    }

    fn list(texts: &[&str]) -> Property<Vec<Property<Email>>> {
        texts.iter().map(|text| Property::from(*text)).collect()
    }

    #[test]
    fn invalid_properties_come_first_and_hide_errors_inside_them() {
        let wrong = Draft { list: list(&["a@b.co", "x"]), r#type: Property::Null };
        let email = "list.1 must be a valid email address";
        assert_eq!(refused(&wrong), ["type is required", email]);
        let many = Draft { list: list(&["x", "y", "z"]), ..Draft::default() };
        assert_eq!(refused(&many), ["list must have 1 to 2 entries"]);
        let none = Draft { list: Property::not_an_array(), ..Draft::default() };
        assert_eq!(refused(&none), ["list must be an array"]);
    }

    #[test]
    fn a_rule_decides_how_absent_null_and_blank_are_handled() {
        let rules = [required, optional, unless_blank, unless_absent];
        let holds = |given: &Property<Email>| rules.map(|rule| rule(given, &()).is_ok());
        assert_eq!(holds(&Property::Absent), [false, true, true, true]);
        assert_eq!(holds(&Property::Null), [false, true, true, false]);
        assert_eq!(holds(&" ".into()), [false, false, true, false]);
        assert_eq!(holds(&"x".into()), [false; 4]);
        assert_eq!(holds(&"a@b.co".into()), [true; 4]);
    }
}
