//! Another company besides the first, created by the service's own commands.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::process;

/// Creates a company with a user who has these permissions; returns the user's key.
pub(super) fn create(program: &Path, database: &str, permissions: &[&str]) -> Result<String> {
    let run = |arguments: &[&str], member: &str| {
        let mut command = Command::new(program);
        command.args(arguments).args(["--database-url", database]);
        let created: Value = serde_json::from_str(&process::capture(&mut command)?)?;
        let found = created.get(member).and_then(Value::as_str).map(str::to_owned);
        found.with_context(|| format!("the command printed no {member}"))
    };
    let company = run(&["company", "create", "--name", "Other"], "id")?;
    let user = ["user", "create", "--company", &company, "--email", "other@bench.example"];
    let permissions = permissions.iter().flat_map(|name| ["--permission", name]);
    let user: Vec<&str> = user.into_iter().chain(permissions).collect();
    let user = run(&user, "id")?;
    run(&["api-key", "create", "--user", &user], "token")
}
