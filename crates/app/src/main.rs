//! The binary `contact-hub`.

use std::process::ExitCode;

fn main() -> ExitCode {
    match contact_hub::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            contact_hub::output::report(&error);
            ExitCode::FAILURE
        }
    }
}
