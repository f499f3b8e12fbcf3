//! `contact-hub openapi`

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use contact_hub_web::OpenApiVersion;

use crate::output::print_line;

/// Which document.
#[derive(Args, Debug)]
pub struct OpenapiSettings {
    /// The version of OpenAPI in which it is written; many generators of clients read only 3.0
    #[arg(long, value_name = "VERSION", value_enum, default_value_t = Spec::Current)]
    spec: Spec,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Spec {
    #[value(name = "3.1")]
    Current,
    #[value(name = "3.0")]
    Older,
}

impl From<Spec> for OpenApiVersion {
    fn from(spec: Spec) -> Self {
        match spec {
            Spec::Current => Self::Current,
            Spec::Older => Self::Older,
        }
    }
}

/// Prints the OpenAPI document.
pub fn run(settings: &OpenapiSettings) -> Result<()> {
    let version = OpenApiVersion::from(settings.spec);
    print_line(&version.write("").context("the document cannot be written")?)
}
