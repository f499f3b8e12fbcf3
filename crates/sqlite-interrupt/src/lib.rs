//! Statements of SQLite that can be interrupted from another thread.
//!
//! Diesel neither interrupts a statement nor exposes SQLite's handle of a connection. But SQLite passes the handle of
//! every connection that it opens to its automatic extensions. The extension registered here sets a progress handler.
//! SQLite calls it repeatedly while a statement runs, and it ends the statement when a flag is set.
//!
//! The workspace forbids unsafe code except here and in the allocator's crate. This crate contains nothing else.

use std::cell::RefCell;
use std::ffi::{c_char, c_int, c_void};
use std::sync::Arc;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use libsqlite3_sys::{
    SQLITE_OK, sqlite3, sqlite3_api_routines, sqlite3_auto_extension, sqlite3_progress_handler,
    sqlite3_set_clientdata,
};

/// How many instructions of its virtual machine SQLite executes between two checks of the flag: about 20 µs.
const INSTRUCTIONS: c_int = 1_000;

/// The name under which a connection keeps its flag.
const CLIENT_DATA: &std::ffi::CStr = c"contact-hub-interrupt";

thread_local! {
    /// The flag of the connection that this thread is opening.
    static OPENING: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Opens connections to SQLite on this thread: while `flag` is true, their statements end with `SQLITE_INTERRUPT`.
///
/// Connections that are opened elsewhere are not affected.
pub fn with_interrupt<T>(flag: &Arc<AtomicBool>, open: impl FnOnce() -> T) -> T {
    register();
    let _restored = Opening::start(Arc::clone(flag));
    open()
}

/// Sets the flag of this thread, and removes it even if opening panics.
struct Opening;

impl Opening {
    fn start(flag: Arc<AtomicBool>) -> Self {
        OPENING.set(Some(flag));
        Self
    }
}

impl Drop for Opening {
    fn drop(&mut self) {
        OPENING.set(None);
    }
}

#[expect(unsafe_code, reason = "a function of SQLite's C interface")]
fn register() {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        // SAFETY: the entry point has the signature that SQLite calls, and lives as long as the process.
        unsafe { sqlite3_auto_extension(Some(install)) };
    });
}

/// Called by SQLite with each connection, at the end of its opening, on the thread that opens it.
#[expect(unsafe_code, reason = "called by SQLite, and calls it")]
unsafe extern "C" fn install(
    connection: *mut sqlite3,
    _message: *mut *mut c_char,
    _routines: *const sqlite3_api_routines,
) -> c_int {
    let Some(flag) = OPENING.with_borrow(Clone::clone) else {
        return SQLITE_OK;
    };
    let flag = Arc::into_raw(flag).cast_mut().cast::<c_void>();
    // SAFETY: the connection is open. SQLite owns one reference to the flag from here on, and drops it with
    // `release`: when the connection is closed, or at once when this call fails.
    let kept =
        unsafe { sqlite3_set_clientdata(connection, CLIENT_DATA.as_ptr(), flag, Some(release)) };
    if kept == SQLITE_OK {
        // SAFETY: the connection is open, and the flag lives until it is closed, after the last statement.
        unsafe { sqlite3_progress_handler(connection, INSTRUCTIONS, Some(is_interrupted), flag) };
    }
    kept
}

/// Called by SQLite while a statement runs; anything but zero ends the statement.
#[expect(unsafe_code, reason = "called by SQLite with the pointer that `install` gave it")]
unsafe extern "C" fn is_interrupted(flag: *mut c_void) -> c_int {
    // SAFETY: the pointer is that of an `Arc<AtomicBool>` from `install`, and the connection still owns a reference.
    let flag = unsafe { &*flag.cast::<AtomicBool>() };
    c_int::from(flag.load(Ordering::Relaxed))
}

/// Called by SQLite when it no longer needs the flag.
#[expect(unsafe_code, reason = "called by SQLite with the pointer that `install` gave it")]
unsafe extern "C" fn release(flag: *mut c_void) {
    // SAFETY: the pointer is from `Arc::into_raw` in `install`, and SQLite calls this once.
    drop(unsafe { Arc::from_raw(flag.cast::<AtomicBool>()) });
}
