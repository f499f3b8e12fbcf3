//! `cargo xtask deploy`: checks the files in `deploy/`, the workflows and the book with the programs that read them.
//!
//! Nothing is installed for this. A check whose program is missing is skipped and says so.

use std::process::Command;

use anyhow::Result;

use crate::steps::{Done, Steps};
use crate::{cargo, packages, process};

/// The check of one file by one program.
struct Check {
    name: &'static str,
    program: &'static str,
    arguments: &'static [&'static str],
    /// Shows that the program has the part of it that is needed, if it may lack it.
    needs: &'static [&'static str],
}

const CHECKS: [Check; 10] = [
    Check::of("alert rules", "promtool", &["test", "rules", "deploy/prometheus/alerts.test.yaml"]),
    Check::of("scraping", "promtool", &["check", "config", "deploy/prometheus/prometheus.yaml"]),
    Check::of("manifests", "kubectl", &["kustomize", "deploy/kubernetes/production"]),
    Check::of("manifests for a trial", "kubectl", &["kustomize", "deploy/kubernetes/trial"]),
    Check {
        name: "compose file",
        program: "docker",
        arguments: &["compose", "--file", "deploy/compose.yaml", "config", "--quiet"],
        needs: &["compose", "version"],
    },
    // The unit may be exposed to at most 2.0 of 10.
    Check {
        name: "unit",
        program: "systemd-analyze",
        arguments: &["security", "--offline=yes", "--threshold=20", "deploy/contact-hub.service"],
        needs: &["security", "--offline=yes", "--help"],
    },
    Check::of(
        "Caddyfile",
        "caddy",
        &["validate", "--adapter", "caddyfile", "--config", "deploy/Caddyfile"],
    ),
    Check::of(
        "package scripts",
        "shellcheck",
        &["deploy/debian/postinst", "deploy/debian/postrm", "deploy/debian/prerm"],
    ),
    Check::of("workflows", "actionlint", &[]),
    Check::of("book", "mdbook", &["build", "docs"]),
];

impl Check {
    const fn of(
        name: &'static str,
        program: &'static str,
        arguments: &'static [&'static str],
    ) -> Self {
        Self { name, program, arguments, needs: &[] }
    }

    fn run(&self) -> Result<Done> {
        if !packages::exists(self.program) {
            return Ok(Done::Skipped(format!("{} is not installed", self.program)));
        }
        if !self.needs.is_empty() && !process::succeeds(&mut self.command(self.needs)) {
            let needs = self.needs.join(" ");
            return Ok(Done::Skipped(format!("`{} {needs}` is not installed", self.program)));
        }
        process::capture(&mut self.command(self.arguments))?;
        Ok(Done::Passed)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program);
        command.args(arguments).current_dir(cargo::workspace_root());
        // The compose file requires it.
        command.env("POSTGRES_PASSWORD", "not-used");
        command
    }
}

/// Runs the task.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    add_steps(&mut steps);
    steps.finish()
}

/// Adds one step for each check.
pub(crate) fn add_steps(steps: &mut Steps) {
    for check in &CHECKS {
        steps.run(check.name, || check.run());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_skips_the_check() {
        let check = Check::of("nothing", "no-such-program-of-contact-hub", &[]);
        let Ok(Done::Skipped(why)) = check.run() else { panic!("it ran") };
        assert_eq!(why, "no-such-program-of-contact-hub is not installed");
    }

    #[test]
    fn what_the_program_rejects_fails() {
        assert!(matches!(Check::of("true", "true", &[]).run(), Ok(Done::Passed)));
        assert!(Check::of("false", "false", &[]).run().is_err());
    }
}
