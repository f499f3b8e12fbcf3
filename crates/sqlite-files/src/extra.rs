//! What this crate keeps for each open file, in the memory behind what the system keeps for it.

use std::ffi::c_int;
use std::ptr;

use libsqlite3_sys::{sqlite3_file, sqlite3_vfs};

use crate::frames::Frames;

/// What is kept for an open database or write-ahead log. SQLite uses the files of a connection in one thread at a time.
pub(crate) struct Extra {
    /// Of a database: its log, while that is open.
    pub(crate) log: *mut sqlite3_file,
    /// Of a database: whether its connection has the lock of the writer of the log.
    pub(crate) is_writer: bool,
    /// Of a log: its database.
    pub(crate) database: *mut sqlite3_file,
    /// Of a log: what is not written yet.
    pub(crate) frames: Frames,
}

impl Extra {
    /// Nothing yet.
    pub(crate) const fn new() -> Self {
        Self {
            log: ptr::null_mut(),
            is_writer: false,
            database: ptr::null_mut(),
            frames: Frames::new(),
        }
    }
}

/// SQLite aligns the memory of a file like this.
const ALIGNMENT: usize = 8;
const _: () =
    assert!(align_of::<Extra>() <= ALIGNMENT, "the memory of a file is not aligned enough");

/// Where the extra data of a file of this file system begins.
pub(crate) fn offset(system: &sqlite3_vfs) -> Option<usize> {
    Some(usize::try_from(system.szOsFile).ok()?.next_multiple_of(ALIGNMENT))
}

/// The size of a file's memory with the extra data.
pub(crate) fn size(offset: usize) -> Option<c_int> {
    c_int::try_from(offset + size_of::<Extra>()).ok()
}

/// The extra data of a file.
///
/// # Safety
///
/// The memory of the file has the [`size`] for this offset.
#[expect(unsafe_code, reason = "what the system keeps has no type here")]
pub(crate) unsafe fn of(file: *mut sqlite3_file, offset: usize) -> *mut Extra {
    // SAFETY: by the caller, the file has memory from this offset on.
    unsafe { file.cast::<u8>().add(offset) }.cast()
}
