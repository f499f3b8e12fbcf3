//! The two ends of `between`.

use crate::violations::Problem;

/// Takes two values as they are, or one in which a comma joins the ends.
pub(super) fn ends(values: &[String]) -> Result<(String, String), Problem> {
    let ends = match values {
        [joined] => split(joined),
        several => several.to_vec(),
    };
    <[String; 2]>::try_from(ends)
        .map(|[lower, upper]| (lower, upper))
        .map_err(|_other_count| Problem::new("must have two ends, joined by a comma"))
}

/// Splits at commas. `\,` is a comma inside an end; any other `\` is kept.
fn split(joined: &str) -> Vec<String> {
    let mut ends = vec![String::new()];
    let mut characters = joined.chars().peekable();
    while let Some(c) = characters.next() {
        let is_inside = c == '\\' && characters.next_if_eq(&',').is_some();
        match (is_inside, c) {
            (false, ',') => ends.push(String::new()),
            _ => ends
                .last_mut()
                .into_iter()
                .for_each(|end| end.push(if is_inside { ',' } else { c })),
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{ends, split};

    #[test]
    fn a_backslash_escapes_a_comma_and_nothing_else() {
        assert_eq!(split(r"Adams,Baker"), ["Adams", "Baker"]);
        assert_eq!(split(r"a\,b,c\d\\,e"), ["a,b", r"c\d\,e"]);
        assert_eq!(split(r",\"), ["", r"\"]);
        assert_eq!(split(""), [""]);
        let two = [r"a\,b,".to_owned(), "c".to_owned()];
        assert_eq!(ends(&two), Ok((two[0].clone(), two[1].clone())), "a list is taken as sent");
        for count in [0, 3] {
            assert!(ends(&vec![String::new(); count]).is_err());
        }
        assert!(ends(&["a,b,c".to_owned()]).is_err());
        assert!(ends(&["a".to_owned()]).is_err());
    }

    proptest! {
        #[test]
        fn escaped_bounds_survive_a_round_trip(lower in "[^\\\\]*", upper in ".*") {
            let joined = format!("{},{}", lower.replace(',', r"\,"), upper.replace(',', r"\,"));
            prop_assert_eq!(ends(&[joined]), Ok((lower, upper)));
        }
    }
}
