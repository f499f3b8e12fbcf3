//! The Debian package: the binary, its systemd unit and its settings.
//!
//! `deploy/debian/` has the control file and the scripts. The unit is that of `deploy/` with the package's paths, and with
//! a user that remains, so that commands of the operator can run as it.

use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use super::Release;
use super::tree::{Tree, gzip};
use crate::{cargo, process};

/// The settings, which `dpkg` keeps when the operator has changed them.
const SETTINGS: &str = "etc/contact-hub/contact-hub.env";

/// What differs in the unit of the package.
const UNIT_CHANGES: [(&str, &str); 2] = [
    ("ExecStart=/usr/local/bin/contact-hub ", "ExecStart=/usr/bin/contact-hub "),
    ("DynamicUser=yes\n", "User=contact-hub\nGroup=contact-hub\n"),
];

/// Scripts that `dpkg` runs.
const SCRIPTS: [&str; 3] = ["postinst", "postrm", "prerm"];

/// Writes it.
pub(super) fn write(release: &Release<'_>) -> Result<()> {
    let tree = tree(release)?;
    let stage = tempfile::tempdir()?;
    tree.write_below(stage.path())?;
    let (version, architecture) = (release.version.debian(), release.target.architecture());
    let package = release.out.join(format!("contact-hub_{version}_{architecture}.deb"));
    let mut build = Command::new("dpkg-deb");
    // One thread, since several compress differently.
    build.args(["--root-owner-group", "-Zxz", "--threads-max=1", "--build"]);
    build.arg(stage.path()).arg(&package);
    build.env("SOURCE_DATE_EPOCH", release.version.epoch.to_string());
    process::capture(&mut build)?;
    Ok(())
}

fn tree(release: &Release<'_>) -> Result<Tree> {
    let top = cargo::workspace_root();
    let read = |path: &str| {
        fs::read_to_string(top.join(path)).with_context(|| format!("cannot read {path}"))
    };
    let mut tree = Tree::default();
    tree.program("usr/bin/contact-hub", fs::read(&release.binary)?);
    let unit = unit(&read("deploy/contact-hub.service")?)?;
    tree.file("usr/lib/systemd/system/contact-hub.service", unit);
    tree.private_file(SETTINGS, read("deploy/contact-hub.env")?);
    let documents = "usr/share/doc/contact-hub";
    tree.file(&format!("{documents}/copyright"), read("deploy/debian/copyright")?);
    tree.file(&format!("{documents}/changelog.gz"), gzip(read("CHANGELOG.md")?.as_bytes())?);
    let control = control(&read("deploy/debian/control")?, release, &tree);
    tree.file("DEBIAN/control", control);
    tree.file("DEBIAN/conffiles", format!("/{SETTINGS}\n"));
    for script in SCRIPTS {
        tree.program(&format!("DEBIAN/{script}"), read(&format!("deploy/debian/{script}"))?);
    }
    Ok(tree)
}

/// Fills the placeholders of the control file.
fn control(template: &str, release: &Release<'_>, tree: &Tree) -> String {
    let kibibytes = tree.files().map(|(_, bytes)| bytes.len().div_ceil(1024)).sum::<usize>();
    template
        .replace("@VERSION@", &release.version.debian())
        .replace("@ARCHITECTURE@", release.target.architecture())
        .replace("@INSTALLED_SIZE@", &kibibytes.to_string())
}

fn unit(text: &str) -> Result<String> {
    let mut unit = text.to_owned();
    for (from, to) in UNIT_CHANGES {
        ensure!(unit.matches(from).count() == 1, "the unit has not one `{}`", from.trim());
        unit = unit.replace(from, to);
    }
    Ok(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_runs_the_packages_binary_as_its_user() {
        let unit = unit(include_str!("../../../deploy/contact-hub.service")).unwrap();
        assert!(unit.contains("\nExecStart=/usr/bin/contact-hub serve\n"), "{unit}");
        assert!(unit.contains("\nUser=contact-hub\nGroup=contact-hub\nStateDirectory="), "{unit}");
        assert!(!unit.contains("DynamicUser"), "{unit}");
        assert!(super::unit("[Service]\n").is_err());
    }

    #[test]
    fn scripts_are_valid() {
        for script in SCRIPTS {
            let path = cargo::workspace_root().join("deploy/debian").join(script);
            process::capture(Command::new("sh").arg("-n").arg(path)).unwrap();
        }
    }
}
