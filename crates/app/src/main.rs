//! The binary `contact-hub`.

use std::process::ExitCode;

fn main() -> ExitCode {
    contact_hub_allocator::configure();
    match contact_hub::cli::run() {
        Ok(code) => code,
        Err(error) => {
            contact_hub::output::report(&error);
            ExitCode::FAILURE
        }
    }
}
