//! Gathers the parameters of each attribute.

use contact_hub_domain::contacts::{Attribute, MAX_CONDITIONS, Operator};
use contact_hub_domain::violations::{Problem, Violations};

use crate::extract::query::{Listed, Parameter, Query};

const NAME: &str = "filter";

/// Precedes the key of a field.
pub(crate) const FIELD: &str = "field:";

/// The attribute or field of a filter.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    Attribute(Attribute),
    /// The field with this key.
    Field(String),
}

/// The parameters of one attribute or field.
#[derive(Clone, Debug)]
pub(super) struct Gathered {
    pub(super) subject: Subject,
    pub(super) path: String,
    /// `filter[f]=…`
    pub(super) bare: Vec<Value>,
    /// `filter[f][operator]=…`
    pub(super) operators: Vec<Result<String, Problem>>,
    /// `filter[f][value]=…` and `filter[f][value][]=…`
    values: Vec<Text>,
    /// `filter[f][<operator>]=…`
    pub(super) short: Vec<(Operator, Value)>,
}

/// A decoded text with the content of its last brackets; `None` when it is not an item of a list.
type Text = (Option<String>, Result<String, Problem>);

/// The value of a comparison, and the path of the parameter that gave it.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) path: String,
    texts: Vec<Text>,
}

impl Value {
    /// One text, or the items of one list in their order.
    pub(super) fn texts(&self) -> Result<Vec<String>, Problem> {
        let is_list = self.texts.iter().all(|(index, _)| index.is_some());
        if !is_list && self.texts.len() > 1 {
            return Err(Problem::new("must not be given twice"));
        }
        let mut listed = Listed::default();
        for (index, text) in &self.texts {
            listed.push(index.as_deref().unwrap_or_default(), text.clone());
        }
        listed.into_items().into_iter().collect()
    }
}

impl Gathered {
    const fn new(subject: Subject, path: String) -> Self {
        Self {
            subject,
            path,
            bare: Vec::new(),
            operators: Vec::new(),
            values: Vec::new(),
            short: Vec::new(),
        }
    }

    /// How many conditions that is.
    pub(super) fn conditions(&self) -> usize {
        let has_pair = !self.operators.is_empty() || !self.values.is_empty();
        self.bare.len() + self.short.len() + usize::from(has_pair)
    }

    /// The value of the pair.
    pub(super) fn pair_value(&self, path: &str) -> Option<Value> {
        let value = Value { path: path.to_owned(), texts: self.values.clone() };
        (!self.values.is_empty()).then_some(value)
    }

    fn add(&mut self, parameter: &Parameter<'_>, segments: &[&str]) -> Result<(), Problem> {
        let text = parameter.value();
        match segments {
            [] => self.bare.push(Value { path: parameter.path(), texts: vec![(None, text)] }),
            ["operator"] => self.operators.push(text),
            ["value"] => self.values.push((None, text)),
            ["value", index] if Listed::<()>::is_index(index) => {
                self.values.push((Some((*index).to_owned()), text));
            }
            [name] => self.add_short(operator(name)?, name, None, text),
            [name, index] if Listed::<()>::is_index(index) => {
                self.add_short(operator(name)?, name, Some((*index).to_owned()), text);
            }
            _ => return Err(Problem::new("must be written as filter[field][operator]")),
        }
        Ok(())
    }

    /// Items of one list, with one spelling of the operator, are one value. Everything else is a separate value.
    fn add_short(
        &mut self,
        operator: Operator,
        name: &str,
        index: Option<String>,
        text: Result<String, Problem>,
    ) {
        let path = format!("{}.{name}", self.path);
        let is_item = index.is_some();
        let same = self.short.iter_mut().map(|(_, value)| value).find(|value| {
            let is_list = value.texts.iter().all(|(index, _)| index.is_some());
            is_item && is_list && value.path == path
        });
        match same {
            Some(value) => value.texts.push((index, text)),
            None => self.short.push((operator, Value { path, texts: vec![(index, text)] })),
        }
    }
}

fn operator(name: &str) -> Result<Operator, Problem> {
    Operator::parse(name).ok_or_else(|| Problem::new("must be a known operator"))
}

/// A query has more conditions than are read.
pub(super) fn too_many() -> Problem {
    Problem::new(format!("must have at most {MAX_CONDITIONS} conditions"))
}

/// Every attribute that the query filters by, in the order of the attributes, and then the fields.
pub(super) fn gather(query: Query<'_>, violations: &mut Violations) -> Vec<Gathered> {
    let mut gathered: Vec<Gathered> = Attribute::ALL
        .map(|(name, attribute)| {
            Gathered::new(Subject::Attribute(attribute), format!("{NAME}.{name}"))
        })
        .into();
    for parameter in query.named(NAME) {
        let segments = parameter.segments().unwrap_or_default();
        let Some((name, rest)) = segments.split_first().filter(|(name, _)| !name.is_empty()) else {
            violations.add_once(NAME, Problem::new("must be written as filter[field]"));
            continue;
        };
        let path = format!("{NAME}.{name}");
        if let Some(key) = name.strip_prefix(FIELD).filter(|key| !key.is_empty())
            && !gathered.iter().any(|known| known.path == path)
        {
            if gathered.len() == Attribute::ALL.len() + MAX_CONDITIONS {
                violations.add_once(NAME, too_many());
                break;
            }
            gathered.push(Gathered::new(Subject::Field(key.to_owned()), path.clone()));
        }
        let known = gathered.iter_mut().find(|known| known.path == path);
        let Some(known) = known else {
            violations.add_once(&path, Problem::new("is not a field that can be filtered"));
            continue;
        };
        if let Err(problem) = known.add(&parameter, rest) {
            violations.add_once(&parameter.path(), problem);
        }
    }
    gathered
}
