//! The open sessions of PostgreSQL, and which of them lost their connection.
//!
//! A router or proxy between the service and PostgreSQL can drop a connection silently: both ends stay open, but
//! nothing passes. Server and client then wait for each other. A session in that state for longer than [`LOST_AFTER`]
//! is lost: its answer will never arrive.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// A connection is lost when server and client have waited for each other for this long. Even statements and answers
/// of many megabytes are transferred faster.
const LOST_AFTER: Duration = Duration::from_secs(2);

/// A session as the server names it. Process ids are reused, so the start time is part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Backend {
    /// Its process id.
    pub(crate) pid: i32,
    /// Its start time, in the server's notation.
    pub(crate) started: String,
}

/// An open session.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) backend: Backend,
    /// Counts the beginnings and ends of statements; odd while an answer is awaited.
    progress: AtomicU64,
    /// The statement during which the server was seen idle, and since when.
    idle: Mutex<Option<(u64, Instant)>>,
    is_lost: AtomicBool,
}

impl Session {
    fn new(backend: Backend) -> Self {
        Self {
            backend,
            progress: AtomicU64::new(0),
            idle: Mutex::default(),
            is_lost: AtomicBool::new(false),
        }
    }

    /// Marks that a statement is sent. Only the thread that uses the session calls this.
    pub(crate) fn begin_statement(&self) {
        self.progress.store((self.progress.load(Ordering::Relaxed) + 1) | 1, Ordering::Relaxed);
    }

    /// Marks that a statement was answered. Only the thread that uses the session calls this.
    pub(crate) fn end_statement(&self) {
        self.progress.store((self.progress.load(Ordering::Relaxed) + 2) & !1, Ordering::Relaxed);
    }

    /// Whether its connection is lost.
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
    }

    /// The number of the statement whose answer is awaited.
    fn awaited(&self) -> Option<u64> {
        let number = self.progress.load(Ordering::Relaxed);
        (number % 2 == 1 && !self.is_lost()).then_some(number)
    }

    /// Records whether the server was busy at `now`, while the answer to this statement was awaited. Returns true if
    /// this shows that the session is lost.
    fn note(&self, statement: u64, is_busy: bool, now: Instant) -> bool {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if is_busy || self.awaited() != Some(statement) {
            *idle = None;
            return false;
        }
        match *idle {
            Some((seen, since)) if seen == statement => {
                let lost = now.duration_since(since) >= LOST_AFTER;
                self.is_lost.fetch_or(lost, Ordering::Relaxed);
                lost
            }
            _ => {
                *idle = Some((statement, now));
                false
            }
        }
    }
}

/// The sessions of one service. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Sessions(Arc<Mutex<Vec<Weak<Session>>>>);

/// Sessions that await answers, with the numbers of the statements.
pub(crate) struct Awaited(Vec<(Arc<Session>, u64)>);

impl Sessions {
    /// Adds a session, which is listed until it is dropped.
    pub(crate) fn add(&self, backend: Backend) -> Arc<Session> {
        let session = Arc::new(Session::new(backend));
        let mut sessions = self.list();
        sessions.retain(|session| session.strong_count() > 0);
        sessions.push(Arc::downgrade(&session));
        session
    }

    /// The sessions that await answers now.
    pub(crate) fn awaited(&self) -> Awaited {
        let sessions = self.list();
        let open = sessions.iter().filter_map(Weak::upgrade);
        Awaited(open.filter_map(|session| session.awaited().map(|it| (session, it))).collect())
    }

    fn list(&self) -> MutexGuard<'_, Vec<Weak<Session>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Awaited {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Records for which sessions the server was executing statements after this list was made. Returns those that
    /// are lost.
    pub(crate) fn note(
        self,
        is_busy: impl Fn(&Backend) -> bool,
        now: Instant,
    ) -> Vec<Arc<Session>> {
        let notes = self.0.into_iter();
        notes
            .filter(|(session, statement)| session.note(*statement, is_busy(&session.backend), now))
            .map(|(session, _)| session)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn backend(pid: i32) -> Backend {
        Backend { pid, started: String::from("1") }
    }

    fn lost(sessions: &Sessions, busy: i32, now: Instant) -> Vec<i32> {
        let lost = sessions.awaited().note(|backend| backend.pid == busy, now);
        lost.iter().map(|session| session.backend.pid).collect()
    }

    #[test]
    fn a_session_is_lost_when_both_sides_keep_waiting_for_each_other() {
        let sessions = Sessions::default();
        let all: Vec<_> = (1..=4).map(|pid| sessions.add(backend(pid))).collect();
        let (waiting, busy, other, unused) = (&all[0], &all[1], &all[2], &all[3]);
        for session in [waiting, busy, other] {
            session.begin_statement();
        }
        let began = Instant::now();
        assert!(lost(&sessions, 2, began).is_empty());
        assert!(lost(&sessions, 2, began + LOST_AFTER / 2).is_empty());
        other.end_statement();
        other.begin_statement();
        assert_eq!(lost(&sessions, 2, began + LOST_AFTER), [1]);
        assert!(waiting.is_lost() && !busy.is_lost() && !other.is_lost() && !unused.is_lost());
        assert_eq!(lost(&sessions, 2, began + LOST_AFTER * 2), [3], "a lost one is found once");
    }

    #[test]
    fn a_closed_session_is_forgotten() {
        let sessions = Sessions::default();
        let closed = sessions.add(backend(1));
        closed.begin_statement();
        drop(closed);
        assert!(sessions.awaited().is_empty());
        let _open = sessions.add(backend(2));
        assert_eq!(sessions.list().len(), 1);
    }
}
