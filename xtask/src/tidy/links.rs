//! Links between documents: a relative one must lead to an existing file or directory.

use std::path::Path;

use super::finding::Finding;

/// Checks every link of a Markdown file; `exists` gets paths relative to the root.
pub(crate) fn check(path: &Path, text: &str, exists: impl Fn(&Path) -> bool) -> Vec<Finding> {
    let directory = path.parent().unwrap_or(Path::new(""));
    let broken = |target: &str| {
        let (file, _) = target.split_once('#').unwrap_or((target, ""));
        let target = match file.strip_prefix('/') {
            Some(from_top) => Path::new(from_top).to_path_buf(),
            None => directory.join(file),
        };
        !file.is_empty() && !exists(&target)
    };
    prose(text)
        .flat_map(|(line, number)| targets(&line).into_iter().map(move |it| (it, number)))
        .filter(|(target, _)| is_relative(target) && broken(target))
        .map(|(target, number)| Finding::at(path, number, format!("{target} does not exist")))
        .collect()
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

    fn found(text: &str) -> Vec<String> {
        let there = ["docs/there.md", "README.md", "docs"];
        let exists = |path: &Path| {
            let clean: std::path::PathBuf = match path.strip_prefix("docs/..") {
                Ok(above) => above.to_path_buf(),
                Err(_) => path.to_path_buf(),
            };
            there.iter().any(|it| clean == Path::new(it))
        };
        let found = check(Path::new("docs/page.md"), text, exists);
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn links_to_what_exists_are_fine() {
        let text = "[a](there.md), [b](there.md#part \"title\"), [c](../README.md), [d](/docs)\n\
                    [e](#here) [f](https://example.com/x) [g](mailto:a@example.com)\n\
                    [h]: there.md\n";
        assert_eq!(found(text), Vec::<String>::new());
    }

    #[test]
    fn links_to_nothing_are_found_with_their_line() {
        let text = "fine\nsee [a](gone.md#part)\n\n[b]: lost.md\n";
        let expected = [
            "error: docs/page.md:2: gone.md#part does not exist",
            "error: docs/page.md:4: lost.md does not exist",
        ];
        assert_eq!(found(text), expected);
    }

    #[test]
    fn code_has_no_links() {
        let text = "`[a](gone.md)`\n```rust\nlet x = a[0](gone);\n```\n";
        assert_eq!(found(text), Vec::<String>::new());
    }
}
