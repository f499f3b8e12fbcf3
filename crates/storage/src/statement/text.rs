//! The text of a statement with the values of its places.

use std::borrow::Cow;

use diesel::result::{Error, QueryResult};

use super::Bind;

/// Text in which each `?` is a bound value: a whole statement, or a piece of one.
///
/// It is made only of constant texts and numbers, by [`statement`] and [`sql!`](super::sql), so no value can get into
/// the text.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    text: Cow<'static, str>,
    /// One for each `?`; `None` until it is bound.
    values: Vec<Option<Bind>>,
    pub(super) keep_prepared: bool,
}

/// A statement of this text.
pub(crate) fn statement(text: &'static str) -> Statement {
    let values = vec![None; text.matches('?').count()];
    Statement { text: text.into(), values, keep_prepared: true }
}

/// The pieces with a separator between them.
pub(crate) fn joined<P: Into<Statement>>(
    pieces: impl IntoIterator<Item = P>,
    separator: &'static str,
) -> Statement {
    let mut whole = statement("");
    for (place, piece) in pieces.into_iter().enumerate() {
        if place > 0 {
            whole.push(separator);
        }
        whole.push(piece);
    }
    whole
}

impl Statement {
    /// The statement that [`sql!`](super::sql) builds.
    pub(crate) fn of(template: &'static str, pieces: &mut [(&str, Self)]) -> Self {
        let (first, rest) = template.split_once('{').unwrap_or((template, ""));
        let mut whole = statement(first);
        for (place, text) in rest.split('{').enumerate() {
            let (name, text) = text.split_once('}').unwrap_or(("", text));
            let mut pieces = pieces.iter_mut().skip(if name.is_empty() { place } else { 0 });
            if let Some((_, piece)) = pieces.find(|(other, _)| *other == name) {
                whole.append(piece);
            }
            whole.push(text);
        }
        whole
    }

    /// Appends a piece.
    pub(crate) fn push(&mut self, piece: impl Into<Self>) {
        self.append(&mut piece.into());
    }

    /// Appends the text, and moves the values: there may be megabytes of them.
    fn append(&mut self, piece: &mut Self) {
        self.text.to_mut().push_str(&piece.text);
        self.values.append(&mut piece.values);
        self.keep_prepared &= piece.keep_prepared;
    }

    /// Binds the first `?` that has no value yet.
    pub(crate) fn bind(mut self, value: impl Into<Bind>) -> Self {
        let free = self.values.iter_mut().find(|place| place.is_none());
        debug_assert!(free.is_some(), "more values than places: {}", self.text);
        if let Some(place) = free {
            *place = Some(value.into());
        }
        self
    }

    /// Prepares the statement again at each run. For texts that depend on the client's query: their number is not
    /// bounded, and their best plan depends on the values.
    pub(crate) const fn uncached(mut self) -> Self {
        self.keep_prepared = false;
        self
    }

    /// Whether a connection keeps it prepared.
    pub(crate) const fn keeps_prepared(&self) -> bool {
        self.keep_prepared
    }

    /// Its text, without the values.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The text with its places numbered, as PostgreSQL has them, and the value of each.
    pub(crate) fn numbered(&self) -> QueryResult<(String, Vec<&Bind>)> {
        let (mut numbered, mut values) = (String::new(), Vec::new());
        for piece in self.pieces() {
            let (text, value) = piece?;
            numbered.push_str(text);
            if let Some(value) = value {
                values.push(value);
                numbered.push('$');
                numbered.push_str(&values.len().to_string());
            }
        }
        Ok((numbered, values))
    }

    /// Each text with the value that follows it; the last one has none.
    pub(super) fn pieces(&self) -> impl Iterator<Item = QueryResult<(&str, Option<&Bind>)>> {
        debug_assert_eq!(self.text.matches('?').count(), self.values.len(), "{}", self.text);
        let missing = || Error::QueryBuilderError("a value is missing".into());
        let values =
            self.values.iter().map(move |value| value.as_ref().ok_or_else(missing).map(Some));
        let values = values.chain(std::iter::once(Ok(None)));
        self.text.split('?').zip(values).map(|(text, value)| Ok((text, value?)))
    }
}

impl From<&'static str> for Statement {
    fn from(text: &'static str) -> Self {
        statement(text)
    }
}

impl From<&Self> for Statement {
    fn from(piece: &Self) -> Self {
        piece.clone()
    }
}

macro_rules! numbers {
    ($($number:ty)+) => {$(
        /// A number that is part of the text, since it never changes.
        impl From<$number> for Statement {
            fn from(number: $number) -> Self {
                Self { text: number.to_string().into(), values: Vec::new(), keep_prepared: true }
            }
        }
    )+};
}

numbers!(u8 u64 usize);

impl<P: Into<Self>> From<Option<P>> for Statement {
    fn from(piece: Option<P>) -> Self {
        piece.map_or_else(|| statement(""), Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::sql;

    fn values(statement: &Statement) -> Vec<String> {
        let pieces = statement.pieces().map(|piece| piece.expect("a value").1);
        pieces.flatten().map(|value| format!("{value:?}")).collect()
    }

    #[test]
    fn a_fragment_keeps_its_values_and_the_others_are_bound_around_it() {
        let piece = statement("b = ?").bind(2);
        let whole = sql!("a = ? AND {} AND c = ?{}", piece, None::<&'static str>);
        let whole = whole.bind(1).bind(3);
        assert_eq!(whole.text(), "a = ? AND b = ? AND c = ?");
        assert_eq!(values(&whole), ["Int(1)", "Int(2)", "Int(3)"]);
    }

    #[test]
    fn a_named_fragment_can_be_used_several_times() {
        let columns = joined(["id", "name"], ", ");
        let text = sql!(
            "INSERT INTO t ({columns}) SELECT {columns} FROM s LIMIT {most}",
            columns = columns,
            most = 7_u64,
        );
        assert_eq!(text.text(), "INSERT INTO t (id, name) SELECT id, name FROM s LIMIT 7");
    }

    #[test]
    fn a_statement_without_a_value_is_not_run() {
        let whole = statement("a = ? AND b = ?").bind(1);
        assert!(whole.pieces().any(|piece| piece.is_err()));
    }
}
