//! The snippets of `docs/integrating/` work with a real hub, in the languages that this machine has.

mod erase;
mod export;
mod front;
mod mirror;
mod send;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The languages whose snippets are programs.
const PROGRAMS: [&str; 4] = ["py", "mjs", "go", "php"];

/// Whether a program is on this machine.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn is_there(program: &str, arguments: &[&str]) -> bool {
    let output = Command::new(program).args(arguments).output();
    let there = output.is_ok_and(|it| it.status.success());
    if !there {
        eprintln!("skipped: {program} is missing, or a part of it");
    }
    there
}

/// Builds the program if necessary, and returns its command line.
pub(crate) fn program(snippet: &str) -> Option<Vec<String>> {
    let file = top().join("docs/integrating").join(snippet).display().to_string();
    let (name, language) = snippet.rsplit_once('.').expect("an ending");
    match language {
        "py" => is_there("python3", &["--version"]).then(|| vec!["python3".to_owned(), file]),
        "mjs" => is_there("node", &["--version"]).then(|| vec!["node".to_owned(), file]),
        "php" => {
            let has_curl = "exit(function_exists('curl_init') ? 0 : 1);";
            is_there("php", &["-r", has_curl]).then(|| vec!["php".to_owned(), file])
        }
        "go" => is_there("go", &["version"]).then(|| {
            // `go run` has its own exit code, and compiles on each call.
            std::fs::create_dir_all(target()).expect("a directory");
            let program = target().join(format!("{name}-go")).display().to_string();
            let status = Command::new("go").args(["build", "-o", &program, &file]).status();
            assert!(status.expect("go runs").success());
            vec![program]
        }),
        other => panic!("nothing runs .{other}"),
    }
}

/// Runs a program with a hub's address and a key.
fn run(words: &[String], arguments: &[&str], hub: &str, key: &str, input: &str) -> Output {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).args(arguments).env("HUB", hub).env("KEY", key);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("it starts");
    child.stdin.take().expect("its input").write_all(input.as_bytes()).ok();
    child.wait_with_output().expect("it ends")
}

/// What it printed.
#[track_caller]
fn printed(output: &Output, exit: i32) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(exit), "{errors}");
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A directory below the target directory.
pub(crate) fn target() -> PathBuf {
    let test = std::env::current_exe().expect("the test's own path");
    let profile = test.parent().and_then(Path::parent).expect("target/<profile>");
    profile.join("integrating")
}
