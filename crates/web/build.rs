//! Compresses large files as they are sent: the two of Swagger UI that the reference needs, out of its archive, and the
//! editor of the pages.

use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::io::{Cursor, Read, Seek, Write, copy};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;
use zip::ZipArchive;

const SWAGGER_UI: [&str; 2] = ["swagger-ui.css", "swagger-ui-bundle.js"];

const CODEMIRROR: &str = "static/vendor/codemirror";

#[expect(clippy::disallowed_methods, reason = "Cargo names the directory in the environment")]
fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={CODEMIRROR}");
    let directory = env::var("OUT_DIR")?;
    let compressed = |name: &str| {
        let file = File::create(Path::new(&directory).join(format!("{name}.gz")))?;
        Ok::<_, std::io::Error>(GzEncoder::new(file, Compression::best()))
    };
    let mut archive = ZipArchive::new(Cursor::new(SWAGGER_UI_VENDORED))?;
    for name in SWAGGER_UI {
        let place =
            position(&archive, &format!("/dist/{name}")).ok_or("Swagger UI lacks a file")?;
        let mut written = compressed(name)?;
        copy(&mut archive.by_index(place)?, &mut written)?;
        written.finish()?;
    }
    let licence = fs::read_to_string(format!("{CODEMIRROR}/LICENSE"))?;
    let script = fs::read_to_string(format!("{CODEMIRROR}/codemirror.min.js"))?;
    let mut written = compressed("codemirror.js")?;
    write!(written, "/*\n{licence}*/\n{script}")?;
    written.finish()?;
    Ok(())
}

fn position<R: Read + Seek>(archive: &ZipArchive<R>, suffix: &str) -> Option<usize> {
    (0..archive.len()).find(|place| {
        let name = archive.name_for_index(*place).and_then(Result::ok);
        name.is_some_and(|name| name.ends_with(suffix))
    })
}
