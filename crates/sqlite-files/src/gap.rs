//! The unused bytes of a page, by the file format of SQLite (<https://www.sqlite.org/fileformat2.html#b_tree_pages>).

use std::ops::Range;

/// The header of the file precedes that of the first page.
const FILE_HEADER: usize = 100;

/// The bytes of a b-tree page between the pointers to its cells and the first cell, if any of them is not zero. Returns `None`
/// for other pages. Pages that map pointers can look like pages of a b-tree, so the caller skips files that have them.
pub(crate) fn unused(page: &[u8], is_first: bool) -> Option<Range<usize>> {
    let header = if is_first { FILE_HEADER } else { 0 };
    let pointers = header
        + match page.get(header)? {
            // Inner pages of an index and of a table also have the number of a page.
            2 | 5 => 12,
            10 | 13 => 8,
            _ => return None,
        };
    let cells = number(page, header + 3)?;
    let content = match number(page, header + 5)? {
        0 => 1 << 16,
        start => start,
    };
    let gap = pointers + 2 * cells..content;
    let is_cell = |place: usize| (content..page.len()).contains(&place);
    let free = number(page, header + 1)?;
    let is_page = gap.start <= gap.end
        && gap.end <= page.len()
        && (free == 0 || is_cell(free))
        && (0..cells).all(|cell| number(page, pointers + 2 * cell).is_some_and(is_cell));
    let has_bytes = |gap: &Range<usize>| {
        page.get(gap.clone()).is_some_and(|bytes| bytes.iter().any(|byte| *byte != 0))
    };
    Some(gap).filter(|gap| is_page && has_bytes(gap))
}

/// Whether a page of a file with this many pages can begin with the number of another page, as one does that continues a long
/// value or lists free pages. The first byte of a leaf of a b-tree makes that a number of more than 160 million. The file may have
/// twice as many pages once the transaction is in it.
pub(crate) fn can_be_a_number(page: &[u8], pages: u64) -> bool {
    let first = page.first_chunk::<4>().map_or(0, |bytes| u32::from_be_bytes(*bytes));
    u64::from(first) <= pages.saturating_mul(2)
}

/// The number in two bytes.
fn number(page: &[u8], at: usize) -> Option<usize> {
    let bytes: [u8; 2] = page.get(at..at + 2)?.try_into().ok()?;
    Some(u16::from_be_bytes(bytes).into())
}

#[cfg(test)]
mod tests {
    use super::{can_be_a_number, unused};

    /// A leaf of an index with two cells of four bytes at the end, and bytes of an earlier cell before them.
    fn leaf() -> Vec<u8> {
        let mut page = vec![0; 512];
        page[..8].copy_from_slice(&[10, 0, 0, 0, 2, 1, 248, 0]);
        page[8..12].copy_from_slice(&[1, 248, 1, 252]);
        page[300..305].copy_from_slice(b"smith");
        page[504..].fill(7);
        page
    }

    #[test]
    fn the_gap_is_between_the_pointers_and_the_cells() {
        let page = leaf();
        assert_eq!(unused(&page, false), Some(12..504));
        let mut clean = page.clone();
        clean[12..504].fill(0);
        assert_eq!(unused(&clean, false), None);
        let mut first = vec![9; 100];
        first.extend(&page[..412]);
        assert_eq!(unused(&first, true), Some(112..504));
        assert_eq!(unused(&first, false), None);
    }

    #[test]
    fn a_page_that_is_not_of_a_b_tree_has_no_gap() {
        for (place, byte) in [(0, 0), (0, 1), (3, 200), (5, 9), (8, 0), (10, 0), (1, 1)] {
            let mut page = leaf();
            page[place] = byte;
            assert_eq!(unused(&page, false), None, "{place}: {byte}");
        }
        assert_eq!(unused(&[], false), None);
        assert_eq!(unused(&[10, 0, 0], false), None);
        assert_eq!(unused(&[13; 4096], false), None);
    }

    #[test]
    fn a_page_of_a_b_tree_is_known_until_the_file_has_half_as_many_pages_as_its_first_number() {
        let mut inner = leaf();
        inner[0] = 2;
        for (page, first) in [(leaf(), 0x0A00_0000), (inner, 0x0200_0000)] {
            assert!(!can_be_a_number(&page, first / 2 - 1));
            assert!(can_be_a_number(&page, first / 2));
        }
        assert!(can_be_a_number(&[0, 0, 1, 0], 1 << 10));
    }
}
