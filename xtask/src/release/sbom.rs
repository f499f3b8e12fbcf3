//! The bill of materials: the crates in the binary, in `CycloneDX` 1.5.
//!
//! It contains what cargo reports, and so does not cover the C library, which is musl's and partly LLVM's. Other code
//! in other languages is in crates too: `libsqlite3-sys`, `pq-src`, `aws-lc-sys`, `libmimalloc-sys` and
//! `utoipa-swagger-ui-vendored`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context as _, Result, ensure};
use cargo_metadata::{Metadata, MetadataCommand, Node, Package, PackageId};
use serde_json::{Value, json};

use super::Release;
use super::target::Target;
use crate::{cargo, process};

/// The name and version of a crate.
type Crate = (String, String);

/// Writes it.
pub(super) fn write(release: &Release<'_>) -> Result<()> {
    let top = cargo::workspace_root();
    let metadata = MetadataCommand::new()
        .manifest_path(top.join("Cargo.toml"))
        .other_options(
            ["--locked", "--filter-platform", release.target.triple()].map(str::to_owned),
        )
        .exec()
        .context("cannot read the dependencies")?;
    let used = used(release.target)?;
    let known: BTreeSet<Crate> = metadata.packages.iter().map(crate_of).collect();
    let missing: Vec<_> = used.difference(&known).collect();
    ensure!(missing.is_empty(), "cargo does not describe {missing:?}");
    let sums = checksums(&fs::read_to_string(top.join("Cargo.lock"))?);
    let document = document(release, &metadata, &used, &sums);
    fs::write(release.file(".cdx.json"), serde_json::to_vec_pretty(&document)?)?;
    Ok(())
}

/// The crates that the binary is built from, with their build scripts. Resolved for it alone: with the rest of the
/// workspace, crates would have more features.
fn used(target: Target) -> Result<BTreeSet<Crate>> {
    let mut tree = cargo::command(&["tree", "--locked", "--package", "contact-hub"]);
    tree.args(["--edges", "normal,build", "--prefix", "none"]);
    tree.args(["--format", "{p}", "--target", target.triple()]);
    let lines = process::capture(&mut tree)?;
    let crates = lines.lines().filter_map(|line| {
        let (name, rest) = line.split_once(" v")?;
        let version = rest.split_whitespace().next()?;
        Some((name.to_owned(), version.to_owned()))
    });
    Ok(crates.collect())
}

/// The checksums in the lock file.
fn checksums(lock: &str) -> BTreeMap<Crate, String> {
    let blocks = lock.split("[[package]]").skip(1);
    let of_block = |block: &str| {
        let value = |name: &str| {
            let line = block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
            Some(line?.trim_matches('"').to_owned())
        };
        Some(((value("name")?, value("version")?), value("checksum")?))
    };
    blocks.filter_map(of_block).collect()
}

fn document(
    release: &Release<'_>,
    metadata: &Metadata,
    used: &BTreeSet<Crate>,
    sums: &BTreeMap<Crate, String>,
) -> Value {
    let packages = metadata.packages.iter().filter(|package| used.contains(&crate_of(package)));
    let packages: BTreeMap<&PackageId, &Package> =
        packages.map(|package| (&package.id, package)).collect();
    let is_root = |package: &&&Package| package.name == "contact-hub";
    let root = packages.values().find(is_root).map(|package| reference(package));
    let components = packages.values().filter(|package| !is_root(package));
    let nodes = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": release.version.moment,
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": "contact-hub",
                "version": release.version.text,
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            },
        },
        "components": components.map(|package| component(package, sums)).collect::<Vec<_>>(),
        "dependencies": nodes.filter_map(|node| dependency(node, &packages)).collect::<Vec<_>>(),
    })
}

fn crate_of(package: &Package) -> Crate {
    (package.name.to_string(), package.version.to_string())
}

/// The address of a package, by which others of the document refer to it.
fn reference(package: &Package) -> String {
    // In such an address `+` means a space.
    let version = package.version.to_string().replace('+', "%2B");
    format!("pkg:cargo/{}@{version}", package.name)
}

fn component(package: &Package, sums: &BTreeMap<Crate, String>) -> Value {
    let reference = reference(package);
    let mut component = json!({
        "type": "library",
        "bom-ref": reference,
        "name": package.name.as_str(),
        "version": package.version.to_string(),
        "purl": reference,
    });
    if let Value::Object(component) = &mut component {
        if let Some(licence) = &package.license {
            // Older crates separate alternatives with a slash.
            let licences = json!([{ "expression": licence.replace('/', " OR ") }]);
            component.insert("licenses".to_owned(), licences);
        }
        if let Some(sum) = sums.get(&crate_of(package)) {
            let hashes = json!([{ "alg": "SHA-256", "content": sum }]);
            component.insert("hashes".to_owned(), hashes);
        }
    }
    component
}

fn dependency(node: &Node, packages: &BTreeMap<&PackageId, &Package>) -> Option<Value> {
    let package = packages.get(&node.id)?;
    let on = node.dependencies.iter().filter_map(|id| packages.get(id));
    let on: BTreeSet<String> = on.map(|package| reference(package)).collect();
    Some(json!({ "ref": reference(package), "dependsOn": on }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_read_from_the_lock_file() {
        let sums = checksums(include_str!("../../../Cargo.lock"));
        let of = |name: &str| sums.iter().find(|((found, _), _)| found == name);
        let (_, sum) = of("actix-web").unwrap();
        assert_eq!(sum.len(), 64);
        assert!(sum.chars().all(|digit| digit.is_ascii_hexdigit()), "{sum}");
        assert!(of("contact-hub").is_none(), "it is not from the registry");
    }
}
