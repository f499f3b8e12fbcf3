//! The memory allocator of the program.
//!
//! mimalloc serves both Rust and the C code of the program, SQLite above all: two allocators would each keep freed memory
//! that the other could use. It is configured to return freed memory to the system soon, so that a bulk of 16 MiB does not
//! leave the process large, and not to keep memory for each thread: a request runs on several.
//!
//! This crate has unsafe code, since mimalloc's options can only be set by a C function, and contains nothing else.

use std::ffi::c_long;

use libmimalloc_sys::{mi_option_set, mi_option_t};
use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// `mi_option_purge_delay` in mimalloc.h: after how many milliseconds freed pages are returned to the system.
const PURGE_DELAY: mi_option_t = 15;

/// `mi_option_page_full_retain`: how many full pages of each size a thread keeps for itself. All threads take blocks
/// from the others once the blocks have been freed.
const PAGE_FULL_RETAIN: mi_option_t = 36;

/// Sets the options. Call it first in `main`.
pub fn configure() {
    set(PURGE_DELAY, 10);
    set(PAGE_FULL_RETAIN, 0);
}

#[expect(unsafe_code, reason = "an option can only be set by a C function")]
fn set(option: mi_option_t, value: c_long) {
    // SAFETY: the function only writes a number into a table of the allocator, and the index is within it.
    unsafe { mi_option_set(option, value) }
}

#[cfg(test)]
mod tests {
    use libmimalloc_sys::mi_option_get;

    use super::*;

    #[expect(unsafe_code, reason = "an option can only be read by a C function")]
    fn get(option: mi_option_t) -> c_long {
        // SAFETY: the function only reads a number of a table of the allocator, and the index is within it.
        unsafe { mi_option_get(option) }
    }

    /// The option numbers differ between versions of mimalloc, as do most of the defaults.
    #[test]
    fn the_option_numbers_match_the_intended_options() {
        let around = |option: mi_option_t| [option - 1, option, option + 1].map(get);
        assert_eq!(around(PURGE_DELAY), [1, 1000, 0]);
        assert_eq!(around(PAGE_FULL_RETAIN), [0, 2, 4]);
        configure();
        assert_eq!(around(PURGE_DELAY), [1, 10, 0]);
        assert_eq!(around(PAGE_FULL_RETAIN), [0, 0, 4]);
    }
}
