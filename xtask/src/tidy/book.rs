//! The book, whose pages are the documents in `docs/`: its summary lists all of them, and no link leads out of it.

use std::path::Path;

use super::finding::Finding;
use super::links::links;

/// The directory of the book.
const BOOK: &str = "docs";

/// The list of the book's pages.
const SUMMARY: &str = "docs/SUMMARY.md";

/// Every page that the summary does not list.
pub(crate) fn check_summary<'a>(
    summary: &str,
    files: impl Iterator<Item = &'a Path>,
) -> Vec<Finding> {
    let listed: Vec<String> = links(summary).into_iter().map(|(target, _)| target).collect();
    files
        .filter(|path| is_page(path))
        .filter(|path| {
            let page = path.strip_prefix(BOOK).unwrap_or(path);
            !listed.iter().any(|target| Path::new(target) == page)
        })
        .map(|path| Finding::of(path, format!("is not in {SUMMARY}")))
        .collect()
}

/// Links of a page that lead to a file outside of the book, where the site has nothing.
pub(crate) fn check_page(path: &Path, text: &str) -> Vec<Finding> {
    if !is_page(path) {
        return Vec::new();
    }
    let depth = path.components().count().saturating_sub(2);
    links(text)
        .into_iter()
        .filter(|(target, _)| target.starts_with('/') || climbs(target) > depth)
        .map(|(target, line)| Finding::at(path, line, format!("{target} is not in the book")))
        .collect()
}

fn is_page(path: &Path) -> bool {
    path.starts_with(BOOK)
        && path.extension().is_some_and(|ending| ending == "md")
        && path != Path::new(SUMMARY)
}

/// How many directories a target leads up.
fn climbs(target: &str) -> usize {
    target.split('/').take_while(|part| *part == "..").count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(found: &[Finding]) -> Vec<String> {
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_page_is_in_the_summary() {
        let files = ["docs/SUMMARY.md", "docs/a.md", "docs/deep/b.md", "docs/c.md", "README.md"];
        let summary = "- [A](a.md)\n  - [B](deep/b.md)\n";
        let found = check_summary(summary, files.iter().map(Path::new));
        assert_eq!(shown(&found), ["error: docs/c.md: is not in docs/SUMMARY.md"]);
    }

    #[test]
    fn links_stay_in_the_book() {
        let text = "[a](../a.md) [b](b.md)\n[c](../../README.md) [d](/docs/a.md)\n";
        let found = check_page(Path::new("docs/deep/page.md"), text);
        let expected = [
            "error: docs/deep/page.md:2: ../../README.md is not in the book",
            "error: docs/deep/page.md:2: /docs/a.md is not in the book",
        ];
        assert_eq!(shown(&found), expected);
        assert!(check_page(Path::new("README.md"), "[a](../a.md)").is_empty());
    }
}
