//! Applies every rule to its files, and reports.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::files::Files;
use super::finding::{Finding, Weight};
use super::{book, imports, links, manifests, migrations, names, rust, templates, text};
use crate::{cargo, report};

/// The directories with our sources.
const SOURCES: [&str; 3] = ["crates", "tests", "xtask"];

/// The workspace as links see it.
struct Workspace<'a> {
    top: &'a Path,
}

impl links::Tree for Workspace<'_> {
    fn exists(&self, path: &Path) -> bool {
        self.top.join(path).exists()
    }

    fn markdown(&self, path: &Path) -> Option<String> {
        let is_markdown = path.extension().is_some_and(|ending| ending == "md");
        is_markdown.then(|| std::fs::read_to_string(self.top.join(path)).ok())?
    }
}

/// Runs the task.
pub(crate) fn run() -> Result<()> {
    let top = cargo::workspace_root();
    let files = Files::below(&top)?;
    let mut found = migrations::check(&files);
    found.extend(
        files.directories.iter().filter(|it| is_source(it)).filter_map(|it| names::check(it)),
    );
    found.extend(files.directories.iter().filter_map(|it| names::check_top(it)));
    let summary = std::fs::read_to_string(top.join("docs/SUMMARY.md"))
        .context("cannot read docs/SUMMARY.md")?;
    found.extend(book::check_summary(&summary, files.files.iter().map(PathBuf::as_path)));
    for path in files.files.iter().filter(|path| text::applies_to(path)) {
        found.extend(check_file(&top, path)?);
    }
    for finding in &found {
        report::line(&finding.to_string());
    }
    let errors = found.iter().filter(|finding| finding.weight == Weight::Error).count();
    if errors > 0 {
        bail!("{errors} findings");
    }
    report::line(&format!("{} files are tidy", files.files.len()));
    Ok(())
}

fn check_file(top: &Path, path: &Path) -> Result<Vec<Finding>> {
    let content = std::fs::read_to_string(top.join(path))
        .with_context(|| format!("cannot read {}", path.display()))?;
    let mut found = text::check(path, &content);
    let is = |ending: &str| path.extension().is_some_and(|it| it == ending);
    if is("rs") && is_source(path) {
        found.extend(names::check(path));
        found.extend(rust::check(path, &content));
        found.extend(imports::check(path, &content));
    } else if is("md") {
        found.extend(links::check(path, &content, &Workspace { top }));
        found.extend(book::check_page(path, &content));
    } else if (is("html") || is("css")) && is_source(path) {
        found.extend(templates::check(path, &content));
    } else if is("sql") {
        found.extend(migrations::check_promise(path, &content));
    } else if path.file_name().is_some_and(|it| it == "Cargo.toml") {
        found.extend(manifests::check(path, &content));
    }
    Ok(found)
}

fn is_source(path: &Path) -> bool {
    SOURCES.iter().any(|source| path.starts_with(source))
}
