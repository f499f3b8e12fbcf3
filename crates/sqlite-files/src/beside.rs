//! What belongs to an open file beside what the system keeps of it, in the memory behind that.

use std::ffi::c_int;
use std::ptr;

use libsqlite3_sys::{sqlite3_file, sqlite3_vfs};

use crate::frames::Frames;

/// What belongs to an open database or write-ahead log. SQLite uses the files of a connection in one thread at a time.
pub(crate) struct Beside {
    /// The log of a database, while it is open and keeps frames.
    pub(crate) log: *mut sqlite3_file,
    /// The database of a log.
    pub(crate) database: *mut sqlite3_file,
    /// What a log keeps.
    pub(crate) frames: Frames,
}

impl Beside {
    /// Nothing yet.
    pub(crate) const fn new() -> Self {
        Self { log: ptr::null_mut(), database: ptr::null_mut(), frames: Frames::new() }
    }
}

/// Where it begins, behind what the system keeps: both are aligned like this.
const ALIGNMENT: usize = 8;
const _: () = assert!(align_of::<Beside>() <= ALIGNMENT, "SQLite aligns the memory of files so");

/// Where it begins, for files of this file system.
pub(crate) fn place(system: &sqlite3_vfs) -> Option<usize> {
    Some(usize::try_from(system.szOsFile).ok()?.next_multiple_of(ALIGNMENT))
}

/// How much memory a file needs with it.
pub(crate) fn size(place: usize) -> Option<c_int> {
    c_int::try_from(place + size_of::<Beside>()).ok()
}

/// Where it is for a file.
///
/// # Safety
///
/// The file has the memory that [`size`] asks for.
#[expect(unsafe_code, reason = "what the system keeps has no type here")]
pub(crate) unsafe fn of(file: *mut sqlite3_file, place: usize) -> *mut Beside {
    // SAFETY: by the caller, the file has memory behind this place.
    unsafe { file.cast::<u8>().add(place) }.cast()
}
