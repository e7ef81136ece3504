//! The floor: a line echo on one thread of tokio, about the least that a server on a unix socket can do.

use std::cell::RefCell;
use std::future::poll_fn;
use std::io::{self, Write as _};
use std::path::Path;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Poll, ready};

use anyhow::Result;
use tokio::io::{AsyncRead as _, ReadBuf};
use tokio::net::{UnixListener, UnixStream};
use tokio::task::{LocalSet, spawn_local};

/// What makes this program the floor.
pub(crate) const ARGUMENT: &str = "--serve-as-the-floor";

/// Echoes every line on `socket` until it is killed.
pub(crate) fn serve(socket: &Path) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    LocalSet::new().block_on(&runtime, async {
        let listener = UnixListener::bind(socket)?;
        writeln!(io::stdout(), "ready")?;
        let scratch = Rc::new(RefCell::new(vec![0; 64 << 10]));
        loop {
            let (stream, _) = listener.accept().await?;
            spawn_local(echo(stream, Rc::clone(&scratch)));
        }
    })
}

async fn echo(mut stream: UnixStream, scratch: Rc<RefCell<Vec<u8>>>) -> io::Result<()> {
    let mut unfinished = Vec::new();
    loop {
        let count = poll_fn(|context| {
            let mut scratch = scratch.borrow_mut();
            let mut buffer = ReadBuf::new(&mut scratch);
            ready!(Pin::new(&mut stream).poll_read(context, &mut buffer))?;
            Poll::Ready(io::Result::Ok(buffer.filled().len()))
        })
        .await?;
        if count == 0 {
            return Ok(());
        }
        let whole = {
            let scratch = scratch.borrow();
            let bytes = &scratch[..count];
            let whole = bytes.ends_with(b"\n");
            // Nearly always one read is one line; it goes out from where it was read.
            let sent = if whole && unfinished.is_empty() { stream.try_write(bytes).unwrap_or(0) } else { 0 };
            unfinished.extend_from_slice(&bytes[sent..]);
            whole
        };
        if whole && !unfinished.is_empty() {
            write(&stream, &std::mem::take(&mut unfinished)).await?;
        }
    }
}

async fn write(stream: &UnixStream, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match stream.try_write(bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => stream.writable().await?,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
