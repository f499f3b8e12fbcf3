//! Backups and restores that are killed or cancelled, at PostgreSQL: its client programs end with the command.

use std::process::Command;
use std::time::Duration;

use contact_hub_tests::{Binary, TestDatabase};
use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, PgConnection, RunQueryDsl as _};

use super::{file, filled, names_with};
use crate::process::Service;
use crate::support::until;

const SOON: Duration = Duration::from_secs(20);

/// A connection that holds what these statements lock, until it rolls back.
fn holding(database: &TestDatabase, statements: &str) -> PgConnection {
    let mut connection = PgConnection::establish(database.url_text()).expect("PostgreSQL");
    connection.batch_execute(&format!("BEGIN; {statements}")).expect(statements);
    connection
}

/// How many rows a query of this database has, on a connection of its own.
fn count(database: &TestDatabase, query: &str) -> usize {
    let mut connection = PgConnection::establish(database.url_text()).expect("PostgreSQL");
    diesel::sql_query(query).execute(&mut connection).expect(query)
}

/// Waits until a client program waits for a lock, and returns the ids of the command's children.
async fn until_waiting(database: &TestDatabase, command: &Service, program: &str) -> Vec<u32> {
    let waiting = format!(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = '{program}' \
         AND wait_event_type = 'Lock'"
    );
    until(SOON, async || count(database, &waiting) > 0).await;
    let children = children(command.id());
    assert!(!children.is_empty(), "{program} is a child of the command");
    children
}

/// The state of a process and the id of its parent.
fn state(process: &str) -> Option<(char, u32)> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut words = stat.rsplit_once(") ")?.1.split(' ');
    Some((words.next()?.chars().next()?, words.next()?.parse().ok()?))
}

fn children(parent: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").expect("processes").flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let found = names.filter(|name| state(name).is_some_and(|(_, of)| of == parent));
    found.filter_map(|name| name.parse().ok()).collect()
}

async fn until_ended(children: &[u32]) {
    let runs = |id: &u32| state(&id.to_string()).is_some_and(|(state, _)| state != 'Z');
    until(SOON, async || !children.iter().any(runs)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_restore_restores_nothing() {
    let database = TestDatabase::empty();
    if !database.is_postgres() {
        return;
    }
    let _key = filled(&database).await;
    let backup = file(&database, "a.backup");
    let _made = Binary::on(&database).json(&["backup", &backup]);
    let elsewhere = TestDatabase::empty();
    let mut blocker = holding(&elsewhere, "CREATE TABLE contacts (id integer)");
    let command = Binary::on(&elsewhere).command(&["restore", &backup]);
    let mut restore = Service::spawn(&elsewhere, command);
    let children = until_waiting(&elsewhere, &restore, "pg_restore").await;
    restore.signal("KILL");
    restore.wait();
    until_ended(&children).await;
    blocker.batch_execute("ROLLBACK").expect("the lock is released");
    let sessions = "SELECT FROM pg_stat_activity WHERE datname = current_database() \
         AND application_name = 'pg_restore'";
    until(SOON, async || count(&elsewhere, sessions) == 0).await;
    let tables =
        "SELECT FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace";
    assert_eq!(count(&elsewhere, tables), 0);
}

/// A backup that waits for a lock, with the signal of a hang-up handled as usual or ignored.
fn waiting_backup(database: &TestDatabase, ignores_hang_up: bool) -> (Service, PgConnection) {
    let blocker = holding(database, "LOCK TABLE contacts IN ACCESS EXCLUSIVE MODE");
    let command = Binary::on(database).command(&["backup", &file(database, "a.backup")]);
    let mut shell = Command::new("sh");
    let script = if ignores_hang_up { "trap '' HUP; exec \"$@\"" } else { "exec \"$@\"" };
    shell.args(["-c", script, "sh"]).arg(command.get_program()).args(command.get_args());
    (Service::spawn(database, shell), blocker)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_backup_leaves_no_program_running() {
    let database = TestDatabase::empty();
    if !database.is_postgres() {
        return;
    }
    let _key = filled(&database).await;
    let (mut backup, _blocker) = waiting_backup(&database, false);
    let children = until_waiting(&database, &backup, "pg_dump").await;
    backup.signal("KILL");
    backup.wait();
    until_ended(&children).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_the_terminal_cancels_a_backup_unless_it_is_ignored() {
    let database = TestDatabase::empty();
    if !database.is_postgres() {
        return;
    }
    let _key = filled(&database).await;
    let (mut backup, blocker) = waiting_backup(&database, false);
    let children = until_waiting(&database, &backup, "pg_dump").await;
    backup.signal("HUP");
    let status = backup.wait();
    assert_eq!(status.code(), Some(1), "{status}");
    assert!(backup.log().contains("it was cancelled"), "{}", backup.log());
    until_ended(&children).await;
    assert!(names_with(&database, "a.backup").is_empty());
    drop(blocker);

    let (mut backup, blocker) = waiting_backup(&database, true);
    let _children = until_waiting(&database, &backup, "pg_dump").await;
    backup.signal("HUP");
    drop(blocker);
    assert!(backup.wait().success(), "{}", backup.log());
}
