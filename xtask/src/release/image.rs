//! The image for containers, as an archive of the OCI layout, which `docker load`, `podman load` and `skopeo` read.
//!
//! It has one layer: the binary, Mozilla's root certificates, a user, and directories for data and temporary files.

use std::fs;

use anyhow::Result;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use webpki_root_certs::TLS_SERVER_ROOT_CERTS;

use super::Release;
use super::sums::sha256;
use super::tree::{Tree, gzip};
use crate::cargo;

/// The user's number; a number, since Kubernetes cannot check that a name is not root.
const USER: u32 = 10001;

/// Where the service runs, and the database and its key are, with SQLite.
const DATA: &str = "data";

const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";
const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const INDEX: &str = "application/vnd.oci.image.index.v1+json";

/// Writes it.
pub(super) fn write(release: &Release<'_>) -> Result<()> {
    let epoch = release.version.epoch;
    let layer = files(release)?.tar(epoch)?;
    let mut layout = Tree::default();
    let packed = add_blob(&mut layout, LAYER, gzip(&layer)?);
    let config = config(release, &sha256(&layer));
    let config = add_blob(&mut layout, CONFIG, serde_json::to_vec(&config)?);
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": config,
        "layers": [packed],
    });
    let mut entry = add_blob(&mut layout, MANIFEST, serde_json::to_vec(&manifest)?);
    let tag = release.version.image_tag();
    if let Value::Object(entry) = &mut entry {
        let platform = json!({ "architecture": release.target.architecture(), "os": "linux" });
        entry.insert("platform".to_owned(), platform);
        let name = json!({ "org.opencontainers.image.ref.name": tag });
        entry.insert("annotations".to_owned(), name);
    }
    let index = json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": [entry] });
    layout.file("index.json", serde_json::to_vec(&index)?);
    layout.file("oci-layout", r#"{"imageLayoutVersion":"1.0.0"}"#);
    let for_docker = json!([{
        "Config": path_of(&config),
        "RepoTags": [format!("contact-hub:{tag}")],
        "Layers": [path_of(&packed)],
    }]);
    layout.file("manifest.json", serde_json::to_vec(&for_docker)?);
    fs::write(release.file(".oci.tar"), layout.tar(epoch)?)?;
    Ok(())
}

/// Adds a file that is named by its checksum, and returns its descriptor.
fn add_blob(layout: &mut Tree, kind: &str, bytes: Vec<u8>) -> Value {
    let digest = sha256(&bytes);
    let descriptor =
        json!({ "mediaType": kind, "digest": format!("sha256:{digest}"), "size": bytes.len() });
    layout.file(&format!("blobs/sha256/{digest}"), bytes);
    descriptor
}

fn path_of(descriptor: &Value) -> String {
    let digest = descriptor.get("digest").and_then(Value::as_str).unwrap_or_default();
    format!("blobs/{}", digest.replacen(':', "/", 1))
}

/// The files of the container.
fn files(release: &Release<'_>) -> Result<Tree> {
    let mut tree = Tree::default();
    tree.program("usr/local/bin/contact-hub", fs::read(&release.binary)?);
    let user = format!("contact-hub:x:{USER}:{USER}::/{DATA}:/sbin/nologin\n");
    tree.file("etc/passwd", format!("root:x:0:0::/root:/sbin/nologin\n{user}"));
    tree.file("etc/group", format!("root:x:0:\ncontact-hub:x:{USER}:\n"));
    tree.file("etc/ssl/certs/ca-certificates.crt", root_certificates());
    tree.directory(DATA, 0o700, USER);
    tree.directory("tmp", 0o1777, 0);
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let text = fs::read(cargo::workspace_root().join(licence))?;
        tree.file(&format!("usr/share/doc/contact-hub/{licence}"), text);
    }
    Ok(tree)
}

/// Mozilla's list, of the version in Cargo.lock, so that the machine's own does not matter.
fn root_certificates() -> String {
    let mut text = String::new();
    for certificate in TLS_SERVER_ROOT_CERTS {
        let encoded = STANDARD.encode(certificate);
        text.push_str("-----BEGIN CERTIFICATE-----\n");
        for (place, letter) in encoded.chars().enumerate() {
            if place > 0 && place % 64 == 0 {
                text.push('\n');
            }
            text.push(letter);
        }
        text.push_str("\n-----END CERTIFICATE-----\n");
    }
    text
}

fn config(release: &Release<'_>, layer: &str) -> Value {
    let version = release.version;
    json!({
        "created": version.moment,
        "architecture": release.target.architecture(),
        "os": "linux",
        "config": {
            "User": format!("{USER}:{USER}"),
            "ExposedPorts": { "8080/tcp": {} },
            "Env": ["PATH=/usr/local/bin", "CONTACT_HUB_LISTEN=0.0.0.0:8080"],
            "Entrypoint": ["contact-hub"],
            "Volumes": { format!("/{DATA}"): {} },
            "WorkingDir": format!("/{DATA}"),
            "StopSignal": "SIGTERM",
            "Labels": {
                "org.opencontainers.image.title": "Contact Hub",
                "org.opencontainers.image.description": "A contacts service for companies that send",
                "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
                "org.opencontainers.image.version": version.text,
                "org.opencontainers.image.revision": version.commit,
                "org.opencontainers.image.created": version.moment,
            },
        },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{layer}")] },
        "history": [{ "created": version.moment, "created_by": "cargo xtask release" }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_certificates_are_in_lines_of_64() {
        let text = root_certificates();
        let is_heading = |line: &&str| line.starts_with("-----");
        let headings = text.lines().filter(is_heading).count();
        assert_eq!(headings, 2 * TLS_SERVER_ROOT_CERTS.len());
        assert!(text.lines().all(|line| !line.is_empty() && line.len() <= 64), "{text}");
    }

    #[test]
    fn a_blob_is_where_its_descriptor_says() {
        let mut layout = Tree::default();
        let descriptor = add_blob(&mut layout, LAYER, b"layer".to_vec());
        let path = path_of(&descriptor);
        assert!(path.starts_with("blobs/sha256/"), "{path}");
        assert_eq!(layout.files().collect::<Vec<_>>(), [(path.as_str(), b"layer".as_slice())]);
    }
}
