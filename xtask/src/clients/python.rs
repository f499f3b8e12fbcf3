//! The client in Python, in a virtual environment below `target`, so that nothing else on the machine changes.

use anyhow::Result;

use super::workshop::{Mode, Workshop, client, command};
use crate::steps::Done;
use crate::{cargo, process};

/// Fails with a version of Python that the client does not support.
const IS_RECENT: &str = "import sys; sys.exit(sys.version_info < (3, 11))";

const GENERATED: [&str; 2] = ["types.py", "_operations.py"];

/// Generates, checks, tests and packs it.
pub(super) fn run(workshop: &mut Workshop, mode: Mode) -> Result<Done> {
    let folder = client("python");
    if !process::succeeds(&mut command("python3", &["-c", IS_RECENT], &folder)) {
        return Ok(Done::Skipped("there is no Python of version 3.11 or later".to_owned()));
    }
    let environment = cargo::workspace_root().join("target/client-python");
    let python = environment.join("bin/python");
    let mut create = command("python3", &["-m", "venv"], &folder);
    let install = ["-m", "pip", "install", "--quiet", "--editable", ".[dev]"];
    let installed = (python.exists() || process::run(create.arg(&environment)).is_ok())
        && process::run(&mut command(&python, &install, &folder)).is_ok();
    if !installed {
        return Ok(Done::Skipped("its packages cannot be installed".to_owned()));
    }
    let package = folder.join("src/contact_hub_client");
    let mut generator = command(&python, &["scripts/generate.py"], &folder);
    workshop.generate(&mut generator, (&package, &GENERATED), mode)?;
    process::run(&mut command(&python, &["-m", "mypy"], &folder))?;
    let tests = ["-W", "error", "-m", "unittest", "discover", "-s", "tests", "-t", "."];
    workshop.with_hub(&mut command(&python, &tests, &folder))?;
    let build = ["-m", "build", "--no-isolation", "--outdir"];
    process::run(command(&python, &build, &folder).arg(workshop.packages()?))?;
    Ok(Done::Passed)
}
