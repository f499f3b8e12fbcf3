//! `contact-hub openapi`

use anyhow::{Context, Result};
use contact_hub_web::document;

use crate::output::print_line;

/// Prints the OpenAPI document.
pub fn run() -> Result<()> {
    let document = document("").to_json().context("the document cannot be written")?;
    print_line(&document)
}
