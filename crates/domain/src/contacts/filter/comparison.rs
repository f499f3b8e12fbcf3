//! Comparisons with one attribute, and the conditions that they state.

use super::attribute::Attribute;
use super::condition::{Condition, applies, compile};
use super::operator::Operator;
use super::value_test::{compares, value_test};
use crate::contacts::FieldFilter;
use crate::fields::Field;
use crate::violations::{Problem, Violations};

/// A comparison of an attribute with texts.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The path of its violations. It ends with `.value` for a pair of an operator and a value, and violations of the
    /// operator have another one then.
    pub path: String,
    /// The operator.
    pub operator: Operator,
    /// The text, or the texts of `between`.
    pub texts: Result<Vec<String>, Problem>,
}

/// The conditions of the comparisons of a filterable field, each of which has another operator.
pub(in crate::contacts) fn field_conditions(
    field: &Field,
    filter: FieldFilter,
    violations: &mut Violations,
) -> Vec<Condition> {
    let (mut seen, mut conditions) = (Vec::new(), Vec::new());
    for Comparison { path, operator, texts } in filter.comparisons {
        if seen.contains(&operator) {
            violations.add_once(&path, Problem::new("must not state the same condition twice"));
            continue;
        }
        seen.push(operator);
        if !compares(field.kind, operator) {
            // The pair of an operator and a value has other paths.
            let is_pair = path == format!("{}.value", filter.path);
            let path =
                if is_pair { format!("{}.{}", filter.path, operator.as_str()) } else { path };
            let sentence = format!("must be an operator for a field of the type {}", field.kind);
            violations.add_once(&path, Problem::new(sentence));
            continue;
        }
        let test = texts.and_then(|texts| value_test(field.kind, operator, &texts));
        let condition = test.map(|test| Condition::Value { field: field.id, test });
        conditions.extend(violations.collect(&path, condition));
    }
    conditions
}

/// The conditions of an attribute's comparisons, each of which has another operator.
pub fn conditions(
    attribute: Attribute,
    comparisons: Vec<Comparison>,
    violations: &mut Violations,
) -> Vec<Condition> {
    let mut seen = Vec::new();
    let mut conditions = Vec::new();
    for Comparison { path, operator, texts } in comparisons {
        if seen.contains(&operator) {
            violations.add_once(&path, Problem::new("must not state the same condition twice"));
            continue;
        }
        seen.push(operator);
        if let Err(problem) = applies(attribute, operator) {
            let pair = path.strip_suffix(".value").map(|path| format!("{path}.operator"));
            violations.add_once(&pair.unwrap_or(path), problem);
            continue;
        }
        let condition = texts.and_then(|texts| compile(attribute, operator, &texts));
        conditions.extend(violations.collect(&path, condition));
    }
    conditions
}
