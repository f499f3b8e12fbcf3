//! Functions of a database file.

use std::ffi::{c_int, c_void};
use std::slice;

use libsqlite3_sys::{
    SQLITE_IOERR, SQLITE_OK, SQLITE_SHM_EXCLUSIVE, SQLITE_SHM_LOCK, SQLITE_SHM_UNLOCK,
    sqlite3_file, sqlite3_io_methods,
};

use crate::gap;
use crate::log;
use crate::methods::Methods;

/// Where the file has a number that is zero if it has no pages that map pointers, for `auto_vacuum`. These begin with bytes that
/// a page of a b-tree can begin with (<https://www.sqlite.org/fileformat2.html#pointer_map_or_ptrmap_pages>).
const AUTO_VACUUM: i64 = 52;

/// The lock of the connection that writes to the log (<https://www.sqlite.org/walformat.html#locks>).
const WRITER: c_int = 0;

/// These functions, with those that this module replaces.
pub(crate) fn replaced(original: sqlite3_io_methods) -> Option<sqlite3_io_methods> {
    original.xWrite?;
    original.xRead?;
    original.xFileSize?;
    Some(sqlite3_io_methods {
        xWrite: Some(write),
        xShmLock: original.xShmLock.map(|_| lock as unsafe extern "C" fn(_, _, _, _) -> _),
        ..original
    })
}

/// Called by SQLite to write to a database: the same bytes, but for the unused ones.
#[expect(unsafe_code, reason = "called by SQLite, and calls it")]
unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    bytes: *const c_void,
    length: c_int,
    offset: i64,
) -> c_int {
    // SAFETY: SQLite calls this with an open file that has this function.
    let original = unsafe { Methods::of(file) }.original;
    let Some(write) = original.xWrite else { return SQLITE_IOERR };
    let pass_on = |bytes: *const c_void| {
        // SAFETY: the arguments are those of SQLite, or bytes of the same length.
        unsafe { write(file, bytes, length, offset) }
    };
    let Ok(size) = usize::try_from(length) else { return pass_on(bytes) };
    // SAFETY: SQLite passes so many bytes, which do not change during the call.
    let page = unsafe { slice::from_raw_parts(bytes.cast::<u8>(), size) };
    let Some(unused) = gap::unused(page, offset == 0) else { return pass_on(bytes) };
    // SAFETY: the file is open, and the functions are its own.
    if !unsafe { is_of_b_tree(file, &original, page) } {
        return pass_on(bytes);
    }
    let mut zeroed = page.to_vec();
    if let Some(unused) = zeroed.get_mut(unused) {
        unused.fill(0);
    }
    pass_on(zeroed.as_ptr().cast())
}

/// Whether a page that looks like one of a b-tree is one.
///
/// # Safety
///
/// The file is open, and has these functions.
#[expect(unsafe_code, reason = "calls SQLite")]
unsafe fn is_of_b_tree(
    file: *mut sqlite3_file,
    original: &sqlite3_io_methods,
    page: &[u8],
) -> bool {
    let (Some(file_size), Some(read)) = (original.xFileSize, original.xRead) else { return false };
    let mut size = 0;
    // SAFETY: by the caller, and the number outlives the call.
    let measured = unsafe { file_size(file, &raw mut size) };
    let sizes = u64::try_from(size).ok().zip(u64::try_from(page.len()).ok());
    let pages = sizes.and_then(|(file, page)| file.checked_div(page));
    if measured != SQLITE_OK || pages.is_none_or(|pages| gap::can_be_a_number(page, pages)) {
        return false;
    }
    let mut auto_vacuum = [0_u8; 4];
    let place = (&raw mut auto_vacuum).cast();
    // SAFETY: by the caller, and the bytes outlive the call. A new file has none yet, which is an error.
    let found = unsafe { read(file, place, 4, AUTO_VACUUM) };
    found == SQLITE_OK && auto_vacuum == [0; 4]
}

/// Called by SQLite to lock the index of the log, and to unlock it. The log keeps frames only while its connection has the lock
/// of the writer. What it still keeps when the lock is given back belongs to a transaction that was rolled back: later it would
/// overwrite what other connections write. With `locking_mode = EXCLUSIVE` SQLite does not lock the index, and nothing is kept.
#[expect(unsafe_code, reason = "called by SQLite, and calls it")]
unsafe extern "C" fn lock(
    file: *mut sqlite3_file,
    first: c_int,
    count: c_int,
    flags: c_int,
) -> c_int {
    let is_of_writer = first == WRITER && flags & SQLITE_SHM_EXCLUSIVE != 0;
    if is_of_writer && flags & SQLITE_SHM_UNLOCK != 0 {
        // SAFETY: SQLite calls this with an open database that has this function.
        unsafe { log::set_writer(file, false) };
    }
    // SAFETY: as above.
    let Some(lock) = unsafe { Methods::of(file) }.original.xShmLock else { return SQLITE_IOERR };
    // SAFETY: the arguments are those of SQLite.
    let code = unsafe { lock(file, first, count, flags) };
    if is_of_writer && flags & SQLITE_SHM_LOCK != 0 && code == SQLITE_OK {
        // SAFETY: as above.
        unsafe { log::set_writer(file, true) };
    }
    code
}
