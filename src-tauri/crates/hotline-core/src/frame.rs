//! Bytes in, lines out: newline-delimited frames with a bound.

/// The longest line, its newline not counted, in bytes (`protocol.md` §1).
pub const MAX_LINE: usize = 1 << 20;

/// A line went over the limit; nothing after it on this stream can be trusted.
#[derive(Debug, PartialEq, Eq)]
pub struct LineTooLong;

/// Cuts a byte stream into lines, keeping only the unfinished one.
pub struct Framer {
    tail: Vec<u8>,
    /// The longest line, its newline not counted.
    limit: usize,
}

impl Default for Framer {
    /// Takes lines of up to [`MAX_LINE`].
    fn default() -> Self {
        Self::new(MAX_LINE)
    }
}

impl Framer {
    /// Takes lines of up to `limit` bytes, the newline not counted.
    pub fn new(limit: usize) -> Self {
        Self { tail: Vec::new(), limit }
    }

    /// Takes lines of up to `limit` bytes from now on, the one that is held included.
    pub fn allow(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// Hands every line completed by `chunk` to `each`, without its `\n` or `\r\n`; blank lines are skipped.
    ///
    /// Lines are whole before they are decoded, so a character split over two packets survives.
    pub fn feed(&mut self, chunk: &[u8], mut each: impl FnMut(&[u8])) -> Result<(), LineTooLong> {
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', chunk) {
            let piece = &chunk[start..end];
            start = end + 1;
            if self.tail.is_empty() {
                self.line(piece, &mut each)?;
            } else {
                self.keep(piece)?;
                let whole = std::mem::take(&mut self.tail);
                self.line(&whole, &mut each)?;
            }
        }
        self.keep(&chunk[start..])
    }

    /// Whether an unfinished line is held.
    pub fn is_mid_line(&self) -> bool {
        !self.tail.is_empty()
    }

    fn keep(&mut self, piece: &[u8]) -> Result<(), LineTooLong> {
        // One byte more than the limit may be the `\r` of a line that just fits.
        if self.tail.len() + piece.len() > self.limit.saturating_add(1) {
            self.tail = Vec::new();
            return Err(LineTooLong);
        }
        self.tail.extend_from_slice(piece);
        Ok(())
    }

    fn line(&self, bytes: &[u8], each: &mut impl FnMut(&[u8])) -> Result<(), LineTooLong> {
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        if bytes.len() > self.limit {
            return Err(LineTooLong);
        }
        if !bytes.iter().all(u8::is_ascii_whitespace) {
            each(bytes);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(chunks: &[&[u8]]) -> Vec<Vec<u8>> {
        let mut framer = Framer::default();
        let mut out = Vec::new();
        for chunk in chunks {
            framer.feed(chunk, |line| out.push(line.to_vec())).unwrap();
        }
        out
    }

    #[test]
    fn a_character_split_over_two_packets_survives() {
        assert_eq!(
            lines(&[b"\"\xc3", b"\xa9\"\r\n\n  \n", b"x\n"]),
            [b"\"\xc3\xa9\"".to_vec(), b"x".to_vec()]
        );
    }

    #[test]
    fn an_unterminated_tail_is_never_a_line() {
        assert_eq!(lines(&[b"{\"id\":1}"]), Vec::<Vec<u8>>::new());
    }

    #[test]
    fn a_line_of_exactly_the_limit_passes_and_one_byte_more_does_not() {
        for (length, newline, fits) in [
            (MAX_LINE, "\n", true),
            (MAX_LINE, "\r\n", true),
            (MAX_LINE + 1, "\n", false),
            (MAX_LINE + 1, "\r\n", false),
        ] {
            let mut framer = Framer::default();
            let mut seen = 0;
            let mut bytes = vec![b'x'; length];
            bytes.extend_from_slice(newline.as_bytes());
            let fed = bytes.chunks(4096).try_for_each(|chunk| framer.feed(chunk, |line| seen = line.len()));
            assert_eq!((fed.is_ok(), seen == length), (fits, fits), "{length} {newline:?}");
        }
    }

    #[test]
    fn a_limit_of_its_own_holds_until_another_is_allowed() {
        let mut framer = Framer::new(3);
        assert_eq!(framer.feed(b"abc\nabcd\n", |_| {}), Err(LineTooLong));
        let mut framer = Framer::new(3);
        let mut seen = Vec::new();
        framer.feed(b"ab", |line| seen.push(line.to_vec())).unwrap();
        framer.allow(6);
        framer.feed(b"cdef\n", |line| seen.push(line.to_vec())).unwrap();
        assert_eq!(seen, [b"abcdef"]);
        assert_eq!(framer.feed(b"abcdefg\n", |_| {}), Err(LineTooLong));
    }

    proptest! {
        #[test]
        fn where_the_packets_break_changes_nothing(
            text in "[a-z\\r\\n é]{0,60}",
            cuts in prop::collection::vec(0usize..60, 0..6),
        ) {
            let bytes = text.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(lines(&chunks), lines(&[bytes]));
        }
    }
}
