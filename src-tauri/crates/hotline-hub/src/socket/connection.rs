//! One peer on the socket: lines in, whole replies out.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::rc::Rc;
use std::time::Duration;

use hotline_core::frame::{Framer, MAX_LINE};
use hotline_core::wire::reply::write_error;
use hotline_core::wire::{CallError, Dialect, ErrorKind};
use rustix::io::Errno;
use tokio::io::unix::AsyncFd;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::outgoing::{LAGS, Outgoing, PAUSES_READING, TooFarBehind};
use crate::caller::Caller;
use crate::hub::Desk;
use crate::{call, readiness};

/// How long a line may take to arrive whole.
const LINE_TAKES: Duration = Duration::from_secs(30);

/// A peer's end of the socket.
pub(crate) struct Connection {
    /// Names it to the desk.
    pub(crate) number: u64,
    pub(crate) caller: Caller,
    /// What it waits for, each with its place in the desk's waiting calls.
    pub(crate) waiting: RefCell<Vec<u32>>,
    /// Requests read and not replied to.
    owed: Cell<usize>,
    /// A subscription keeps a half-closed peer.
    pub(crate) subscribed: Cell<bool>,
    /// Missed events since it fell behind.
    pub(crate) lags: Cell<bool>,
    pub(crate) is_watched: Cell<bool>,
    fd: AsyncFd<UnixStream>,
    out: RefCell<Outgoing>,
    /// Whether a task waits for the peer to take more.
    draining: Cell<bool>,
    read_ended: Cell<bool>,
    closed: Cell<bool>,
    /// Wakes the reader: closed, drained enough to read on, or paid while it waits to close.
    changed: Notify,
    /// Wakes the writer that waits for a slow peer: closed.
    ended: Notify,
    /// Is among the desk's connections with something to flush.
    pub(crate) is_touched: Cell<bool>,
}

impl Connection {
    pub(crate) fn open(stream: UnixStream, caller: Caller) -> io::Result<Self> {
        Ok(Self {
            number: 0,
            caller,
            waiting: RefCell::default(),
            owed: Cell::new(0),
            subscribed: Cell::new(false),
            lags: Cell::new(false),
            is_watched: Cell::new(false),
            fd: readiness::to_read(stream)?,
            out: RefCell::default(),
            draining: Cell::new(false),
            read_ended: Cell::new(false),
            closed: Cell::new(false),
            changed: Notify::new(),
            ended: Notify::new(),
            is_touched: Cell::new(false),
        })
    }

    pub(crate) fn stream(&self) -> &UnixStream {
        self.fd.get_ref()
    }

    /// A request was read: the connection stays until it is replied to.
    pub(crate) fn owes(&self) {
        self.owed.set(self.owed.get() + 1);
    }

    /// A request was replied to, or its reply is wanted no more.
    pub(crate) fn paid(&self) {
        self.owed.set(self.owed.get().saturating_sub(1));
        if self.read_ended.get() {
            self.changed.notify_one();
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.get()
    }

    /// Adds a reply; [`Self::flush`] sends it. `ask` where it is an ask's response.
    pub(crate) fn push(&self, ask: Option<u64>, write: impl FnOnce(&mut Vec<u8>)) {
        if self.closed.get() {
            return;
        }
        if let Err(TooFarBehind) = self.out.borrow_mut().push(ask, write) {
            tracing::warn!(caller = ?self.caller, "a reader left over 8 MiB unread; its connection was closed");
            self.close();
        }
    }

    /// Whether so much waits that events are better left out.
    pub(crate) fn is_behind(&self) -> bool {
        self.out.borrow().rest().len() > LAGS
    }

    /// Gives the kernel what it takes now; the rest follows by itself.
    pub(crate) fn flush(self: &Rc<Self>, desk: &Rc<Desk>) {
        if self.closed.get() || self.draining.get() {
            return;
        }
        match self.write_now(desk) {
            Ok(true) => {
                desk.catch_up(self);
                self.close_if_done();
            }
            Ok(false) => {
                self.draining.set(true);
                tokio::task::spawn_local(drain(Rc::clone(desk), Rc::clone(self)));
            }
            Err(_) => desk.hung_up(self.number),
        }
    }

    /// True when nothing is left.
    fn write_now(&self, desk: &Rc<Desk>) -> io::Result<bool> {
        loop {
            let mut out = self.out.borrow_mut();
            if out.rest().is_empty() {
                return Ok(true);
            }
            match rustix::io::write(self.stream(), out.rest()) {
                Ok(count) => out.took(count, |ask| desk.delivered(ask)),
                Err(Errno::WOULDBLOCK) => return Ok(false),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Ends it both ways; what waits on it is the desk's to withdraw.
    pub(crate) fn close(&self) {
        if !self.closed.replace(true) {
            let _ = self.stream().shutdown(std::net::Shutdown::Both);
            self.changed.notify_one();
            self.ended.notify_one();
        }
    }

    /// Ends a half-closed connection that owes nothing.
    fn close_if_done(&self) {
        let idle = self.owed.get() == 0 && !self.subscribed.get() && self.out.borrow().rest().is_empty();
        if idle && self.read_ended.get() {
            self.close();
        }
    }

    /// Whether a reply is still on its way.
    pub(crate) fn has_unsent(&self) -> bool {
        !self.closed.get() && !self.out.borrow().rest().is_empty()
    }

    fn pauses_reading(&self) -> bool {
        self.out.borrow().rest().len() > PAUSES_READING
    }
}

/// Reads a connection until it ends, and sees it off.
pub(crate) async fn serve(desk: Rc<Desk>, connection: Rc<Connection>) {
    match read(&desk, &connection).await {
        Ok(()) => {
            connection.read_ended.set(true);
            connection.close_if_done();
            // Half-closed: it stays while anything is owed, and the watch on its hang-up ends it otherwise.
            if !connection.closed.get() {
                desk.watch(&connection);
            }
            while !connection.closed.get() {
                connection.changed.notified().await;
            }
        }
        Err(refusal) => {
            if let Some(error) = refusal {
                linger(&connection).await;
                connection.push(None, |out| write_error(out, Dialect::Plain, None, &error));
                connection.flush(&desk);
                linger(&connection).await;
            }
            connection.close();
        }
    }
    desk.hung_up(connection.number);
    desk.farewell(connection.number);
}

/// Waits until everything that was asked before a fatal error is replied to, pending asks apart.
async fn linger(connection: &Rc<Connection>) {
    connection.read_ended.set(true);
    let busy = || {
        let replying = connection.owed.get() > connection.waiting.borrow().len();
        !connection.closed.get() && (replying || connection.draining.get())
    };
    let replied = async {
        while busy() {
            connection.changed.notified().await;
        }
    };
    let _ = tokio::time::timeout(LINE_TAKES, replied).await;
}

/// Ok at the peer's end of sending; an error with a reply where nothing after it can be trusted.
async fn read(desk: &Rc<Desk>, connection: &Rc<Connection>) -> Result<(), Option<CallError>> {
    let mut framer = Framer::default();
    let mut mid_line_since: Option<Instant> = None;
    loop {
        while connection.pauses_reading() && !connection.closed.get() {
            connection.changed.notified().await;
        }
        // Closing it makes it readable too.
        let ready = poll_fn(|context| connection.fd.poll_read_ready(context));
        let ready = match mid_line_since {
            None => ready.await,
            Some(since) => match tokio::time::timeout_at(since + LINE_TAKES, ready).await {
                Ok(ready) => ready,
                Err(_) => return Err(Some(too_slow())),
            },
        };
        let mut guard = ready.map_err(|_| None)?;
        if connection.closed.get() {
            return Err(None);
        }
        match take(desk, connection, &mut framer, &mut mid_line_since)? {
            Taken::End => return Ok(()),
            // The next byte, or the end, wakes us again.
            Taken::All => guard.clear_ready(),
            Taken::Some => tokio::task::yield_now().await,
        }
    }
}

/// What one read found.
enum Taken {
    /// The peer sends nothing more.
    End,
    /// Everything that was there.
    All,
    /// A full buffer; more may be there.
    Some,
}

fn take(
    desk: &Rc<Desk>,
    connection: &Rc<Connection>,
    framer: &mut Framer,
    mid_line_since: &mut Option<Instant>,
) -> Result<Taken, Option<CallError>> {
    let mut scratch = desk.scratch();
    let count = match rustix::io::read(connection.stream(), &mut scratch[..]) {
        Ok(0) => return Ok(Taken::End),
        Ok(count) => count,
        Err(Errno::WOULDBLOCK) => return Ok(Taken::All),
        Err(Errno::INTR) => return Ok(Taken::Some),
        Err(_) => return Err(None),
    };
    let fed = framer.feed(&scratch[..count], |line| {
        // What is unfinished after a whole line is another one, with all its time.
        *mid_line_since = None;
        call::line(desk, connection, line);
    });
    connection.flush(desk);
    fed.map_err(|_| Some(too_long()))?;
    *mid_line_since = framer.is_mid_line().then(|| mid_line_since.unwrap_or_else(Instant::now));
    Ok(if count < scratch.len() { Taken::All } else { Taken::Some })
}

/// Writes the rest as the peer takes it, on a registration of its own, so that reading never wakes for it.
async fn drain(desk: Rc<Desk>, connection: Rc<Connection>) {
    let done = async {
        let twin = connection.stream().as_fd().try_clone_to_owned()?;
        let twin = readiness::to_write(twin)?;
        loop {
            let mut guard = tokio::select! {
                guard = twin.writable() => guard?,
                () = connection.ended.notified() => return Ok(()),
            };
            if connection.write_now(&desk)? {
                return Ok(());
            }
            guard.clear_ready();
            connection.changed.notify_one();
        }
    };
    let done: io::Result<()> = done.await;
    connection.draining.set(false);
    if done.is_err() {
        desk.hung_up(connection.number);
        connection.close();
    }
    desk.catch_up(&connection);
    connection.close_if_done();
    connection.changed.notify_one();
}

fn too_long() -> CallError {
    let message = format!("The line is over {MAX_LINE} bytes; the connection ends here. Send shorter lines.");
    CallError::new(ErrorKind::TooLarge, message)
}

fn too_slow() -> CallError {
    let seconds = LINE_TAKES.as_secs();
    let message = format!("The line was not finished within {seconds} seconds; the connection ends here.");
    CallError::new(ErrorKind::TooLarge, message)
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.close();
    }
}
