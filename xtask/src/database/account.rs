//! The operating system's account that a database server runs under.
//!
//! PostgreSQL refuses to run as root, which is common in containers and on build servers. Root then uses another
//! account: `postgres` or `nobody`, or one that is created.

use std::ffi::OsStr;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::process;

/// Accounts that root uses, the preferred one first.
const KNOWN: [&str; 2] = ["postgres", "nobody"];

/// The account that is created when none of these exists.
const MADE: &str = "contact-hub-test";

/// The account that runs the server and owns its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Account {
    /// The account that runs this task.
    Current,
    /// Another account, which root may use.
    Other {
        /// Its user id.
        user: u32,
        /// Its group id.
        group: u32,
    },
}

impl Account {
    /// The account for a new server.
    pub(crate) fn choose() -> Result<Self> {
        if current_user()? != 0 {
            return Ok(Self::Current);
        }
        if let Some(account) = KNOWN.into_iter().find_map(|name| Self::named(name).ok()) {
            return Ok(account);
        }
        make()
            .context("PostgreSQL refuses to run as root, and no other account could be created")?;
        Self::named(MADE)
    }

    /// The account that owns a file.
    pub(crate) fn owning(path: &Path) -> Result<Self> {
        let metadata = path.symlink_metadata()?;
        if metadata.uid() == current_user()? {
            return Ok(Self::Current);
        }
        Ok(Self::Other { user: metadata.uid(), group: metadata.gid() })
    }

    fn named(name: &str) -> Result<Self> {
        Ok(Self::Other { user: id("-u", &[name])?, group: id("-g", &[name])? })
    }

    /// A command that this account runs, from a directory that every account can enter.
    pub(crate) fn command(self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir("/");
        if let Self::Other { user, group } = self {
            command.uid(user).gid(group);
        }
        command
    }

    /// Changes the owner of a file to this account.
    pub(crate) fn take(self, path: &Path) -> Result<()> {
        match self {
            Self::Current => Ok(()),
            Self::Other { user, group } => std::os::unix::fs::chown(path, Some(user), Some(group))
                .with_context(|| format!("cannot give {} to user {user}", path.display())),
        }
    }
}

/// The id of the account that runs this task.
pub(crate) fn current_user() -> Result<u32> {
    id("-u", &[])
}

/// Gets a number from the `id` program.
fn id(which: &str, name: &[&str]) -> Result<u32> {
    let answer = process::capture(Command::new("id").arg(which).args(name))?;
    answer.trim().parse().with_context(|| format!("`id` answered {answer:?}"))
}

/// Creates a system account, by the usual program or by that of small systems.
fn make() -> Result<()> {
    let usual = ["--system", "--user-group", "--no-create-home", MADE];
    if process::succeeds(Command::new("useradd").args(usual)) {
        return Ok(());
    }
    process::capture(Command::new("adduser").args(["-S", "-D", "-H", MADE])).map(drop)
}
