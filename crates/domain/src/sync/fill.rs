//! A template with values in the place of its tags, as a recipient would see it.

use std::borrow::Cow;

use super::content::MAX_CONVERTED;
use super::convert::replaced_within;
use super::error::SyncError;
use super::merge_tag::MergeTagName;
use crate::violations::{Problem, Violations};

/// Replaces every tag with its value, otherwise with its fallback, otherwise with nothing. Rejected when the result
/// would be longer than [`MAX_CONVERTED`].
pub fn fill(
    template: &str,
    value: impl Fn(&MergeTagName) -> Option<String>,
) -> Result<String, SyncError> {
    let filled = replaced_within(template, MAX_CONVERTED, |tag, _| {
        let filled = value(tag.name()).filter(|value| !value.is_empty());
        Cow::Owned(filled.or_else(|| tag.fallback().map(str::to_owned)).unwrap_or_default())
    });
    filled.ok_or_else(|| {
        let sentence = format!("makes the content longer than {MAX_CONVERTED} bytes by its values");
        SyncError::Invalid(Violations::one("contact", Problem::new(sentence)))
    })
}

#[cfg(test)]
mod tests {
    use super::fill;
    use crate::sync::{MAX_CONVERTED, MergeTagName};

    #[test]
    fn a_missing_value_is_the_fallback_or_nothing() {
        let template = "{{first_name|there}} {{last_name|x}}{{email}} {{fisrt_name}}";
        let value = |name: &MergeTagName| match name {
            MergeTagName::LastName => Some("{{email}}".to_owned()),
            MergeTagName::FirstName => Some(String::new()),
            _ => None,
        };
        let filled = fill(template, value).expect("short");
        assert_eq!(filled, "there {{email}} {{fisrt_name}}");
    }

    #[test]
    fn content_that_values_make_too_long_is_rejected() {
        let template = "{{email}}".repeat(MAX_CONVERTED / 1000 + 1);
        assert!(fill(&template, |_| Some("x".repeat(1000))).is_err());
        assert!(fill(&template, |_| Some("x".repeat(900))).is_ok());
    }
}
