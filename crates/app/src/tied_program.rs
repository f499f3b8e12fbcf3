//! A program that ends with this process.
//!
//! `pg_dump` and `pg_restore` would otherwise continue when this process is killed, and a restore would even commit. Linux
//! ends a process with its parent if it has asked for that itself. So this program is started once more, asks, and then
//! becomes the other program. Elsewhere the other program is started directly.

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write as _};
use std::process::{Command, ExitCode};

/// The first argument of the start in between. The id of the parent follows, the program, and its arguments.
const FIRST: &str = "__end-with-parent";

/// This program, also after its file was replaced by that of another version.
#[cfg(target_os = "linux")]
const ITSELF: &str = "/proc/self/exe";

/// The exit code of a program that could not be started, as in shells. Its message is the whole error.
pub(crate) const NOT_STARTED: u8 = 127;

/// A command that runs a program until it ends, or until the thread that starts it does.
pub(crate) fn command(program: &str) -> Command {
    #[cfg(target_os = "linux")]
    {
        let mut command = Command::new(ITSELF);
        command.arg(FIRST).arg(std::process::id().to_string()).arg(program);
        command
    }
    #[cfg(not(target_os = "linux"))]
    Command::new(program)
}

/// Becomes the program that the arguments name, if this is a start in between. It only returns if that fails.
pub(crate) fn become_named(arguments: &[OsString]) -> Option<ExitCode> {
    let [_itself, first, parent, program, rest @ ..] = arguments else { return None };
    if first != FIRST {
        return None;
    }
    let error = replace(&parent.to_string_lossy(), Command::new(program).args(rest));
    writeln!(io::stderr(), "{}", not_started(&program.to_string_lossy(), &error)).ok();
    Some(ExitCode::from(NOT_STARTED))
}

#[cfg(target_os = "linux")]
fn replace(parent: &str, command: &mut Command) -> io::Error {
    use std::os::unix::process::CommandExt as _;

    use rustix::process::{Signal, getppid, set_parent_process_death_signal};

    if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
        return error.into();
    }
    // The parent may have ended before it was asked for its signal.
    if getppid().is_none_or(|id| id.as_raw_nonzero().to_string() != parent) {
        return io::Error::other("the process that started it has ended");
    }
    command.exec()
}

#[cfg(not(target_os = "linux"))]
fn replace(_parent: &str, _command: &mut Command) -> io::Error {
    ErrorKind::Unsupported.into()
}

/// Why a client program of PostgreSQL does not start.
pub(crate) fn not_started(program: &str, error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => format!(
            "the program {program} is not found: install the client programs of PostgreSQL (the package postgresql-client), \
             of the server's version or a newer one"
        ),
        _ => format!("{program} cannot be started: {error}"),
    }
}
