//! Runs commands of other programs, and handles interruptions.
//!
//! Ctrl-C, SIGTERM and SIGHUP do not end a task at once. They end the command that it waits for, with all its
//! children, and keep new ones from starting. The task then returns as after a failure, and `Drop` cleans up.
//!
//! Commands run in separate process groups, so that a terminal's Ctrl-C reaches only the task, and a group can be
//! ended as a whole.

use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, Result, bail, ensure};

/// The state that the signal handler and the running task share.
struct State {
    /// Set by the first signal, and never reset.
    interrupted: bool,
    /// The process group of the command that a task waits for.
    group: Option<u32>,
}

static STATE: Mutex<State> = Mutex::new(State { interrupted: false, group: None });

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes Ctrl-C, SIGTERM and SIGHUP end the running command instead of the task itself.
pub(crate) fn watch_signals() -> Result<()> {
    ctrlc::set_handler(|| {
        let mut state = state();
        let signal = if state.interrupted { "KILL" } else { "TERM" };
        state.interrupted = true;
        if let Some(group) = state.group {
            signal_group(group, signal);
        }
    })
    .context("cannot watch for signals")
}

/// Whether a signal has requested the end of the task.
pub(crate) fn interrupted() -> bool {
    state().interrupted
}

/// Runs a command with its output shown as it comes; an interruption ends it.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let shown = shown(command);
    let mut child = spawn(command).with_context(|| format!("cannot run `{shown}`"))?;
    let status = child.wait();
    let interrupted = {
        let mut state = state();
        state.group = None;
        state.interrupted
    };
    if interrupted {
        signal_group(child.id(), "KILL");
        bail!("interrupted");
    }
    let status = status.with_context(|| format!("cannot wait for `{shown}`"))?;
    ensure!(status.success(), "`{shown}` failed ({status})");
    Ok(())
}

/// Starts a command and stores its group in one step, so that no signal is missed in between.
fn spawn(command: &mut Command) -> Result<Child> {
    let mut state = state();
    ensure!(!state.interrupted, "interrupted");
    let child = command.stdin(Stdio::null()).process_group(0).spawn()?;
    state.group = Some(child.id());
    Ok(child)
}

/// Runs a command that must not be interrupted, such as a package manager, and shows its output.
pub(crate) fn run_to_the_end(command: &mut Command) -> Result<()> {
    let shown = shown(command);
    let status = command.stdin(Stdio::null()).status();
    let status = status.with_context(|| format!("cannot run `{shown}`"))?;
    ensure!(status.success(), "`{shown}` failed ({status})");
    Ok(())
}

/// Runs a short command to its end, despite signals, and returns its output; its standard error becomes part of a
/// failure.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let shown = shown(command);
    let output = command.stdin(Stdio::null()).process_group(0).output();
    let output = output.with_context(|| format!("cannot run `{shown}`"))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "`{shown}` failed ({}): {}", output.status, complaint.trim());
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// True when a short command exists and succeeds.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    capture(command).is_ok()
}

/// Sends a signal to a whole process group. It uses the shell's `kill`, because a small system may have no such
/// program. A group that has already ended is no error.
fn signal_group(group: u32, signal: &str) {
    let script = format!("kill -s {signal} -- -{group}");
    succeeds(Command::new("sh").args(["-c", &script]));
}

/// Sends a signal to processes; one that has already ended is no error.
pub(crate) fn signal(ids: &[String], signal: &str) {
    let script = format!("kill -s {signal} {}", ids.join(" "));
    succeeds(Command::new("sh").args(["-c", &script]));
}

/// The peak resident memory of a process so far, in megabytes.
pub(crate) fn peak_megabytes(id: &str) -> Result<f64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status"))
        .context("the process has ended, or the system does not report its memory")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.context("no peak of memory")?.trim().trim_end_matches(" kB");
    Ok(kilobytes.parse::<f64>()? / 1024.0)
}

/// A command as a person would type it.
fn shown(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let program = program.file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_carries_the_command_and_its_complaint() {
        let mut command = Command::new("/bin/sh");
        let error = capture(command.args(["-c", "echo broken >&2; exit 3"])).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("`sh -c echo broken"), "{text}");
        assert!(text.ends_with("(exit status: 3): broken"), "{text}");
    }

    #[test]
    fn what_a_command_writes_is_returned() {
        assert_eq!(capture(Command::new("sh").args(["-c", "echo here"])).unwrap(), "here\n");
    }

    #[test]
    fn a_program_that_does_not_exist_does_not_succeed() {
        assert!(!succeeds(&mut Command::new("no-such-program-anywhere")));
    }

    #[test]
    fn a_signal_ends_the_whole_group() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 60 & wait"]).process_group(0);
        let mut child = command.spawn().unwrap();
        signal_group(child.id(), "TERM");
        assert!(!child.wait().unwrap().success());
    }
}
