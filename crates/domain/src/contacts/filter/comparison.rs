//! Comparisons with one attribute, and the conditions that they state.

use super::attribute::Attribute;
use super::condition::{Condition, applies, compile};
use super::operator::Operator;
use crate::violations::{Problem, Violations};

/// A comparison of an attribute with texts.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The path of its violations.
    pub path: String,
    /// The operator.
    pub operator: Operator,
    /// The text, or the texts of `between`.
    pub texts: Result<Vec<String>, Problem>,
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
        let condition = applies(attribute, operator).and(texts);
        let condition = condition.and_then(|texts| compile(attribute, operator, &texts));
        conditions.extend(violations.collect(&path, condition));
    }
    conditions
}
