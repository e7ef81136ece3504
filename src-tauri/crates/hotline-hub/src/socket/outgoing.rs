//! What waits to be written to one peer: whole replies, in order, with a bound on what piles up behind.

use std::collections::VecDeque;

/// Most bytes that may wait behind the reply being written (`protocol.md` §1).
const MAX_BEHIND: usize = 8 << 20;
/// A subscriber this far behind is told the present instead of what it missed, in bytes.
pub(crate) const LAGS: usize = 1 << 20;
/// A peer this far behind is not read from, in bytes.
pub(crate) const PAUSES_READING: usize = 256 << 10;

/// Bytes on their way to a peer.
#[derive(Default)]
pub(crate) struct Outgoing {
    bytes: Vec<u8>,
    /// How much of `bytes` the kernel has.
    taken: usize,
    /// The end of each reply in `bytes`, with the ask whose response it is.
    ends: VecDeque<(usize, Option<u64>)>,
}

/// More waits behind the reply being written than a peer may leave unread.
#[derive(Debug)]
pub(crate) struct TooFarBehind;

impl Outgoing {
    /// Adds one reply, written by `write`; `ask` where it is an ask's response.
    pub(crate) fn push(
        &mut self,
        ask: Option<u64>,
        write: impl FnOnce(&mut Vec<u8>),
    ) -> Result<(), TooFarBehind> {
        write(&mut self.bytes);
        let end = self.bytes.len();
        self.ends.push_back((end, ask));
        let first = self.ends.front().map_or(end, |(end, _)| *end);
        if end - first > MAX_BEHIND { Err(TooFarBehind) } else { Ok(()) }
    }

    /// What the kernel has not taken yet.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.bytes[self.taken..]
    }

    /// Notes that the kernel took `count` bytes; `delivered` hears of the asks whose whole response it has now.
    pub(crate) fn took(&mut self, count: usize, mut delivered: impl FnMut(u64)) {
        self.taken += count;
        while let Some((_, ask)) = self.ends.front().filter(|(end, _)| *end <= self.taken) {
            ask.map(&mut delivered);
            self.ends.pop_front();
        }
        if self.taken == self.bytes.len() {
            // Small buffers are kept for the next reply, large ones given back.
            if self.bytes.capacity() > 4096 {
                self.bytes = Vec::new();
            } else {
                self.bytes.clear();
            }
            self.taken = 0;
        } else if self.taken > PAUSES_READING && self.taken > self.bytes.len() / 2 {
            self.bytes.drain(..self.taken);
            self.ends.iter_mut().for_each(|(end, _)| *end -= self.taken);
            self.taken = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_is_delivered_when_its_last_byte_is_taken() {
        let mut out = Outgoing::default();
        out.push(Some(1), |bytes| bytes.extend(b"first")).unwrap();
        out.push(None, |bytes| bytes.extend(b"second")).unwrap();
        out.push(Some(3), |bytes| bytes.extend(b"third")).unwrap();
        let took = |out: &mut Outgoing, count| {
            let mut delivered = Vec::new();
            out.took(count, |ask| delivered.push(ask));
            delivered
        };
        assert!(took(&mut out, 4).is_empty());
        assert_eq!(took(&mut out, 1), [1]);
        assert_eq!(out.rest(), b"secondthird");
        assert_eq!(took(&mut out, 11), [3]);
        assert_eq!(out.rest(), b"");
    }

    #[test]
    fn one_reply_may_be_of_any_size_but_what_waits_behind_it_may_not() {
        let mut out = Outgoing::default();
        out.push(None, |bytes| bytes.resize(9 << 20, b'x')).unwrap();
        out.push(None, |bytes| bytes.extend_from_slice(&[b'y'; 8 << 20])).unwrap();
        assert!(out.push(None, |bytes| bytes.push(b'z')).is_err());
    }
}
