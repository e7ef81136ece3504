//! The hub at the other end of the local socket: found, checked, called, listened to.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hotline_core::frame::{Framer, LineTooLong, MAX_LINE};
use hotline_core::place::socket_candidates;
use rustix::io::FdFlags;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, sockopt};
use rustix::process::geteuid;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::exit::{Problem, Refusal, Unusable};
use crate::peer;

/// How long the hub may take to accept, to read a request, and to reply to anything but an ask.
const PATIENCE: Duration = Duration::from_secs(15);
/// The longest line that is taken from the hub.
const MAX_REPLY: usize = 4 << 20;
/// The same where the hub lists asks: the fullest queue fits, and the largest page of history.
const MAX_LIST: usize = 600 << 20;
/// The methods that list asks.
const LISTS: [&str; 3] = ["agent.ask_pending", "agent.ask_history", "events.subscribe"];

/// Something that the hub sent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Incoming {
    /// The result of the call with this id, as JSON, or the hub's no.
    Reply(u64, Result<String, Refusal>),
    /// What happened, as JSON.
    Event(String),
}

/// A connection to the hub.
pub(crate) struct Connection {
    path: PathBuf,
    stream: UnixStream,
    calls: u64,
    framer: Framer,
    /// Received and not yet handed out; none where a line made no sense.
    received: VecDeque<Option<Incoming>>,
}

impl Connection {
    /// Connects to the first of the usual places where a hub of this user listens.
    pub(crate) fn open() -> Result<Self, Problem> {
        let paths = socket_candidates(|name| std::env::var_os(name), geteuid().as_raw());
        let mut problem = None;
        for path in paths {
            match (Self::open_at(&path, PATIENCE), &problem) {
                (Ok(connection), _) => return Ok(connection),
                // That a socket is somebody else's explains more than that there is none.
                (Err(found), None | Some(Problem::NoHub(_))) if !matches!(found, Problem::NoHub(_)) => {
                    problem = Some(found);
                }
                (Err(found), _) => problem = problem.or(Some(found)),
            }
        }
        Err(problem.unwrap_or_else(|| Problem::NoHub(PathBuf::new())))
    }

    /// Connects to one path, if what is there can be trusted.
    pub(crate) fn open_at(path: &Path, patience: Duration) -> Result<Self, Problem> {
        let at = || path.to_owned();
        let address = SocketAddrUnix::new(path).map_err(|_| Problem::Unusable(at(), Unusable::LongPath))?;
        check(path)?;
        let connect = || -> io::Result<UnixStream> {
            let (family, kind) = (AddressFamily::UNIX, SocketType::STREAM);
            let socket = rustix::net::socket_with(family, kind, SocketFlags::empty(), None)?;
            // Afterwards, since not every system takes it as a flag above; nothing is spawned in between.
            rustix::io::fcntl_setfd(&socket, FdFlags::CLOEXEC)?;
            // It bounds the connecting too, where the hub accepts no more.
            sockopt::set_socket_timeout(&socket, sockopt::Timeout::Send, Some(patience))?;
            rustix::net::connect(&socket, &address)?;
            Ok(UnixStream::from(socket))
        };
        let stream = connect().map_err(|error| match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => Problem::Silent(at(), patience),
            _ => Problem::NoHub(at()),
        })?;
        match peer::uid(&stream) {
            Ok(Some(uid)) if uid != geteuid().as_raw() => {
                return Err(Problem::Unusable(at(), Unusable::ForeignHub(uid)));
            }
            Ok(_) => {}
            Err(_) => return Err(Problem::Lost(at())),
        }
        let framer = Framer::new(MAX_REPLY);
        Ok(Self { path: at(), stream, calls: 0, framer, received: VecDeque::new() })
    }

    /// The socket's path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Calls a method and waits for its result, as JSON.
    pub(crate) fn call(&mut self, method: &str, params: &Value) -> Result<String, Problem> {
        self.call_within(method, params, PATIENCE)
    }

    /// [`Self::call`] for those in a hurry.
    pub(crate) fn call_within(
        &mut self,
        method: &str,
        params: &Value,
        patience: Duration,
    ) -> Result<String, Problem> {
        let until = Instant::now() + patience;
        let id = self.send(method, params)?;
        loop {
            while let Some(incoming) = self.next()? {
                match incoming {
                    Incoming::Reply(replied, result) if replied == id => {
                        return result.map_err(Problem::Refused);
                    }
                    Incoming::Reply(..) | Incoming::Event(_) => {}
                }
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Problem::Silent(self.path.clone(), patience));
            }
            self.stream.set_read_timeout(Some(left)).map_err(|_| self.lost())?;
            self.receive()?;
        }
    }

    /// Calls a method whose result is of a known type.
    pub(crate) fn get<T: DeserializeOwned>(&mut self, method: &str, params: &Value) -> Result<T, Problem> {
        let result = self.call(method, params)?;
        self.read(&result)
    }

    /// Reads a result as a known type.
    pub(crate) fn read<T: DeserializeOwned>(&self, json: &str) -> Result<T, Problem> {
        serde_json::from_str(json).map_err(|_| self.garbled())
    }

    /// Sends a request and returns its id.
    pub(crate) fn send(&mut self, method: &str, params: &Value) -> Result<u64, Problem> {
        self.calls += 1;
        if LISTS.contains(&method) {
            self.framer.allow(MAX_LIST);
        }
        let mut line =
            serde_json::json!({ "id": self.calls, "method": method, "params": params }).to_string();
        if line.len() > MAX_LINE {
            return Err(Problem::TooLong(MAX_LINE));
        }
        line.push('\n');
        self.stream.write_all(line.as_bytes()).map_err(|error| match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => Problem::Silent(self.path.clone(), PATIENCE),
            _ => self.lost(),
        })?;
        Ok(self.calls)
    }

    /// What to poll before [`Self::receive`].
    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }

    /// Reads once; a call without a reply goes on at [`Self::next`].
    pub(crate) fn receive(&mut self) -> Result<(), Problem> {
        let mut chunk = vec![0; 64 << 10];
        let length = match self.stream.read(&mut chunk) {
            Ok(0) => return Err(self.lost()),
            Ok(length) => length,
            Err(error) => {
                return match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => Ok(()),
                    _ => Err(self.lost()),
                };
            }
        };
        let (received, last) = (&mut self.received, self.calls);
        let fed = self.framer.feed(&chunk[..length], |line| received.push_back(parse(line, last)));
        fed.map_err(|LineTooLong| self.garbled())
    }

    /// The next whole line that was received.
    pub(crate) fn next(&mut self) -> Result<Option<Incoming>, Problem> {
        let Some(incoming) = self.received.pop_front() else { return Ok(None) };
        incoming.map(Some).ok_or_else(|| self.garbled())
    }

    fn lost(&self) -> Problem {
        Problem::Lost(self.path.clone())
    }

    fn garbled(&self) -> Problem {
        Problem::Garbled(self.path.clone())
    }
}

/// Refuses what is no socket of this user, before anything is sent to it.
fn check(path: &Path) -> Result<(), Problem> {
    let unusable = |why| Err(Problem::Unusable(path.to_owned(), why));
    let Ok(found) = fs::symlink_metadata(path) else { return Err(Problem::NoHub(path.to_owned())) };
    if found.file_type().is_symlink() {
        return unusable(Unusable::Link);
    }
    if !found.file_type().is_socket() {
        return unusable(Unusable::NotASocket);
    }
    if found.uid() != geteuid().as_raw() {
        return unusable(Unusable::ForeignSocket(found.uid()));
    }
    Ok(())
}

/// Reads one line; an error without an id is about the last call.
fn parse(line: &[u8], last: u64) -> Option<Incoming> {
    #[derive(Deserialize)]
    struct Line<'a> {
        id: Option<u64>,
        #[serde(borrow)]
        result: Option<&'a RawValue>,
        error: Option<String>,
        code: Option<String>,
        #[serde(borrow)]
        event: Option<&'a RawValue>,
    }
    match serde_json::from_slice(line).ok()? {
        Line { event: Some(event), .. } => Some(Incoming::Event(event.get().to_owned())),
        Line { id: Some(id), result: Some(result), .. } => {
            Some(Incoming::Reply(id, Ok(result.get().to_owned())))
        }
        Line { id, error: Some(message), code, .. } => {
            let refusal = Refusal { kind: code.unwrap_or_default(), message };
            Some(Incoming::Reply(id.unwrap_or(last), Err(refusal)))
        }
        Line { .. } => None,
    }
}

/// Members of `params`, the absent ones left out.
pub(crate) fn params<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    let present = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(present.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_result_a_no_an_event_or_nonsense() {
        let result = Incoming::Reply(3, Ok(r#"{"a": 1}"#.into()));
        assert_eq!(parse(br#"{"id":3,"result":{"a": 1}}"#, 9), Some(result));
        let no = |id| {
            let refusal = Refusal { kind: "too_large".into(), message: "Too large.".into() };
            Some(Incoming::Reply(id, Err(refusal)))
        };
        assert_eq!(parse(br#"{"id":3,"error":"Too large.","code":"too_large"}"#, 9), no(3));
        assert_eq!(parse(br#"{"id":null,"error":"Too large.","code":"too_large"}"#, 9), no(9));
        let event = Incoming::Event(r#"{"seq":1}"#.into());
        assert_eq!(parse(br#"{"id":1,"event":{"seq":1}}"#, 9), Some(event));
        for nonsense in [&b"{}"[..], b"[]", b"hello", br#"{"id":"x","result":1}"#, br#"{"result":1}"#] {
            assert_eq!(parse(nonsense, 9), None, "{}", String::from_utf8_lossy(nonsense));
        }
    }

    #[test]
    fn a_hub_that_does_not_reply_is_not_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
        let mut hub = Connection::open_at(&path, PATIENCE).unwrap();
        let silence = hub.call_within("system.ping", &serde_json::json!({}), Duration::from_millis(20));
        assert!(matches!(silence, Err(Problem::Silent(..))), "{silence:?}");
    }

    #[test]
    fn absent_members_are_left_out() {
        let built = params([("a", Some(1.into())), ("b", None)]);
        assert_eq!(built.to_string(), r#"{"a":1}"#);
    }

    #[test]
    fn only_a_socket_is_talked_to() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(matches!(check(&file), Err(Problem::Unusable(_, Unusable::NotASocket))));
        let socket = directory.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        assert!(check(&socket).is_ok());
        let link = directory.path().join("link");
        std::os::unix::fs::symlink(&socket, &link).unwrap();
        assert!(matches!(check(&link), Err(Problem::Unusable(_, Unusable::Link))));
        assert!(matches!(check(&directory.path().join("nothing")), Err(Problem::NoHub(_))));
    }
}
