//! The packages that contain a PostgreSQL server.

use anyhow::Result;

use crate::packages::{self, Wanted, Way};

/// On installation Debian creates and starts a server unless it is configured not to; this configures it for the time
/// of the installation only.
const APT: &str = "
    set -e
    export DEBIAN_FRONTEND=noninteractive
    apt-get update
    apt-get install -y --no-install-recommends postgresql-common
    settings=/etc/postgresql-common/createcluster.d
    trap 'rm -f $settings/contact-hub-test.conf' EXIT
    mkdir -p $settings
    echo 'create_main_cluster = false' > $settings/contact-hub-test.conf
    apt-get install -y --no-install-recommends postgresql
";

const POSTGRES: Wanted = Wanted {
    name: "PostgreSQL (version 13 or newer)",
    ways: &[
        Way::scripted("apt-get", "apt-get update && apt-get install -y postgresql", APT),
        Way::plain("dnf", "dnf install -y postgresql-server"),
        Way::plain("yum", "yum install -y postgresql-server"),
        Way::plain("zypper", "zypper --non-interactive install postgresql-server"),
        Way::plain("apk", "apk add postgresql"),
        Way::plain("pacman", "pacman -Sy --noconfirm postgresql"),
        Way::plain("brew", "brew install postgresql"),
    ],
};

/// Installs PostgreSQL, or returns instructions.
pub(crate) fn install() -> Result<()> {
    packages::install(&POSTGRES)
}
