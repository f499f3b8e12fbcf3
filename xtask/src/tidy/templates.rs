//! Rules for templates and style sheets: their lines are as short as those of comments.

use std::path::Path;

use super::finding::Finding;

/// A longer line is an error.
const WIDTH: usize = 120;

/// Checks one file.
pub(crate) fn check(path: &Path, text: &str) -> Vec<Finding> {
    let widths = text.lines().map(|line| line.chars().count()).zip(1..);
    let too_wide = widths.filter(|(width, _)| *width > WIDTH);
    let finding = |(width, number)| {
        Finding::at(path, number, format!("{width} characters; at most {WIDTH} are allowed"))
    };
    too_wide.map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_wide_is_found() {
        let text = format!("<p>\n{}\n{}x\n</p>\n", "ä".repeat(WIDTH), "ä".repeat(WIDTH));
        let found = check(Path::new("a.html"), &text);
        let expected = "error: a.html:3: 121 characters; at most 120 are allowed";
        assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
    }
}
