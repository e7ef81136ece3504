//! The surface for agents and `ht`: the local socket (`protocol.md` §1).
//!
//! It frames bytes, says who is calling, and hands the call on. It runs on the ask path's own thread:
//! reading a line, deciding and replying needs no hand-off to another one.

mod connection;
mod hangup;
mod outgoing;
mod place;

use std::io::{self, Write as _};
use std::rc::Rc;
use std::time::Duration;

use anyhow::Result;
use hotline_core::wire::reply::write_error;
use hotline_core::wire::{CallError, Dialect, ErrorKind};
use tokio::net::UnixListener;

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
    loop {
        match listener.accept().await {
            Ok((stream, _)) => accept(&desk, stream),
            Err(error) => {
                tracing::warn!(%error, "no connection could be taken; waiting a moment");
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
    let message =
        format!("The hub serves {MAX_CONNECTIONS} connections already. Close some, then try again.");
    let mut reply = Vec::new();
    write_error(&mut reply, Dialect::Plain, None, &CallError::new(ErrorKind::QueueFull, message));
    stream.write_all(&reply)?;
    Ok(None)
}
