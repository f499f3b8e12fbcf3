//! The client in TypeScript, by npm and node.

use anyhow::Result;

use super::workshop::{Mode, Workshop, client, command};
use crate::process;
use crate::steps::Done;

/// Fails with a version of node that the client does not support.
const IS_RECENT: &str = "const [a, b] = process.versions.node.split('.'); process.exit(a > 20 || (a == 20 && b >= 3) ? 0 : 1)";

const GENERATED: [&str; 2] = ["operations.ts", "schema.ts"];

/// Generates, tests and packs it.
pub(super) fn run(workshop: &mut Workshop, mode: Mode) -> Result<Done> {
    let folder = client("typescript");
    let has_npm = process::succeeds(&mut command("npm", &["--version"], &folder));
    if !has_npm || !process::succeeds(&mut command("node", &["-e", IS_RECENT], &folder)) {
        return Ok(Done::Skipped(
            "there is no npm, or no node of version 20.3 or later".to_owned(),
        ));
    }
    if process::run(&mut command("npm", &["ci", "--no-fund", "--no-audit"], &folder)).is_err() {
        return Ok(Done::Skipped("its packages cannot be installed".to_owned()));
    }
    let generated = folder.join("src/generated");
    let mut generator = command("node", &["scripts/generate.mjs"], &folder);
    workshop.generate(&mut generator, (&generated, &GENERATED), mode)?;
    workshop.with_hub(&mut command("npm", &["test"], &folder))?;
    let mut pack = command("npm", &["pack", "--pack-destination"], &folder);
    process::run(pack.arg(workshop.packages()?))?;
    Ok(Done::Passed)
}
