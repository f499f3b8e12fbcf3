//! Builds the binary: static and stripped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

use super::directories::Directories;
use super::memory_functions;
use super::target::Target;
use super::version::Version;
use crate::{cargo, packages, process, report};

/// The maximum number of bytes of a binary.
const MAX_BYTES: u64 = 25_000_000;

/// The profile in Cargo.toml. Cargo names a directory after it, so it must not be that of the files of a release.
const PROFILE: &str = "shipped";

/// Flags for C code. It has no tables for unwinding, since no panic passes through it. AWS-LC has no code for AVX-512,
/// of which AES-GCM alone has 0.7 MB; processors that have it use AVX.
const C_FLAGS: &str =
    "-fno-asynchronous-unwind-tables -fno-unwind-tables -DMY_ASSEMBLER_IS_TOO_OLD_FOR_512AVX=1";

/// Builds it and returns its path.
pub(super) fn build(target: Target, version: &Version) -> Result<PathBuf> {
    check_programs(target)?;
    let output = target_directory()?;
    let directories = Directories::of_build(output.clone())?;
    let triple = target.triple();
    let mut command = cargo::command(&["rustc", "--locked", "--profile", PROFILE]);
    command.args(["--package", "contact-hub", "--bin", "contact-hub", "--target", triple]);
    command.env("CONTACT_HUB_VERSION", &version.text);
    command.env("SOURCE_DATE_EPOCH", version.epoch.to_string());
    let name = triple.replace('-', "_");
    command.env(format!("CC_{name}"), target.compiler());
    command.env(format!("CFLAGS_{name}"), format!("{} {C_FLAGS}", directories.c_flags()));
    let name = name.to_uppercase();
    command.env(format!("CARGO_TARGET_{name}_LINKER"), target.linker());
    let flags = [directories.rust_flags(), link_flags()?].join(" ");
    command.env(format!("CARGO_TARGET_{name}_RUSTFLAGS"), flags);
    command.arg("--");
    command.args(memory_functions(target, &output)?.map(|it| format!("-Clink-arg={it}")));
    process::run(&mut command)?;
    let binary = output.join(triple).join(PROFILE).join("contact-hub");
    check(&binary)?;
    Ok(binary)
}

/// Links with the linker that comes with Rust. It merges functions that are equal, which generic ones often are, and packs
/// the relocations of an executable that can be loaded anywhere. It merges all of them: Rust's objects do not say whose
/// addresses are compared, so the safe way would merge none.
fn link_flags() -> Result<String> {
    let root = PathBuf::from(rustc(&["--print", "sysroot"])?);
    let host = rustc(&["--print", "host-tuple"])?;
    let linker = root.join("lib/rustlib").join(host).join("bin/gcc-ld");
    ensure!(linker.join("ld.lld").exists(), "Rust has no linker in {}", linker.display());
    let place = linker.display();
    Ok(format!(
        "-Clink-arg=-B{place} -Clink-arg=-fuse-ld=lld -Clink-arg=-Wl,--icf=all,--pack-dyn-relocs=relr"
    ))
}

/// The arguments that link other functions than those of musl where these are slow.
fn memory_functions(target: Target, output: &Path) -> Result<impl Iterator<Item = String>> {
    let arguments = match target {
        Target::X86_64 => memory_functions::link_arguments(output)?,
        Target::Aarch64 => Vec::new(),
    };
    Ok(arguments.into_iter())
}

fn rustc(arguments: &[&str]) -> Result<String> {
    let mut command = Command::new("rustc");
    let output = process::capture(command.args(arguments).current_dir(cargo::workspace_root()))?;
    Ok(output.trim().to_owned())
}

fn target_directory() -> Result<PathBuf> {
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(cargo::workspace_root().join("Cargo.toml"))
        .no_deps()
        .exec();
    Ok(metadata.context("cannot read the workspace")?.target_directory.into())
}

fn check_programs(target: Target) -> Result<()> {
    for program in [target.compiler(), target.linker()] {
        let advice = target.advice();
        ensure!(packages::exists(program), "{program} was not found; on Debian: {advice}");
    }
    let libraries = rustc(&["--print", "target-libdir", "--target", target.triple()])?;
    ensure!(Path::new(&libraries).is_dir(), "run: rustup target add {}", target.triple());
    Ok(())
}

/// Fails if the binary needs a loader or is too large.
fn check(binary: &Path) -> Result<()> {
    let headers = Command::new("readelf").arg("--program-headers").arg(binary).output();
    let headers = headers.context("cannot run readelf, of Debian's binutils")?;
    ensure!(headers.status.success(), "{} is not an ELF file", binary.display());
    if String::from_utf8_lossy(&headers.stdout).contains("INTERP") {
        bail!("{} is not static", binary.display());
    }
    let bytes = fs::metadata(binary)?.len();
    report::line(&format!("{bytes} bytes: {}", binary.display()));
    ensure!(bytes <= MAX_BYTES, "the binary has {bytes} bytes; at most {MAX_BYTES} are allowed");
    Ok(())
}
