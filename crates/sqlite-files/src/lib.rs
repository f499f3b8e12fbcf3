//! How SQLite writes the files of a database.
//!
//! - **It leaves no erased text in unused bytes of the database.** With `secure_delete`, SQLite overwrites the cells and pages
//!   that a statement frees. But when it divides or merges pages, copies of cells that have moved to another page remain between
//!   the pointers and the cells of a page, and nothing overwrites them when the cells are deleted. So zeros are written there.
//!   The write-ahead log, whose checksums are made before, has the pages as they are; a checkpoint writes them to the database.
//! - **It writes the frames of a transaction to the write-ahead log together**. SQLite writes the header and the page of each
//!   frame separately, with two calls of the system.
//!
//! The workspace forbids unsafe code except in this crate, `sqlite-interrupt` and the allocator's.

mod database;
mod extra;
mod frames;
mod gap;
mod log;
mod methods;
#[cfg(test)]
mod tests;

use std::ffi::c_int;
use std::fmt;
use std::sync::OnceLock;

use libsqlite3_sys::{
    SQLITE_ERROR, SQLITE_OK, SQLITE_OPEN_MAIN_DB, SQLITE_OPEN_WAL, sqlite3_file, sqlite3_filename,
    sqlite3_vfs, sqlite3_vfs_find, sqlite3_vfs_register,
};

use self::extra::Extra;
use self::methods::{Kind, replace};

/// The name of the file system.
const NAME: &std::ffi::CStr = c"contact-hub";

type Open = unsafe extern "C" fn(
    *mut sqlite3_vfs,
    sqlite3_filename,
    *mut sqlite3_file,
    c_int,
    *mut c_int,
) -> c_int;

/// What is needed of the file system that opens the files.
struct System {
    open: Open,
    /// Where [`Extra`] begins in the memory of a file.
    extra: usize,
}

static SYSTEM: OnceLock<System> = OnceLock::new();

/// From now on, SQLite writes the databases of this process that it opens as this crate says. Databases that are open already
/// are not affected.
///
/// # Errors
///
/// SQLite has no file system, or none that can be used like this.
pub fn install() -> Result<(), NotInstalled> {
    static INSTALLED: OnceLock<Result<(), c_int>> = OnceLock::new();
    INSTALLED.get_or_init(register).map_err(NotInstalled)
}

/// Why the functions that write files were not installed: an error code of SQLite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotInstalled(c_int);

impl fmt::Display for NotInstalled {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "the functions that write the files of SQLite were not installed (its error {})",
            self.0
        )
    }
}

impl std::error::Error for NotInstalled {}

#[expect(unsafe_code, reason = "functions of SQLite's C interface")]
fn register() -> Result<(), c_int> {
    // SAFETY: a null pointer asks for the default file system.
    let system = unsafe { sqlite3_vfs_find(std::ptr::null()) };
    // SAFETY: SQLite returns a file system that lives as long as the process, or null.
    let system = unsafe { system.as_ref() }.ok_or(SQLITE_ERROR)?;
    let extra = extra::offset(system).ok_or(SQLITE_ERROR)?;
    let own = sqlite3_vfs {
        pNext: std::ptr::null_mut(),
        zName: NAME.as_ptr(),
        szOsFile: extra::size(extra).ok_or(SQLITE_ERROR)?,
        xOpen: Some(open),
        ..*system
    };
    let open = system.xOpen.ok_or(SQLITE_ERROR)?;
    SYSTEM.get_or_init(|| System { open, extra });
    // SAFETY: it is never freed, and its other functions are those of the system's, which take it for one of theirs.
    match unsafe { sqlite3_vfs_register(Box::leak(Box::new(own)), 1) } {
        SQLITE_OK => Ok(()),
        code => Err(code),
    }
}

/// Called by SQLite to open a file. A database and its log get the replaced functions.
#[expect(unsafe_code, reason = "called by SQLite, and calls it")]
unsafe extern "C" fn open(
    vfs: *mut sqlite3_vfs,
    name: sqlite3_filename,
    file: *mut sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    let Some(system) = SYSTEM.get() else { return SQLITE_ERROR };
    let open = system.open;
    // SAFETY: the arguments are those of SQLite. The file system is a copy of the system's.
    let opened = unsafe { open(vfs, name, file, flags, out) };
    if opened == SQLITE_OK && flags & SQLITE_OPEN_MAIN_DB != 0 {
        // SAFETY: the file has memory behind what the system keeps.
        let extra = unsafe { extra::of(file, system.extra) };
        // SAFETY: no other thread has the file yet.
        unsafe { extra.write(Extra::new()) };
        // SAFETY: the file is open, and has the functions of the system.
        unsafe { replace(file, Kind::Database) };
    }
    if opened == SQLITE_OK && flags & SQLITE_OPEN_WAL != 0 {
        // SAFETY: it was opened as a log, just now.
        unsafe { log::opened(file, name) };
    }
    opened
}

/// What is kept for a file.
///
/// # Safety
///
/// The file was opened by this crate's file system, which gave it the memory.
#[expect(unsafe_code, reason = "what the system keeps has no type here")]
unsafe fn extra_of(file: *mut sqlite3_file) -> Option<*mut Extra> {
    // SAFETY: by the caller.
    Some(unsafe { extra::of(file, SYSTEM.get()?.extra) })
}
