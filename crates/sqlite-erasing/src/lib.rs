//! Leaves no erased text in unused bytes of a database file of SQLite.
//!
//! With `secure_delete`, SQLite overwrites the cells and pages that a statement frees. But when it divides or merges pages,
//! copies of cells that have moved to another page remain between the pointers and the cells of a page, and nothing overwrites
//! them when the cells are deleted. So this replaces the function that writes to database files: it writes zeros there. The
//! write-ahead log, whose checksums are made before, is not changed; a checkpoint writes its pages to the database.
//!
//! The workspace forbids unsafe code except in this crate, `sqlite-interrupt` and the allocator's.

mod gap;

use std::ffi::{c_int, c_void};
use std::fmt;
use std::slice;
use std::sync::{Mutex, OnceLock, PoisonError};

use libsqlite3_sys::{
    SQLITE_ERROR, SQLITE_OK, SQLITE_OPEN_MAIN_DB, sqlite3_file, sqlite3_filename,
    sqlite3_io_methods, sqlite3_vfs, sqlite3_vfs_find, sqlite3_vfs_register,
};

/// The name of the file system.
const NAME: &std::ffi::CStr = c"contact-hub-erasing";

/// Files from this size on are written as they are. The first byte of a page that continues a long value is then not always
/// zero, so that it could look like a page of a b-tree: with pages of 4 KiB from twice this size on.
const LARGEST: i64 = 64 << 30;

type Open = unsafe extern "C" fn(
    *mut sqlite3_vfs,
    sqlite3_filename,
    *mut sqlite3_file,
    c_int,
    *mut c_int,
) -> c_int;
type Write = unsafe extern "C" fn(*mut sqlite3_file, *const c_void, c_int, i64) -> c_int;
type Size = unsafe extern "C" fn(*mut sqlite3_file, *mut i64) -> c_int;

/// The functions of a file, of which one is replaced. SQLite has a pointer to the first member.
#[repr(C)]
struct Methods {
    replaced: sqlite3_io_methods,
    original: *const sqlite3_io_methods,
    write: Write,
    size: Size,
}

// SAFETY: nothing changes them, and the originals live as long as the process.
#[expect(unsafe_code, reason = "they are shared by the threads that open files")]
unsafe impl Send for Methods {}
// SAFETY: as above.
#[expect(unsafe_code, reason = "as above")]
unsafe impl Sync for Methods {}

/// All that were made: one for each kind of file of the system.
static METHODS: Mutex<Vec<&'static Methods>> = Mutex::new(Vec::new());

/// How the system opens a file.
static OPEN: OnceLock<Open> = OnceLock::new();

/// From now on, SQLite opens databases of this process so that unused bytes are zeroed when a page is written. Databases that
/// are open already are not affected.
///
/// # Errors
///
/// SQLite has no file system, or none that can be used like this.
pub fn install() -> Result<(), NotInstalled> {
    static INSTALLED: OnceLock<Result<(), c_int>> = OnceLock::new();
    INSTALLED.get_or_init(register).map_err(NotInstalled)
}

/// Why unused bytes are not zeroed: an error code of SQLite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotInstalled(c_int);

impl fmt::Display for NotInstalled {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SQLite cannot zero the unused bytes of its pages (its error {})", self.0)
    }
}

impl std::error::Error for NotInstalled {}

#[expect(unsafe_code, reason = "functions of SQLite's C interface")]
fn register() -> Result<(), c_int> {
    // SAFETY: a null pointer asks for the default file system.
    let system = unsafe { sqlite3_vfs_find(std::ptr::null()) };
    // SAFETY: SQLite returns a file system that lives as long as the process, or null.
    let Some(system) = (unsafe { system.as_ref() }) else { return Err(SQLITE_ERROR) };
    let Some(open) = system.xOpen else { return Err(SQLITE_ERROR) };
    OPEN.get_or_init(|| open);
    let own = sqlite3_vfs {
        pNext: std::ptr::null_mut(),
        zName: NAME.as_ptr(),
        xOpen: Some(open_replaced),
        ..*system
    };
    // SAFETY: it is never freed, and its other functions are those of the system's, which take it for one of theirs.
    match unsafe { sqlite3_vfs_register(Box::leak(Box::new(own)), 1) } {
        SQLITE_OK => Ok(()),
        code => Err(code),
    }
}

/// Called by SQLite to open a file. A database gets the replaced functions.
#[expect(unsafe_code, reason = "called by SQLite, and calls it")]
unsafe extern "C" fn open_replaced(
    vfs: *mut sqlite3_vfs,
    name: sqlite3_filename,
    file: *mut sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    let Some(open) = OPEN.get() else { return SQLITE_ERROR };
    // SAFETY: the arguments are those of SQLite. The file system is a copy of the system's.
    let opened = unsafe { open(vfs, name, file, flags, out) };
    if opened != SQLITE_OK || flags & SQLITE_OPEN_MAIN_DB == 0 {
        return opened;
    }
    // SAFETY: the file is open, and no other thread has it yet.
    let Some(file) = (unsafe { file.as_mut() }) else { return opened };
    // SAFETY: an open file has functions, which live as long as the process.
    if let Some(methods) = unsafe { methods_of(file.pMethods) } {
        file.pMethods = &raw const methods.replaced;
    }
    opened
}

/// The functions with one replaced; `None` when they lack what it needs.
#[expect(unsafe_code, reason = "reads what SQLite points to")]
unsafe fn methods_of(original: *const sqlite3_io_methods) -> Option<&'static Methods> {
    let mut all = METHODS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = all.iter().find(|it| std::ptr::eq(it.original, original)) {
        return Some(known);
    }
    // SAFETY: by the caller, the pointer is null or to functions that live as long as the process.
    let found = unsafe { original.as_ref() }?;
    let (write, size) = (found.xWrite?, found.xFileSize?);
    let replaced = sqlite3_io_methods { xWrite: Some(write_zeroed), ..*found };
    let made: &Methods = Box::leak(Box::new(Methods { replaced, original, write, size }));
    all.push(made);
    Some(made)
}

/// Called by SQLite to write to a database: the same bytes, but for the unused ones.
#[expect(unsafe_code, reason = "called by SQLite, and calls it")]
unsafe extern "C" fn write_zeroed(
    file: *mut sqlite3_file,
    bytes: *const c_void,
    length: c_int,
    offset: i64,
) -> c_int {
    // SAFETY: SQLite calls this with an open file that `open_replaced` gave these functions.
    let methods = unsafe { (*file).pMethods }.cast::<Methods>();
    // SAFETY: the functions are the first member of `Methods`, which is never freed.
    let methods = unsafe { &*methods };
    let pass_on = |bytes: *const c_void| {
        // SAFETY: the arguments are those of SQLite, or bytes of the same length.
        unsafe { (methods.write)(file, bytes, length, offset) }
    };
    let Ok(size) = usize::try_from(length) else { return pass_on(bytes) };
    // SAFETY: SQLite passes so many bytes, which do not change during the call.
    let page = unsafe { slice::from_raw_parts(bytes.cast::<u8>(), size) };
    let Some(unused) = gap::unused(page, offset == 0) else { return pass_on(bytes) };
    let mut file_size = 0;
    // SAFETY: the file is open, and the number outlives the call.
    let measured = unsafe { (methods.size)(file, &raw mut file_size) };
    if measured != SQLITE_OK || file_size >= LARGEST {
        return pass_on(bytes);
    }
    let mut zeroed = page.to_vec();
    if let Some(unused) = zeroed.get_mut(unused) {
        unused.fill(0);
    }
    pass_on(zeroed.as_ptr().cast())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use rusqlite::Connection;

    const ERASED: &str = "erased-person";

    /// A database whose pages are divided, and of whose rows some are deleted in the end. Returns how often their text is still
    /// in the file.
    fn left_in(file: &Path) -> usize {
        let mut connection = Connection::open(file).unwrap();
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; \
                 CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); CREATE INDEX names ON people (name)",
            )
            .unwrap();
        let mut number = 1_u64;
        for _transaction in 0..20 {
            let written = connection.transaction().unwrap();
            for row in 0..200 {
                // Names in no order and of any length, so that pages are divided everywhere and rebuilt.
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let who = if row % 10 == 0 { ERASED } else { "another-person" };
                let name = format!(
                    "{number:020}-{who}{:x<1$}",
                    "",
                    usize::try_from(number >> 20 & 511).unwrap()
                );
                written.execute("INSERT INTO people (name) VALUES (?)", [name]).unwrap();
            }
            written.commit().unwrap();
        }
        let deleted =
            connection.execute("DELETE FROM people WHERE name LIKE '%' || ? || '%'", [ERASED]);
        assert_eq!(deleted, Ok(400));
        let check: String =
            connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(check, "ok");
        connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        drop(connection);
        let bytes = std::fs::read(file).unwrap();
        bytes.windows(ERASED.len()).filter(|window| *window == ERASED.as_bytes()).count()
    }

    #[test]
    fn no_deleted_text_is_left_in_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let before = left_in(&directory.path().join("before.db"));
        assert!(
            before > 0,
            "without it, SQLite would leave some, and this test would show nothing"
        );
        super::install().unwrap();
        super::install().unwrap();
        assert_eq!(left_in(&directory.path().join("after.db")), 0);
    }
}
