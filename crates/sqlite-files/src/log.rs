//! Functions of a write-ahead log.
//!
//! SQLite writes the header and the page of each frame to the file separately. Here the frames of a transaction are kept and
//! written many at a time ([`Frames`](crate::frames::Frames)), while its connection has the lock of the writer. Other connections
//! read only what was committed, and that was written before: the page of the last frame is written at once, with all frames
//! before it. The connection itself finds in the file whatever it wrote, as all other functions write first what is kept.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::slice;

use libsqlite3_sys::{
    SQLITE_IOCAP_POWERSAFE_OVERWRITE, SQLITE_IOERR, SQLITE_OK, sqlite3_database_file_object,
    sqlite3_file, sqlite3_filename, sqlite3_io_methods,
};

use crate::extra::Extra;
use crate::extra_of;
use crate::methods::{Kind, Methods, are_replaced, replace};

/// An error code of SQLite.
type Code = c_int;

/// These functions, with those that this module replaces: all that read or write what SQLite has written before.
pub(crate) fn replaced(original: sqlite3_io_methods) -> Option<sqlite3_io_methods> {
    original.xWrite?;
    original.xRead?;
    original.xTruncate?;
    original.xSync?;
    original.xFileSize?;
    original.xFileControl?;
    original.xClose?;
    Some(sqlite3_io_methods {
        xWrite: Some(write),
        xRead: Some(read),
        xTruncate: Some(truncate),
        xSync: Some(sync),
        xFileSize: Some(file_size),
        xFileControl: Some(file_control),
        xClose: Some(close),
        ..original
    })
}

/// Lets a log that was just opened keep frames, if its database can tell when they must be discarded, and if SQLite writes nothing
/// but frames.
///
/// # Safety
///
/// The file was opened as a log with this name by this crate's file system.
#[expect(unsafe_code, reason = "reads and writes what SQLite points to")]
pub(crate) unsafe fn opened(file: *mut sqlite3_file, name: sqlite3_filename) {
    // SAFETY: SQLite passes the name of a log as this function needs it.
    let database = unsafe { sqlite3_database_file_object(name) };
    // SAFETY: the database of a log is open as long as the log.
    let is_own = unsafe { database.as_ref() }.is_some_and(|it| are_replaced(it, Kind::Database));
    if !is_own {
        return;
    }
    // SAFETY: the database has functions of this crate.
    let original = unsafe { Methods::of(database) }.original;
    let (Some(_), Some(capabilities)) = (original.xShmLock, original.xDeviceCharacteristics) else {
        return;
    };
    // SAFETY: the database is open. Without this capability SQLite fills up the sector after a commit, in pieces of any size.
    if unsafe { capabilities(database) } & SQLITE_IOCAP_POWERSAFE_OVERWRITE == 0 {
        return;
    }
    // SAFETY: both were opened by this crate's file system.
    let [Some(of_log), Some(of_database)] = [file, database].map(|it| unsafe { extra_of(it) })
    else {
        return;
    };
    // SAFETY: the log is open, and has the functions of the system.
    if !unsafe { replace(file, Kind::Log) } {
        return;
    }
    // SAFETY: no other thread has the log yet.
    unsafe { of_log.write(Extra { database, ..Extra::new() }) };
    // SAFETY: the thread that opens the log uses its database.
    let of_database = unsafe { &mut *of_database };
    of_database.log = file;
    of_database.is_writer = false;
}

/// Notes whether the connection of a database is the writer of its log. What the log still keeps is forgotten.
///
/// # Safety
///
/// The database is open, has functions of this crate, and is used by this thread.
#[expect(unsafe_code, reason = "reads and writes what SQLite points to")]
pub(crate) unsafe fn set_writer(database: *mut sqlite3_file, is_writer: bool) {
    // SAFETY: by the caller.
    let Some(of_database) = (unsafe { extra_of(database) }) else { return };
    // SAFETY: by the caller.
    let of_database = unsafe { &mut *of_database };
    of_database.is_writer = is_writer;
    if of_database.log.is_null() {
        return;
    }
    // SAFETY: a log that is open was opened by this crate's file system.
    let Some(of_log) = (unsafe { extra_of(of_database.log) }) else { return };
    // SAFETY: the thread that uses the database uses its log.
    unsafe { &mut (*of_log).frames }.discard();
}

/// Writes what a log keeps. Returns its original functions.
///
/// # Safety
///
/// The log is open, has functions of this crate, and is used by this thread.
#[expect(unsafe_code, reason = "reads and writes what SQLite points to")]
unsafe fn written(file: *mut sqlite3_file) -> Result<sqlite3_io_methods, Code> {
    // SAFETY: by the caller.
    let original = unsafe { Methods::of(file) }.original;
    // SAFETY: as above.
    let of_log = unsafe { extra_of(file) }.ok_or(SQLITE_IOERR)?;
    // SAFETY: by the caller.
    let frames = unsafe { &mut (*of_log).frames };
    // SAFETY: by the caller, the log is open, and these are its functions.
    frames.write(|bytes, at| unsafe { put(file, &original, bytes, at) })?;
    Ok(original)
}

/// Writes bytes to a log with the function of the system.
///
/// # Safety
///
/// The log is open, and has these functions.
#[expect(unsafe_code, reason = "calls SQLite")]
unsafe fn put(
    file: *mut sqlite3_file,
    original: &sqlite3_io_methods,
    bytes: &[u8],
    offset: i64,
) -> Result<(), Code> {
    let write = original.xWrite.ok_or(SQLITE_IOERR)?;
    let length = c_int::try_from(bytes.len()).map_err(|_| SQLITE_IOERR)?;
    // SAFETY: by the caller, and the bytes are that many.
    match unsafe { write(file, bytes.as_ptr().cast(), length, offset) } {
        SQLITE_OK => Ok(()),
        code => Err(code),
    }
}

#[expect(unsafe_code, reason = "called by SQLite, and calls it")]
unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    bytes: *const c_void,
    length: c_int,
    offset: i64,
) -> Code {
    let Ok(length) = usize::try_from(length) else { return SQLITE_IOERR };
    // SAFETY: SQLite passes so many bytes, which do not change during the call.
    let piece = unsafe { slice::from_raw_parts(bytes.cast::<u8>(), length) };
    // SAFETY: SQLite calls this with an open log that has this function.
    let original = unsafe { Methods::of(file) }.original;
    // SAFETY: as above.
    let Some(of_log) = (unsafe { extra_of(file) }) else { return SQLITE_IOERR };
    // SAFETY: SQLite uses the log in one thread at a time.
    let of_log = unsafe { &mut *of_log };
    // SAFETY: the database of a log is open as long as the log.
    let Some(of_database) = (unsafe { extra_of(of_log.database) }) else { return SQLITE_IOERR };
    // SAFETY: the thread that uses the log uses its database.
    let is_writer = unsafe { (*of_database).is_writer };
    // SAFETY: the log is open, and these are its functions.
    let put = |bytes: &[u8], at| unsafe { put(file, &original, bytes, at) };
    let written =
        if is_writer { of_log.frames.add(piece, offset, put) } else { put(piece, offset) };
    match written {
        Ok(()) => SQLITE_OK,
        Err(code) => code,
    }
}

#[expect(unsafe_code, reason = "called by SQLite, and calls it")]
unsafe extern "C" fn read(
    file: *mut sqlite3_file,
    bytes: *mut c_void,
    length: c_int,
    offset: i64,
) -> Code {
    // SAFETY: SQLite calls this with an open log that has this function.
    match unsafe { written(file) }.map(|original| original.xRead) {
        // SAFETY: the arguments are those of SQLite.
        Ok(Some(read)) => unsafe { read(file, bytes, length, offset) },
        Ok(None) => SQLITE_IOERR,
        Err(code) => code,
    }
}

#[expect(unsafe_code, reason = "called by SQLite, and calls it")]
unsafe extern "C" fn truncate(file: *mut sqlite3_file, size: i64) -> Code {
    // SAFETY: SQLite calls this with an open log that has this function.
    match unsafe { written(file) }.map(|original| original.xTruncate) {
        // SAFETY: the arguments are those of SQLite.
        Ok(Some(truncate)) => unsafe { truncate(file, size) },
        Ok(None) => SQLITE_IOERR,
        Err(code) => code,
    }
}

#[expect(unsafe_code, reason = "called by SQLite, and calls it")]
unsafe extern "C" fn sync(file: *mut sqlite3_file, flags: c_int) -> Code {
    // SAFETY: SQLite calls this with an open log that has this function.
    match unsafe { written(file) }.map(|original| original.xSync) {
        // SAFETY: the arguments are those of SQLite.
        Ok(Some(sync)) => unsafe { sync(file, flags) },
        Ok(None) => SQLITE_IOERR,
        Err(code) => code,
    }
}

#[expect(unsafe_code, reason = "called by SQLite, and calls it")]
unsafe extern "C" fn file_size(file: *mut sqlite3_file, size: *mut i64) -> Code {
    // SAFETY: SQLite calls this with an open log that has this function.
    match unsafe { written(file) }.map(|original| original.xFileSize) {
        // SAFETY: the arguments are those of SQLite.
        Ok(Some(file_size)) => unsafe { file_size(file, size) },
        Ok(None) => SQLITE_IOERR,
        Err(code) => code,
    }
}

#[expect(unsafe_code, reason = "called by SQLite, and calls it")]
unsafe extern "C" fn file_control(
    file: *mut sqlite3_file,
    operation: c_int,
    argument: *mut c_void,
) -> Code {
    // SAFETY: SQLite calls this with an open log that has this function.
    match unsafe { written(file) }.map(|original| original.xFileControl) {
        // SAFETY: the arguments are those of SQLite.
        Ok(Some(control)) => unsafe { control(file, operation, argument) },
        Ok(None) => SQLITE_IOERR,
        Err(code) => code,
    }
}

/// SQLite closes a log when no transaction is in progress, so nothing is kept.
#[expect(unsafe_code, reason = "called by SQLite, and calls it")]
unsafe extern "C" fn close(file: *mut sqlite3_file) -> Code {
    // SAFETY: SQLite calls this with an open log that has this function.
    let original = unsafe { Methods::of(file) }.original;
    // SAFETY: as above.
    if let Some(of_log) = unsafe { extra_of(file) } {
        // SAFETY: nothing uses it afterwards.
        let Extra { database, .. } = unsafe { ptr::read(of_log) };
        // SAFETY: SQLite closes a database after its log.
        if let Some(of_database) = unsafe { extra_of(database) } {
            // SAFETY: as above, in the same thread.
            unsafe { (*of_database).log = ptr::null_mut() };
        }
    }
    match original.xClose {
        // SAFETY: the argument is that of SQLite.
        Some(close) => unsafe { close(file) },
        None => SQLITE_IOERR,
    }
}
