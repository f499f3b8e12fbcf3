//! Checksums of the files of a release.

use std::fs;
use std::path::Path;

use anyhow::Result;
use sha2::{Digest as _, Sha256};

/// The file with the checksums, as `sha256sum --check` reads it.
pub(super) const NAME: &str = "SHA256SUMS";

/// Writes the checksums of all files in a directory.
pub(super) fn write(directory: &Path) -> Result<()> {
    let mut lines = Vec::new();
    for entry in directory.read_dir()? {
        let entry = entry?;
        lines.push((entry.file_name(), sha256(&fs::read(entry.path())?)));
    }
    lines.sort();
    let lines = lines.iter().map(|(name, sum)| format!("{sum}  {}\n", name.display()));
    fs::write(directory.join(NAME), lines.collect::<String>())?;
    Ok(())
}

/// The SHA-256 of bytes, in hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::process;

    #[test]
    #[cfg(target_os = "linux")]
    fn the_sums_are_those_that_the_system_finds() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("b"), "two").unwrap();
        fs::write(directory.path().join("a"), "one").unwrap();
        write(directory.path()).unwrap();
        let mut check = Command::new("sha256sum");
        check.args(["--check", NAME]).current_dir(directory.path());
        assert_eq!(process::capture(&mut check).unwrap(), "a: OK\nb: OK\n");
    }
}
