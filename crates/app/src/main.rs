//! The binary `contact-hub`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match contact_hub::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            contact_hub::output::report(&error);
            ExitCode::FAILURE
        }
    }
}
