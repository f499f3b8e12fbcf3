//! The frames of a transaction that are not yet in the write-ahead log, by its file format
//! (<https://www.sqlite.org/fileformat2.html#walformat>).

/// As many bytes are kept at most: 31 frames with pages of 4 KiB. SQLite fails to write 128 KiB or more in one call
/// (`seekAndWriteFd` in `os_unix.c` uses 17 bits of the length).
const CAPACITY: usize = 31 * (HEADER + 4096);

/// The size of the header of a frame, which precedes its page.
const HEADER: usize = 24;

/// Frames of one transaction that follow each other. They are kept and written together, with the last one as soon as it is
/// complete.
#[derive(Debug)]
pub(crate) struct Frames {
    bytes: Vec<u8>,
    /// Where they begin in the file.
    start: i64,
    /// Where the last frame of a transaction begins, if its header is kept. Its page is written at once, with all before it.
    commit: Option<usize>,
}

impl Frames {
    /// No frames.
    pub(crate) const fn new() -> Self {
        Self { bytes: Vec::new(), start: 0, commit: None }
    }

    /// Takes what SQLite writes to the log, in the order of its calls. It is kept only if it continues the frames that are kept,
    /// or begins a frame of a transaction that goes on. Everything else is written at once, after the frames that are kept.
    ///
    /// After an error they are still kept, but for the last frame of the transaction: a transaction that failed must not become
    /// complete when they are written later.
    pub(crate) fn add<E>(
        &mut self,
        piece: &[u8],
        offset: i64,
        mut write: impl FnMut(&[u8], i64) -> Result<(), E>,
    ) -> Result<(), E> {
        let header = Header::of(piece);
        if self.continues(piece, offset) {
            if header == Some(Header::Commit) {
                self.commit = Some(self.bytes.len());
            }
            self.bytes.extend_from_slice(piece);
            let is_complete = self.commit.is_some() && header.is_none();
            return if is_complete { self.write(write) } else { Ok(()) };
        }
        self.write(&mut write)?;
        if header != Some(Header::Inner) {
            return write(piece, offset);
        }
        self.bytes.reserve_exact(CAPACITY);
        self.bytes.extend_from_slice(piece);
        self.start = offset;
        Ok(())
    }

    /// Writes what is kept.
    pub(crate) fn write<E>(
        &mut self,
        mut write: impl FnMut(&[u8], i64) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        let written = write(&self.bytes, self.start);
        match written {
            Ok(()) => self.discard(),
            Err(_) => self.bytes.truncate(self.commit.take().unwrap_or(self.bytes.len())),
        }
        written
    }

    /// Forgets what is kept. The transaction was rolled back.
    pub(crate) fn discard(&mut self) {
        self.bytes.clear();
        self.commit = None;
    }

    fn continues(&self, piece: &[u8], offset: i64) -> bool {
        let length = self.bytes.len();
        length > 0
            && length + piece.len() <= CAPACITY
            && i64::try_from(length).is_ok_and(|length| self.start + length == offset)
    }
}

/// The header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Header {
    /// Of the last frame of a transaction.
    Commit,
    /// Of another frame.
    Inner,
}

impl Header {
    /// The header that a piece is, by its length: SQLite writes it alone. The second number of the last frame is the size of the
    /// database, that of others is zero.
    fn of(piece: &[u8]) -> Option<Self> {
        let header: &[u8; HEADER] = piece.try_into().ok()?;
        let is_inner = header.iter().skip(4).take(4).all(|byte| *byte == 0);
        Some(if is_inner { Self::Inner } else { Self::Commit })
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    const PAGE: usize = 4096;
    const FRAME: i64 = 4120;

    /// The header of a frame after which the database has this many pages; zero if the transaction goes on.
    fn header(size_after: u8) -> [u8; HEADER] {
        let mut header = [7; HEADER];
        header[4..8].copy_from_slice(&[0, 0, 0, size_after]);
        header
    }

    /// The frames, and what they have written: where, and how much.
    struct Log {
        frames: Frames,
        written: Vec<(i64, usize)>,
    }

    impl Log {
        fn new() -> Self {
            Self { frames: Frames::new(), written: Vec::new() }
        }

        fn add(&mut self, piece: &[u8], offset: i64) {
            let written = &mut self.written;
            let Ok(()) = self.frames.add(piece, offset, |bytes, at| {
                written.push((at, bytes.len()));
                Ok::<_, Infallible>(())
            });
        }

        /// One frame, as SQLite writes it.
        fn frame(&mut self, number: i64, size_after: u8) {
            let offset = 32 + number * FRAME;
            self.add(&header(size_after), offset);
            self.add(&[7; PAGE], offset + 24);
        }
    }

    #[test]
    fn the_frames_of_a_transaction_are_written_with_its_last_one() {
        let mut log = Log::new();
        log.frame(0, 0);
        log.frame(1, 0);
        assert_eq!(log.written, []);
        log.frame(2, 9);
        assert_eq!(log.written, [(32, 3 * 4120)]);
    }

    #[test]
    fn a_transaction_of_one_frame_is_written_at_once() {
        let mut log = Log::new();
        log.frame(0, 9);
        assert_eq!(log.written, [(32, 24), (56, PAGE)]);
    }

    #[test]
    fn many_frames_are_written_in_pieces() {
        let mut log = Log::new();
        for number in 0..50 {
            log.frame(number, 0);
        }
        log.frame(50, 9);
        assert_eq!(log.written, [(32, CAPACITY), (32 + 31 * FRAME, 20 * 4120)]);
    }

    #[test]
    fn what_does_not_continue_the_frames_is_written_after_them() {
        let mut log = Log::new();
        log.add(&[1; 32], 0);
        log.frame(0, 0);
        log.frame(1, 0);
        // A page of a former frame, and then the header of the last frame with another checksum.
        log.add(&[7; PAGE], 56);
        log.add(&[7; HEADER], 32 + 2 * FRAME);
        assert_eq!(log.written, [(0, 32), (32, 2 * 4120), (56, PAGE), (32 + 2 * FRAME, HEADER)]);
    }

    #[test]
    fn frames_are_kept_when_they_are_not_written() {
        let mut log = Log::new();
        log.frame(0, 0);
        assert_eq!(
            log.frames.add(&[7; PAGE], 0, |_, _| Err("the disk is full")),
            Err("the disk is full")
        );
        log.add(&[7; PAGE], 0);
        assert_eq!(log.written, [(32, 4120), (0, PAGE)]);
    }

    #[test]
    fn a_transaction_whose_end_is_not_written_never_becomes_complete() {
        let mut log = Log::new();
        log.frame(0, 0);
        log.add(&header(9), 32 + FRAME);
        let full = log.frames.add(&[7; PAGE], 56 + FRAME, |_, _| Err("the disk is full"));
        assert_eq!(full, Err("the disk is full"));
        log.add(&[7; PAGE], 0);
        assert_eq!(log.written, [(32, 4120), (0, PAGE)]);
    }

    #[test]
    fn discarded_frames_are_not_written() {
        let mut log = Log::new();
        log.frame(0, 0);
        log.frames.discard();
        log.frame(0, 0);
        log.frame(1, 9);
        assert_eq!(log.written, [(32, 2 * 4120)]);
    }
}
