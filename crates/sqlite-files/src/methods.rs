//! The functions of open files, of which some are replaced.

use std::sync::{Mutex, PoisonError};

use libsqlite3_sys::{sqlite3_file, sqlite3_io_methods};

use crate::{database, log};

/// What a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The database.
    Database,
    /// Its write-ahead log.
    Log,
}

/// The functions of a kind of files. SQLite has a pointer to the first member.
#[repr(C)]
pub(crate) struct Methods {
    replaced: sqlite3_io_methods,
    /// Those of the system.
    pub(crate) original: sqlite3_io_methods,
    source: *const sqlite3_io_methods,
    kind: Kind,
}

// SAFETY: nothing changes them, and the originals live as long as the process.
#[expect(unsafe_code, reason = "they are shared by the threads that open files")]
unsafe impl Send for Methods {}
// SAFETY: as above.
#[expect(unsafe_code, reason = "as above")]
unsafe impl Sync for Methods {}

/// All that were made.
static ALL: Mutex<Vec<&'static Methods>> = Mutex::new(Vec::new());

impl Methods {
    /// The functions of an open file that has some of this crate's.
    ///
    /// # Safety
    ///
    /// The file is open, and [`replace`] has returned true for it.
    #[expect(unsafe_code, reason = "reads what SQLite points to")]
    pub(crate) unsafe fn of(file: *mut sqlite3_file) -> &'static Self {
        // SAFETY: by the caller, the file is open.
        let methods = unsafe { (*file).pMethods }.cast::<Self>();
        // SAFETY: by the caller, they are the first member of `Methods`, which is never freed.
        unsafe { &*methods }
    }
}

/// Replaces functions of a file that was just opened. Returns false if it lacks some of them, and changes nothing then.
///
/// # Safety
///
/// The file is open, and has the functions of the system.
#[expect(unsafe_code, reason = "writes what SQLite points to")]
pub(crate) unsafe fn replace(file: *mut sqlite3_file, kind: Kind) -> bool {
    // SAFETY: by the caller, the file is open, and no other thread has it yet.
    let Some(file) = (unsafe { file.as_mut() }) else { return false };
    // SAFETY: an open file has functions, which live as long as the process.
    let Some(methods) = (unsafe { made_of(file.pMethods, kind) }) else { return false };
    file.pMethods = std::ptr::from_ref(methods).cast();
    true
}

/// Whether an open file has functions of this crate.
pub(crate) fn are_replaced(file: &sqlite3_file, kind: Kind) -> bool {
    let all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    all.iter().any(|it| it.kind == kind && std::ptr::eq(&raw const it.replaced, file.pMethods))
}

/// The functions with some replaced; `None` when they lack what these need.
///
/// # Safety
///
/// The pointer is null, or to functions that live as long as the process.
#[expect(unsafe_code, reason = "reads what SQLite points to")]
unsafe fn made_of(source: *const sqlite3_io_methods, kind: Kind) -> Option<&'static Methods> {
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = all.iter().find(|it| it.kind == kind && std::ptr::eq(it.source, source)) {
        return Some(known);
    }
    // SAFETY: by the caller.
    let original = *unsafe { source.as_ref() }?;
    let replaced = match kind {
        Kind::Database => database::replaced(original)?,
        Kind::Log => log::replaced(original)?,
    };
    let made: &Methods = Box::leak(Box::new(Methods { replaced, original, source, kind }));
    all.push(made);
    Some(made)
}
