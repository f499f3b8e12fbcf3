//! The files and directories of the workspace.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// Directories whose files are not checked, because others wrote or generated them.
const NOT_OURS: [&str; 6] = ["target", ".git", "node_modules", "vendor", "dist", "build"];

/// Everything below the root of the workspace, as relative paths, sorted.
#[derive(Debug, Default)]
pub(crate) struct Files {
    /// The directories.
    pub(crate) directories: Vec<PathBuf>,
    /// The files.
    pub(crate) files: Vec<PathBuf>,
}

impl Files {
    /// Walks the tree. Symbolic links are not followed.
    pub(crate) fn below(top: &Path) -> Result<Self> {
        let mut found = Self::default();
        let mut waiting = vec![PathBuf::new()];
        while let Some(directory) = waiting.pop() {
            let entries = top.join(&directory).read_dir();
            let entries =
                entries.with_context(|| format!("cannot read {}", directory.display()))?;
            for entry in entries {
                let entry = entry?;
                let path = directory.join(entry.file_name());
                let kind = entry.file_type()?;
                if kind.is_file() {
                    found.files.push(path);
                } else if kind.is_dir() && !is_not_ours(&path) {
                    waiting.push(path.clone());
                    found.directories.push(path);
                }
            }
        }
        found.directories.sort();
        found.files.sort();
        Ok(found)
    }
}

fn is_not_ours(directory: &Path) -> bool {
    NOT_OURS.iter().any(|name| directory.ends_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_but_the_builds_own_files_is_found() {
        let top = tempfile::tempdir().unwrap();
        for directory in ["src/deep", "target/debug"] {
            std::fs::create_dir_all(top.path().join(directory)).unwrap();
        }
        for file in ["b.md", "src/deep/a.rs", "target/debug/c.rs"] {
            std::fs::write(top.path().join(file), "").unwrap();
        }
        let found = Files::below(top.path()).unwrap();
        assert_eq!(found.files, ["b.md", "src/deep/a.rs"].map(PathBuf::from));
        assert_eq!(found.directories, ["src", "src/deep"].map(PathBuf::from));
    }
}
