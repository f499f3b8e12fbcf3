//! The memory allocator of the program.
//!
//! mimalloc serves both Rust and the C code of the program, SQLite above all: two allocators would each keep freed memory
//! that the other could use. It is configured to return freed memory to the system soon, so that a bulk of 16 MiB does not
//! leave the process large.
//!
//! This crate has unsafe code, since mimalloc's options can only be set by a C function, and contains nothing else.

use libmimalloc_sys::{mi_option_set, mi_option_t};
use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// `mi_option_purge_delay` in mimalloc.h: after how many milliseconds freed pages are returned to the system.
const PURGE_DELAY: mi_option_t = 15;

/// Sets the options. Call it first in `main`.
#[expect(unsafe_code, reason = "the option can only be set by a C function")]
pub fn configure() {
    // SAFETY: the function only writes a number into a table of the allocator, and the index is within it.
    unsafe { mi_option_set(PURGE_DELAY, 10) }
}
