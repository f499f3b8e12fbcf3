//! The functions that copy and compare memory, of LLVM's C library.
//!
//! Those that musl has for x86-64 are slow: `memcmp` is a loop over bytes, `memmove` copies backwards by `rep movsb`, and
//! `memcpy` copies a few bytes by `rep movsq` too (musl 1.2, `src/string`). SQLite compares keys and moves entries of pages
//! by them all the time. LLVM's need nothing else of their library, and have 2 kB.
//! For ARM musl has functions by Arm.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::{cargo, process};

/// Where Debian's packages `libllvmlibc-<version>-dev` have their directories.
const ROOT: &str = "/usr/lib";

const LIBRARY: &str = "lib/libllvmlibc.a";

const FUNCTIONS: [&str; 5] = ["memcpy", "memmove", "memset", "memcmp", "bcmp"];

/// How to install the library on Debian.
const ADVICE: &str = "apt-get install libllvmlibc-19-dev";

/// Arguments of the linker. Rust's copy of musl precedes them, so they do not replace its functions: each is linked by another
/// name, to which all calls are diverted.
pub(super) fn link_arguments(output: &Path) -> Result<Vec<String>> {
    let library = latest(Path::new(ROOT));
    let library = library.with_context(|| format!("LLVM's C library was not found; {ADVICE}"))?;
    let directory = output.join("memory-functions");
    fs::create_dir_all(&directory)?;
    // Cargo lets the arguments decide the names of symbols, and so the order of what is linked: the checkout must not be in
    // them. The linker runs in its directory.
    let named = directory.strip_prefix(cargo::workspace_root()).unwrap_or(&directory);
    let mut arguments = Vec::new();
    for function in FUNCTIONS {
        let object = format!("{function}.cpp.o");
        let mut extract = Command::new("ar");
        process::run(extract.arg("x").arg(&library).arg(&object).current_dir(&directory))?;
        let mut rename = Command::new("objcopy");
        rename.arg(format!("--redefine-sym={function}=__wrap_{function}"));
        process::run(rename.arg(&object).current_dir(&directory))?;
        arguments.push(named.join(object).display().to_string());
        arguments.push(format!("-Wl,--wrap={function}"));
    }
    Ok(arguments)
}

/// The library of the highest version.
fn latest(root: &Path) -> Option<PathBuf> {
    let directories = root.read_dir().ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let libraries = directories.filter_map(|directory| {
        let version = directory.file_name().and_then(OsStr::to_str)?.strip_prefix("llvm-")?;
        let library = directory.join(LIBRARY);
        Some((version.parse::<u32>().ok()?, library)).filter(|(_, library)| library.is_file())
    });
    libraries.max().map(|(_, library)| library)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_version_that_has_the_library_is_chosen() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(latest(root.path()), None);
        for (name, has_library) in
            [("llvm-9", true), ("llvm-19", true), ("llvm-22", false), ("llvm-x", true)]
        {
            let directory = root.path().join(name);
            fs::create_dir_all(directory.join("lib")).unwrap();
            if has_library {
                fs::write(directory.join(LIBRARY), "").unwrap();
            }
        }
        assert_eq!(latest(root.path()), Some(root.path().join("llvm-19").join(LIBRARY)));
    }
}
