//! The files of the pages. They are inside the binary, and their addresses change with their contents.

use std::sync::LazyLock;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};
use sha2::{Digest as _, Sha256};

use crate::error::{Answer, Code};

/// The sections of the style sheet; the last one overrides the others.
const STYLE: &str = concat!(
    include_str!("../../static/css/colours.css"),
    include_str!("../../static/css/base.css"),
    include_str!("../../static/css/frame.css"),
    include_str!("../../static/css/headings.css"),
    include_str!("../../static/css/buttons.css"),
    include_str!("../../static/css/cards.css"),
    include_str!("../../static/css/forms.css"),
    include_str!("../../static/css/tables.css"),
    include_str!("../../static/css/details.css"),
    include_str!("../../static/css/docs.css"),
    include_str!("../../static/css/parts.css"),
    include_str!("../../static/css/charts.css"),
    include_str!("../../static/css/deliveries.css"),
    include_str!("../../static/css/overview.css"),
    include_str!("../../static/css/two_step.css"),
    include_str!("../../static/css/go_to.css"),
    include_str!("../../static/css/contacts.css"),
    include_str!("../../static/css/assets.css"),
    include_str!("../../static/css/narrow.css"),
);
/// The script of every page; its last part uses the others.
const SCRIPT: &str = concat!(
    include_str!("../../static/moments.js"),
    include_str!("../../static/pickers.js"),
    include_str!("../../static/copying.js"),
    include_str!("../../static/unsaved.js"),
    include_str!("../../static/go_to.js"),
    include_str!("../../static/pages.js"),
);
const CONTACTS: &str = include_str!("../../static/contacts.js");
const DELIVERIES: &str = include_str!("../../static/deliveries.js");
/// The script of the import. The braces separate its names from those of the other scripts.
const IMPORT: &str = concat!(
    "\"use strict\";\n{\n",
    include_str!("../../static/import/rows.js"),
    include_str!("../../static/import/service.js"),
    include_str!("../../static/import/mapping.js"),
    include_str!("../../static/import/refused.js"),
    include_str!("../../static/import/saved.js"),
    include_str!("../../static/import/progress.js"),
    include_str!("../../static/import/import.js"),
    "}\n",
);
const PASSKEYS: &str = include_str!("../../static/passkeys.js");
const LIVE: &str = include_str!("../../static/live.js");
/// Papa Parse, with its licence in a comment before it.
const PAPAPARSE: &str = concat!(
    "/*\n",
    include_str!("../../static/vendor/papaparse/LICENSE"),
    "*/\n",
    include_str!("../../static/vendor/papaparse/papaparse.min.js"),
);
/// `CodeMirror`, with its licences in a comment before it. The build script compresses it, since it is larger than all other
/// files.
const CODEMIRROR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/codemirror.js.gz"));
const PREVIEW: &str = include_str!("../../static/preview.js");
const ASSET_EDITOR: &str = include_str!("../../static/asset_editor.js");
const ICON: &str = include_str!("../../static/icon.svg");

/// How many hexadecimal digits the version of the files has.
const VERSION_DIGITS: usize = 32;

/// A hash of the files, so that a browser may cache them forever.
pub(crate) static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut digest = Sha256::new();
    for file in TEXTS {
        digest.update(file);
    }
    digest.update(CODEMIRROR);
    let mut version = hex::encode(digest.finalize());
    version.truncate(VERSION_DIGITS);
    version
});

const TEXTS: [&str; 11] = [
    STYLE,
    SCRIPT,
    CONTACTS,
    DELIVERIES,
    LIVE,
    PASSKEYS,
    IMPORT,
    PAPAPARSE,
    PREVIEW,
    ASSET_EDITOR,
    ICON,
];

/// `GET /static/{file}`. Files that are compressed in the binary are sent compressed, which every browser accepts.
pub(crate) async fn file(request: HttpRequest) -> Answer {
    let (kind, text) = match request.match_info().get("file").unwrap_or_default() {
        "pages.css" => ("text/css; charset=utf-8", STYLE),
        "pages.js" => ("text/javascript; charset=utf-8", SCRIPT),
        "deliveries.js" => ("text/javascript; charset=utf-8", DELIVERIES),
        "passkeys.js" => ("text/javascript; charset=utf-8", PASSKEYS),
        "live.js" => ("text/javascript; charset=utf-8", LIVE),
        "contacts.js" => ("text/javascript; charset=utf-8", CONTACTS),
        "import.js" => ("text/javascript; charset=utf-8", IMPORT),
        "papaparse.js" => ("text/javascript; charset=utf-8", PAPAPARSE),
        "codemirror.js" => {
            let mut response = kept("text/javascript; charset=utf-8", CODEMIRROR);
            response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            return Ok(response);
        }
        "preview.js" => ("text/javascript; charset=utf-8", PREVIEW),
        "asset_editor.js" => ("text/javascript; charset=utf-8", ASSET_EDITOR),
        "icon.svg" => ("image/svg+xml", ICON),
        _ => return Err(Code::NotFound.into()),
    };
    Ok(kept(kind, text.as_bytes()))
}

fn kept(kind: &str, bytes: &'static [u8]) -> HttpResponse {
    let kept = HeaderValue::from_static("public, max-age=31536000, immutable");
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, kind))
        .insert_header((CACHE_CONTROL, kept))
        .body(bytes)
}
