//! Reads the dependencies from cargo, and reports violations of the rules.
//!
//! The direct dependencies are read from the manifests, without resolving anything. The domain's tree is resolved
//! separately: resolved with the rest of the workspace, it would include features that only other crates enable.

use anyhow::{Context as _, Result, bail};
use cargo_metadata::{Dependency, DependencyKind, MetadataCommand, Package};

use super::check::{Edge, Graph, violations};
use super::rules::DOMAIN;
use crate::{cargo, process, report};

/// Runs the task.
pub(crate) fn run() -> Result<()> {
    let graph = read()?;
    let violations = violations(&graph);
    for violation in &violations {
        report::line(violation);
    }
    if !violations.is_empty() {
        bail!("{} forbidden dependencies", violations.len());
    }
    let (members, edges) = (graph.members.len(), graph.edges.len());
    report::line(&format!("{members} crates and {edges} dependencies follow the architecture"));
    Ok(())
}

fn read() -> Result<Graph> {
    let metadata = MetadataCommand::new()
        .manifest_path(cargo::workspace_root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .context("cannot read the workspace")?;
    let packages = metadata.workspace_packages();
    Ok(Graph {
        members: packages.iter().map(|package| package.name.to_string()).collect(),
        edges: packages.iter().flat_map(|package| edges(package)).collect(),
        domain_tree: domain_tree()?,
    })
}

fn edges(package: &Package) -> impl Iterator<Item = Edge> {
    let shipped = |dependency: &&Dependency| dependency.kind != DependencyKind::Development;
    package.dependencies.iter().filter(shipped).map(|dependency| Edge {
        from: package.name.to_string(),
        to: dependency.name.clone(),
        internal: dependency.path.is_some(),
        optional: dependency.optional,
    })
}

fn domain_tree() -> Result<Vec<String>> {
    let arguments = ["tree", "--package", DOMAIN, "--edges", "normal", "--prefix", "none"];
    let tree = process::capture(&mut cargo::command(&arguments))?;
    let names = tree.lines().filter_map(|line| line.split_whitespace().next());
    Ok(names.map(str::to_owned).collect())
}
