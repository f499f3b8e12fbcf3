//! Statements made of pieces.

/// A statement in which each `{}` is the next argument, or each `{name}` the argument of this name. An argument is a
/// constant text, a number, or another statement with its values; `None` is an empty text. An argument
/// with values has one place.
macro_rules! sql {
    ($template:literal, $($name:ident = $piece:expr),+ $(,)?) => {{
        const { $crate::statement::check_template($template, &[$(stringify!($name)),+]) };
        let mut pieces = [$((stringify!($name), $crate::statement::Statement::from($piece))),+];
        $crate::statement::Statement::of($template, &mut pieces)
    }};
    ($template:literal, $($piece:expr),+ $(,)?) => {{
        const { $crate::statement::check_places($template, [$(stringify!($piece)),+].len()) };
        let mut pieces = [$(("", $crate::statement::Statement::from($piece))),+];
        $crate::statement::Statement::of($template, &mut pieces)
    }};
}

pub(crate) use sql;

/// Fails to compile unless there is exactly this number of `{}` and no other brace.
pub(crate) const fn check_places(template: &str, pieces: usize) {
    assert!(check_template(template, &[""]) == pieces, "as many pieces as places");
}

/// Fails to compile if a place has none of these names. Returns how many places there are.
pub(crate) const fn check_template(template: &str, names: &[&str]) -> usize {
    let (mut rest, mut places) = (template.as_bytes(), 0);
    while let [byte, after @ ..] = rest {
        if *byte == b'{' {
            assert!(begins_with_any(after, names), "every place has a piece");
            places += 1;
        }
        rest = after;
    }
    places
}

const fn begins_with_any(text: &[u8], mut names: &[&str]) -> bool {
    while let [name, others @ ..] = names {
        if begins_with(text, name.as_bytes()) {
            return true;
        }
        names = others;
    }
    false
}

/// Whether the text begins with this name and a closing brace.
const fn begins_with(mut text: &[u8], mut name: &[u8]) -> bool {
    while let ([one, after @ ..], [other, others @ ..]) = (text, name) {
        if *one != *other {
            return false;
        }
        (text, name) = (after, others);
    }
    name.is_empty() && matches!(text, [b'}', ..])
}
