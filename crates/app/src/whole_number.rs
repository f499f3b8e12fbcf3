//! Whole numbers in flags and variables.

use std::ops::RangeInclusive;

/// Parses a whole number within a range; the error says which numbers are allowed.
pub(crate) fn whole_number<N>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync
where
    N: TryFrom<u64>,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.and_then(|number| N::try_from(number).ok()).ok_or_else(|| {
            format!("it must be a whole number from {} to {}", range.start(), range.end())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::whole_number;

    #[test]
    fn numbers_outside_the_range_and_other_texts_are_rejected() {
        let parse = whole_number::<u16>(1..=1000);
        assert_eq!((parse("1"), parse("1000")), (Ok(1), Ok(1000)));
        for text in
            ["0", "1001", "65537", "-1", "1.5", "1e3", "many", "", " 1", "99999999999999999999"]
        {
            let expected = "it must be a whole number from 1 to 1000";
            assert_eq!(parse(text), Err(expected.to_owned()), "{text}");
        }
    }
}
