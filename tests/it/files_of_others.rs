//! A database whose file belongs to another user or is read-only, or whose directory does not exist.

use std::fs::Permissions;
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Output;

use contact_hub_tests::TestDatabase;

use crate::process::{bare, expect_refused};

/// A user without rights.
const NOBODY: u32 = 65_534;

/// Runs a command as somebody else than root; `None` if that user may not start the program.
fn run(database: &TestDatabase, arguments: &[&str]) -> Option<Output> {
    let mut command = bare(database, arguments);
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    match command.output() {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => None,
        output => Some(output.expect("it runs")),
    }
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|found| found.uid() == 0)
}

#[test]
fn the_error_advises_to_run_as_the_owner() {
    let database = TestDatabase::migrated();
    if database.is_postgres() {
        return;
    }
    let directory = database.directory();
    std::fs::set_permissions(directory, Permissions::from_mode(0o755)).expect("own files");
    // Without another account this user's own file does not do.
    let file = if is_root() { directory.join("hub.db") } else { "/etc/passwd".into() };
    let url = format!("sqlite://{}", file.display());
    let Some(output) = run(&database, &["company", "list", "--database-url", &url]) else { return };
    expect_refused(&output, &["belongs to the user with the id 0", "sudo -u '#0'"]);
    let check = run(&database, &["check", "--database-url", &url]).expect("it starts too");
    let report: serde_json::Value = serde_json::from_slice(&check.stdout).expect("a report");
    assert!(report.to_string().contains("sudo -u '#0'"), "{report}");
    let missing = format!("{url}.missing");
    let missing = run(&database, &["company", "list", "--database-url", &missing]);
    let missing = missing.expect("it starts too");
    expect_refused(&missing, &["does not exist"]);
    assert!(!String::from_utf8_lossy(&missing.stderr).contains("sudo"));
    if is_root() {
        std::fs::set_permissions(directory, Permissions::from_mode(0o700)).expect("own files");
        let mut hidden = bare(&database, &["company", "list", "--database-url", &url]);
        hidden.current_dir("/").uid(NOBODY).gid(NOBODY);
        let hidden = hidden.output().expect("it runs");
        expect_refused(&hidden, &["belongs to the user with the id 0", "sudo -u '#0'"]);
    }
}

#[test]
fn the_error_names_a_file_that_is_read_only() {
    let database = TestDatabase::migrated();
    if database.is_postgres() {
        return;
    }
    let (directory, file) = (database.directory(), database.directory().join("hub.db"));
    let set_mode = |place: &Path, mode| {
        std::fs::set_permissions(place, Permissions::from_mode(mode)).expect("own files");
    };
    if is_root() {
        chown(&file, Some(NOBODY), Some(NOBODY)).expect("root may");
    }
    set_mode(&file, 0o444);
    set_mode(directory, 0o555);
    let url = format!("sqlite://{}", file.display());
    let output = run(&database, &["company", "list", "--database-url", &url]);
    set_mode(directory, 0o755);
    let Some(output) = output else { return };
    expect_refused(&output, &["hub.db is read-only"]);
}

#[test]
fn the_error_names_a_directory_that_does_not_exist() {
    let database = TestDatabase::migrated();
    let missing = database.directory().join("missing");
    let url = format!("sqlite://{}", missing.join("hub.db").display());
    for command in ["serve", "migrate"] {
        let output = bare(&database, &[command, "--database-url", &url]).output();
        let advice = format!("the directory {} does not exist", missing.display());
        expect_refused(&output.expect("it runs"), &[&advice]);
    }
}
