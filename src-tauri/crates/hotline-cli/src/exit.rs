//! How a run ends: the exit codes that scripts read, and the problems that people read.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use hotline_core::display::{self, Context};
use hotline_core::wire::ErrorKind;
use hotline_core::words::{HtWords, Language, fill};
use rustix::process::geteuid;

use crate::show;

/// How a run ended (`protocol.md` §6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Answered, with the value on stdout; or the call succeeded.
    Done,
    /// The hub said no, or the id is not waiting.
    Refused,
    /// The ask timed out.
    TimedOut,
    /// The ask was cancelled.
    Cancelled,
    /// The person went back before anything was sent.
    NothingDone,
    /// The command line is wrong.
    Usage,
    /// No hub, or it went away for good.
    NoHub,
    /// There was something to print, and nobody took it.
    OutputLost,
    /// Ended by this signal.
    Signal(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Refused => 1,
            Exit::TimedOut => 2,
            Exit::Cancelled => 3,
            Exit::NothingDone => 4,
            Exit::Usage => 64,
            Exit::NoHub => 69,
            Exit::OutputLost => 74,
            Exit::Signal(number) => 128 + number,
        })
    }
}

/// Why a run could not do what was asked.
#[derive(Debug)]
pub(crate) enum Problem {
    /// Nobody listens at any of the usual paths, of which this is the first.
    NoHub(PathBuf),
    /// Something is at the path that `ht` will not talk to.
    Unusable(PathBuf, Unusable),
    /// The connection ended before the reply.
    Lost(PathBuf),
    /// The hub took too long.
    Silent(PathBuf, Duration),
    /// The hub's reply makes no sense, or is larger than any can be.
    Garbled(PathBuf),
    /// The hub was away for so long that waiting ended.
    Gone(Duration),
    /// The hub said no.
    Refused(Refusal),
    /// What is to be sent is longer than fits: at most so many bytes.
    TooLong(usize),
    /// A file that the command line names is of no use.
    Unreadable(PathBuf, io::Error),
    /// Standard output takes nothing.
    Output,
    /// The system has no more of something.
    System(io::Error),
}

/// What is wrong with a socket.
#[derive(Debug)]
pub(crate) enum Unusable {
    /// A symbolic link.
    Link,
    /// Anything else that is no socket.
    NotASocket,
    /// It belongs to this user.
    ForeignSocket(u32),
    /// The process behind it runs as this user.
    ForeignHub(u32),
    /// Longer than a socket's path may be.
    LongPath,
}

/// The hub's own words for a no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The stable word (`protocol.md` §5).
    pub(crate) kind: String,
    /// A sentence for a person.
    pub(crate) message: String,
}

impl Refusal {
    /// Whether it is of this kind.
    pub(crate) fn is(&self, kind: ErrorKind) -> bool {
        self.kind == kind.word()
    }

    /// Whether the hub refused because it is ending: it may be back in a moment.
    pub(crate) fn is_farewell(&self) -> bool {
        self.is(ErrorKind::ShuttingDown)
    }
}

impl Problem {
    /// The code to end with.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::NoHub(_) | Self::Unusable(..) | Self::Lost(_) | Self::Silent(..) | Self::Garbled(_) => {
                Exit::NoHub
            }
            Self::Gone(_) | Self::System(_) => Exit::NoHub,
            Self::Refused(refusal) if refusal.is_farewell() => Exit::NoHub,
            Self::Refused(_) | Self::TooLong(_) => Exit::Refused,
            Self::Unreadable(..) => Exit::Usage,
            Self::Output => Exit::OutputLost,
        }
    }

    /// What to tell the person; a hint stands on a line of its own.
    pub(crate) fn sentence(&self, language: Language) -> String {
        let texts = &language.words().ht;
        let at = |text, path: &Path| fill(text, &[("path", &shown(path))]);
        let time = |waited: &Duration| show::time(*waited, language);
        let hinted = |sentence, hint| format!("{sentence}\n{hint}");
        match self {
            Self::NoHub(path) => hinted(at(texts.no_hub, path), texts.no_hub_hint),
            Self::Unusable(path, unusable) => unusable.sentence(path, texts),
            Self::Lost(path) => at(texts.hub_left, path),
            Self::Silent(path, waited) => {
                let silent = fill(texts.hub_silent, &[("path", &shown(path)), ("time", &time(waited))]);
                hinted(silent, texts.hub_silent_hint)
            }
            Self::Garbled(path) => hinted(at(texts.hub_garbled, path), texts.hub_garbled_hint),
            Self::Gone(waited) => fill(texts.hub_lost, &[("time", &time(waited))]),
            Self::Refused(refusal) => display::show(&refusal.message, Context::Block).into_owned(),
            Self::TooLong(max) => fill(texts.too_long, &[("max", max)]),
            Self::Unreadable(path, why) => fill(texts.unreadable, &[("path", &shown(path)), ("why", &why)]),
            Self::Output => texts.output_lost.to_owned(),
            Self::System(why) => why.to_string(),
        }
    }
}

impl Unusable {
    fn sentence(&self, path: &Path, texts: &HtWords) -> String {
        // Root reaches everybody's socket: most likely this is sudo.
        let elsewhere = if geteuid().is_root() { texts.other_user_hint } else { texts.no_hub_hint };
        let (text, uid, hint) = match self {
            Self::Link => (texts.socket_link, None, texts.socket_link_hint),
            Self::NotASocket => (texts.not_a_socket, None, texts.not_a_socket_hint),
            Self::ForeignSocket(uid) => (texts.not_your_socket, Some(uid), elsewhere),
            Self::ForeignHub(uid) => (texts.not_your_hub, Some(uid), elsewhere),
            Self::LongPath => (texts.path_long, None, texts.path_long_hint),
        };
        let uid = uid.map(u32::to_string).unwrap_or_default();
        format!("{}\n{hint}", fill(text, &[("path", &shown(path)), ("uid", &uid)]))
    }
}

fn shown(path: &Path) -> String {
    show::line(&path.to_string_lossy()).into_owned()
}
