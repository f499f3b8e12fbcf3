//! Links between documents: a relative one must lead to an existing file or directory, and its fragment to a heading.

use std::path::Path;

use super::finding::Finding;

/// What a link can lead to.
pub(crate) trait Tree {
    /// Whether there is a file or directory.
    fn exists(&self, path: &Path) -> bool;

    /// The text of a Markdown file; `None` for anything else.
    fn markdown(&self, path: &Path) -> Option<String>;
}

/// Checks every link of a Markdown file. The tree gets paths relative to the root.
pub(crate) fn check(path: &Path, text: &str, tree: &impl Tree) -> Vec<Finding> {
    let directory = path.parent().unwrap_or(Path::new(""));
    let problem = |target: &str| {
        let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
        let file = match file.strip_prefix('/') {
            _ if file.is_empty() => path.to_path_buf(),
            Some(from_top) => Path::new(from_top).to_path_buf(),
            None => directory.join(file),
        };
        if !tree.exists(&file) {
            return Some(format!("{target} does not exist"));
        }
        let text = tree.markdown(&file).filter(|_| !fragment.is_empty())?;
        let found = anchors(&text).iter().any(|anchor| anchor == fragment);
        (!found).then(|| format!("{target} leads to no heading"))
    };
    links(text)
        .into_iter()
        .filter_map(|(target, number)| Some(Finding::at(path, number, problem(&target)?)))
        .collect()
}

/// The relative links of a document, with their lines.
pub(crate) fn links(text: &str) -> Vec<(String, usize)> {
    prose(text)
        .flat_map(|(line, number)| targets(&line).into_iter().map(move |it| (it, number)))
        .filter(|(target, _)| is_relative(target))
        .collect()
}

/// The fragments that lead to the headings of a document, as forges and mdBook make them from the words.
fn anchors(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        in_block ^= line.trim_start().starts_with("```");
        let words = line.trim_start_matches('#').strip_prefix(' ');
        let Some(words) = words.filter(|_| line.starts_with('#') && !in_block) else { continue };
        let kept = |letter: &char| letter.is_alphanumeric() || " -_".contains(*letter);
        let plain: String = words.trim().to_lowercase().chars().filter(kept).collect();
        let anchor = plain.replace(' ', "-");
        let again = found.iter().filter(|it| **it == anchor).count();
        found.push(if again == 0 { anchor } else { format!("{anchor}-{again}") });
    }
    found
}

/// The lines with their numbers, without blocks and spans of code.
fn prose(text: &str) -> impl Iterator<Item = (String, usize)> {
    let mut in_block = false;
    text.lines().zip(1..).filter_map(move |(line, number)| {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
            return None;
        }
        (!in_block).then(|| (line.split('`').step_by(2).collect(), number))
    })
}

/// The targets of a line's links: `[text](target)`, and `[name]: target` at its beginning.
fn targets(line: &str) -> Vec<String> {
    let inline = line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
    let named = line.strip_prefix('[').and_then(|rest| rest.split_once("]: "));
    let named = named.and_then(|(_, rest)| rest.split_whitespace().next());
    let targets = inline.chain(named);
    targets.map(|target| target.trim_matches(['<', '>']).to_owned()).collect()
}

fn is_relative(target: &str) -> bool {
    !target.contains("://") && !target.starts_with("mailto:")
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Known;

    impl Tree for Known {
        fn exists(&self, path: &Path) -> bool {
            let there = ["docs/there.md", "docs/page.md", "README.md", "docs"];
            let path = path.strip_prefix("docs/..").unwrap_or(path);
            there.iter().any(|it| path == Path::new(it))
        }

        fn markdown(&self, path: &Path) -> Option<String> {
            let is_there = path.ends_with("there.md") || path.ends_with("page.md");
            let text = "# Here\n## A `part`, of it\n```\n# Code\n```\n## Here\n";
            is_there.then(|| text.to_owned())
        }
    }

    fn found(text: &str) -> Vec<String> {
        let found = check(Path::new("docs/page.md"), text, &Known);
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn links_to_what_exists_are_fine() {
        let text = "[a](there.md), [b](there.md#a-part-of-it \"title\"), [c](../README.md), [d](/docs)\n\
                    [e](#here) [e](#here-1) [f](https://example.com/x) [g](mailto:a@example.com)\n\
                    [h]: there.md\n";
        assert_eq!(found(text), Vec::<String>::new());
    }

    #[test]
    fn links_to_nothing_are_found_with_their_line() {
        let text = "fine\nsee [a](gone.md#part)\n\n[b]: lost.md\n[c](there.md#code) [d](#here-2)\n";
        let expected = [
            "error: docs/page.md:2: gone.md#part does not exist",
            "error: docs/page.md:4: lost.md does not exist",
            "error: docs/page.md:5: there.md#code leads to no heading",
            "error: docs/page.md:5: #here-2 leads to no heading",
        ];
        assert_eq!(found(text), expected);
    }

    #[test]
    fn code_has_no_links() {
        let text = "`[a](gone.md)`\n```rust\nlet x = a[0](gone);\n```\n";
        assert_eq!(found(text), Vec::<String>::new());
    }
}
