//! The limits of the machine.

use std::path::Path;

use contact_hub_storage::DatabaseUrl;

use super::Finding;
use crate::backup::megabytes;
use crate::files;

/// With this many open files an instance can have the default number of connections.
const ENOUGH_FILES: u64 = 10_923;

/// With less free space than this, SQLite soon cannot write.
const LITTLE: u64 = 256 << 20;

pub(super) fn look(url: &DatabaseUrl) -> Vec<Finding> {
    let mut findings = vec![open_files()];
    if let DatabaseUrl::Sqlite(path) = url {
        findings.push(disk(Path::new(path)));
    }
    findings
}

/// The service raises the soft limit to the hard one.
fn open_files() -> Finding {
    let Ok((_soft, hard)) = rlimit::Resource::NOFILE.get() else {
        return Finding::ok("limits", "this system does not limit open files");
    };
    let found = format!("a process started here may open {hard} files");
    if hard >= ENOUGH_FILES {
        return Finding::ok("limits", found);
    }
    let advice = "raise the hard limit (LimitNOFILE= of systemd), so that 8192 connections fit";
    Finding::warning("limits", found, advice)
}

fn disk(database: &Path) -> Finding {
    let size = std::fs::metadata(database).map(|found| found.len()).unwrap_or_default();
    let Some(free) = files::free_bytes(files::directory_of(database)) else {
        return Finding::ok("disk", "its free space is not known on this system");
    };
    let found = format!("{} are free beside a database of {}", megabytes(free), megabytes(size));
    if free < LITTLE {
        return Finding::error("disk", found, "free some space: without it writes fail");
    }
    if free < size.saturating_mul(2) {
        let advice = "a backup on this disk and a restore each need as much as the database";
        return Finding::warning("disk", found, advice);
    }
    Finding::ok("disk", found)
}
