//! The surface for agents and `ht`: the local socket (`protocol.md` §1).
//!
//! It frames bytes, says who is calling, and hands the call on. It runs on the ask path's own thread:
//! reading a line, deciding and replying needs no hand-off to another one.

mod connection;
mod hangup;
mod outgoing;
mod place;

use std::fs::File;
use std::io::{self, Write as _};
use std::rc::Rc;
use std::time::Duration;

use anyhow::Result;
use hotline_core::wire::reply::write_error;
use hotline_core::wire::{CallError, Dialect, ErrorKind};
use tokio::net::UnixListener;
use tokio::time::timeout;

pub(crate) use connection::{Connection, serve};
pub(crate) use hangup::run as watch;
pub(crate) use place::Place;

use crate::caller::{Caller, Peer};
use crate::hub::Desk;

/// Most connections at once; the files a process may open bound them too.
const MAX_CONNECTIONS: usize = 16_000;
/// How long to wait when no connection can be taken, so that the failure does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Takes connections until the task is dropped.
pub(crate) async fn run(desk: Rc<Desk>, listener: UnixListener) -> Result<()> {
    // Given up for a moment where descriptors run out, to tell whoever calls why nobody answers.
    let mut spare = File::open("/dev/null").ok();
    let mut fails = false;
    loop {
        let taken = listener.accept().await;
        if taken.is_err() && !fails {
            tracing::warn!(error = ?taken.as_ref().err(), "no connection can be taken");
        }
        fails = taken.is_err();
        match taken {
            Ok((stream, _)) => accept(&desk, stream),
            Err(_) => {
                drop(spare.take());
                if let Ok(Ok((stream, _))) = timeout(ACCEPT_PAUSE, listener.accept()).await {
                    let _ = stream.into_std().and_then(turn_away);
                }
                spare = File::open("/dev/null").ok();
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

fn accept(desk: &Rc<Desk>, stream: tokio::net::UnixStream) {
    let opened = Peer::of(&stream).and_then(|peer| match peer {
        Some(peer) if desk.connections() < MAX_CONNECTIONS => {
            Connection::open(stream.into_std()?, Caller::Process(peer)).map(Some)
        }
        Some(peer) => {
            tracing::warn!(pid = peer.pid, "too many connections; one was turned away");
            turn_away(stream.into_std()?)
        }
        None => Ok(None),
    });
    match opened {
        Ok(Some(connection)) => {
            let connection = desk.welcome(connection);
            tokio::task::spawn_local(serve(Rc::clone(desk), connection));
        }
        Ok(None) => {}
        Err(error) => tracing::warn!(%error, "a connection could not be served"),
    }
}

fn turn_away(mut stream: std::os::unix::net::UnixStream) -> io::Result<Option<Connection>> {
    let message = "The hub cannot serve more connections. Close some, then try again.";
    let mut reply = Vec::new();
    write_error(&mut reply, Dialect::Plain, None, &CallError::new(ErrorKind::QueueFull, message));
    stream.write_all(&reply)?;
    Ok(None)
}
