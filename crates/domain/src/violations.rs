//! Violations of a request: all invalid fields by dotted path, not only the first.

/// How many fields an answer names. The others are only counted.
pub const MAX_NAMED_FIELDS: usize = 100;

/// A sentence about one value, such as `must be a string`. It never repeats the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem(String);

impl Problem {
    /// Takes a sentence that continues the field's name.
    #[must_use]
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }

    /// A value with more than `max` characters.
    #[must_use]
    pub fn too_long(max: usize) -> Self {
        Self(format!("must be at most {max} characters long"))
    }

    /// A name that is none of the known ones.
    #[must_use]
    pub fn not_one_of<T: Copy + Into<&'static str>>(known: &[T]) -> Self {
        let names: Vec<&str> = known.iter().map(|one| (*one).into()).collect();
        Self(format!("must be one of {}", names.join(", ")))
    }

    /// The sentence.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The invalid fields of a request with their messages, in the order in which they were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violations {
    fields: Vec<(String, Vec<String>)>,
    unnamed: usize,
    last_unnamed: String,
}

impl Violations {
    /// One violation.
    #[must_use]
    pub fn one(path: impl Into<String>, problem: Problem) -> Self {
        let mut violations = Self::default();
        violations.add(path, problem);
        violations
    }

    /// Adds a message for the field at `path`.
    pub fn add(&mut self, path: impl Into<String>, problem: Problem) {
        let path = path.into();
        if let Some((_, messages)) = self.fields.iter_mut().find(|(known, _)| *known == path) {
            messages.push(problem.0);
        } else if self.fields.len() < MAX_NAMED_FIELDS {
            self.fields.push((path, vec![problem.0]));
        } else if self.last_unnamed != path {
            self.unnamed += 1;
            self.last_unnamed = path;
        }
    }

    /// Adds a message unless the field at `path` already has it.
    pub fn add_once(&mut self, path: &str, problem: Problem) {
        let is_known = self.fields.iter().any(|(known, messages)| {
            known == path && messages.iter().any(|message| message == problem.as_str())
        });
        if !is_known {
            self.add(path, problem);
        }
    }

    /// Adds all of the others.
    pub fn append(&mut self, others: Self) {
        for (path, messages) in others.fields {
            for message in messages {
                self.add(path.as_str(), Problem(message));
            }
        }
        self.unnamed += others.unnamed;
    }

    /// Whether a message names this path.
    #[must_use]
    pub fn names(&self, path: &str) -> bool {
        self.fields.iter().any(|(known, _)| known == path)
    }

    /// Returns the value of a successful check, and adds the problem of a failed one.
    pub fn collect<T>(&mut self, path: &str, checked: Result<T, Problem>) -> Option<T> {
        match checked {
            Ok(value) => Some(value),
            Err(problem) => {
                self.add(path, problem);
                None
            }
        }
    }

    /// True when there are no violations.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// `Ok` when there are no violations.
    pub fn into_result(self) -> Result<(), Self> {
        if self.is_empty() { Ok(()) } else { Err(self) }
    }

    /// The named fields, at most [`MAX_NAMED_FIELDS`], each with its messages.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.fields.iter().map(|(path, messages)| (path.as_str(), messages.as_slice()))
    }

    /// A sentence for people: how many fields are invalid, and how many of them are not named.
    #[must_use]
    pub fn summary(&self) -> String {
        let total = self.fields.len() + self.unnamed;
        let noun = if total == 1 { "field is" } else { "fields are" };
        if self.unnamed == 0 {
            format!("{total} {noun} invalid.")
        } else {
            format!("{total} {noun} invalid; {} of them are not named here.", self.unnamed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_NAMED_FIELDS, Problem, Violations};

    #[test]
    fn names_a_hundred_fields_and_counts_the_rest() {
        let mut violations = Violations::default();
        for n in 0..105 {
            violations.add(format!("ids.{n}"), Problem::new("must be a string"));
        }
        assert_eq!(violations.iter().count(), MAX_NAMED_FIELDS);
        assert_eq!(violations.summary(), "105 fields are invalid; 5 of them are not named here.");
    }

    #[test]
    fn collects_the_messages_of_one_field() {
        let mut violations = Violations::one("email", Problem::new("is required"));
        violations.add("email", Problem::too_long(254));
        let (path, messages) = violations.iter().next().expect("one field");
        assert_eq!((path, messages.len()), ("email", 2));
    }
}
