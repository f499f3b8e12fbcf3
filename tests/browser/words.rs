//! `XPath` expressions that find elements by their visible words.

use thirtyfour::By;

/// A text as an `XPath` string, whatever quotes it contains.
fn quoted(text: &str) -> String {
    if text.contains('\'') {
        let parts: Vec<String> = text.split('\'').map(|part| format!("'{part}'")).collect();
        format!("concat({})", parts.join(", \"'\", "))
    } else {
        format!("'{text}'")
    }
}

/// A link, a button or a summary with exactly these words.
pub(crate) fn clickable(words: &str) -> By {
    let words = quoted(words);
    By::XPath(format!(
        "//*[self::a or self::button or self::summary][normalize-space(.)={words} or @aria-label={words}]"
    ))
}

/// The same within the row, card or list entry nearest to some other words.
pub(crate) fn clickable_beside(beside: &str, words: &str) -> By {
    let (beside, words) = (quoted(beside), quoted(words));
    By::XPath(format!(
        "//*[self::tr or self::li or self::section][contains(normalize-space(.), {beside})]\
         //*[self::a or self::button or self::summary][starts-with(normalize-space(.), {words})]"
    ))
}

/// The input of a label with these words.
pub(crate) fn labelled(label: &str) -> By {
    let label = quoted(label);
    By::XPath(format!(
        "//*[@id=//label[normalize-space(.)={label}]/@for] | //*[@aria-label={label}]"
    ))
}

/// The option of a select with these words.
pub(crate) fn choice(words: &str) -> By {
    By::XPath(format!(".//option[normalize-space(.)={}]", quoted(words)))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn quotes_are_preserved() {
        assert_eq!(quoted("plain"), "'plain'");
        assert_eq!(quoted("Ann's"), "concat('Ann', \"'\", 's')");
    }
}
