//! The client's end of one connection, the same for hub and floor: whole lines out, whole lines in.

use std::io::{Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

use anyhow::{Result, ensure};

/// A connection to a server under measurement; it blocks.
pub(crate) struct Peer {
    stream: UnixStream,
    /// Read and not taken yet.
    bytes: Vec<u8>,
    /// Length of the line that was handed out last; it goes with the next read.
    taken: usize,
}

/// What one read takes at most, in bytes.
const CHUNK: usize = 64 << 10;

impl Peer {
    pub(crate) fn new(stream: UnixStream) -> Self {
        Self { stream, bytes: Vec::new(), taken: 0 }
    }

    pub(crate) fn send(&mut self, lines: &[u8]) -> Result<()> {
        Ok(self.stream.write_all(lines)?)
    }

    /// Waits for the next line; its newline is part of it.
    pub(crate) fn receive(&mut self, chunk: &mut Chunk) -> Result<&[u8]> {
        if !self.bytes[self.taken..].contains(&b'\n') {
            while !self.read(chunk)? {}
        }
        Ok(self.line())
    }

    pub(crate) fn round_trip(&mut self, line: &[u8], chunk: &mut Chunk) -> Result<&[u8]> {
        self.send(line)?;
        self.receive(chunk)
    }

    /// Reads once. True where a line is whole now.
    pub(crate) fn read(&mut self, chunk: &mut Chunk) -> Result<bool> {
        let count = self.stream.read(&mut chunk.0)?;
        ensure!(count > 0, "the server closed a connection");
        self.forget();
        self.bytes.extend_from_slice(&chunk.0[..count]);
        Ok(chunk.0[..count].contains(&b'\n'))
    }

    /// Takes a line that is whole.
    pub(crate) fn line(&mut self) -> &[u8] {
        self.forget();
        let end = self.bytes.iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        self.taken = end;
        &self.bytes[..end]
    }

    fn forget(&mut self) {
        if self.taken == self.bytes.len() {
            self.bytes.clear();
        } else {
            self.bytes.drain(..self.taken);
        }
        self.taken = 0;
    }
}

impl AsFd for Peer {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

/// Where reads land, shared by all peers.
pub(crate) struct Chunk(Box<[u8]>);

impl Chunk {
    pub(crate) fn new() -> Self {
        Self(vec![0; CHUNK].into_boxed_slice())
    }
}
