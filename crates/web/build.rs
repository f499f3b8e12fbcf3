//! Takes the two files of Swagger UI that the reference needs out of its archive, compressed as they are sent.

use std::env;
use std::error::Error;
use std::fs::File;
use std::io::{Cursor, Read, Seek, copy};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;
use zip::ZipArchive;

const FILES: [&str; 2] = ["swagger-ui.css", "swagger-ui-bundle.js"];

#[expect(clippy::disallowed_methods, reason = "Cargo names the directory in the environment")]
fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let directory = env::var("OUT_DIR")?;
    let mut archive = ZipArchive::new(Cursor::new(SWAGGER_UI_VENDORED))?;
    for name in FILES {
        let place =
            position(&archive, &format!("/dist/{name}")).ok_or("Swagger UI lacks a file")?;
        let mut file = archive.by_index(place)?;
        let written = File::create(Path::new(&directory).join(format!("{name}.gz")))?;
        let mut compressed = GzEncoder::new(written, Compression::best());
        copy(&mut file, &mut compressed)?;
        compressed.finish()?;
    }
    Ok(())
}

fn position<R: Read + Seek>(archive: &ZipArchive<R>, suffix: &str) -> Option<usize> {
    (0..archive.len()).find(|place| {
        let name = archive.name_for_index(*place).and_then(Result::ok);
        name.is_some_and(|name| name.ends_with(suffix))
    })
}
