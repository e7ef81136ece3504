//! Every method: its members, their limits, what it returns. Checks, schemas and TypeScript come from here.

use super::ask::{AskedAction, Channel, Kind};
use super::event::{EventChannel, Level};

/// What a JSON value has to look like.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// One line of `min`–`max` characters, counted after trimming, without control characters.
    Line { min: usize, max: usize },
    /// A name of 1–`max` characters, counted as sent, not blank, without control characters.
    Name { max: usize },
    /// Any text of at most `max` bytes of UTF-8.
    Text { max: usize },
    /// One of these words.
    Word(&'static [&'static str]),
    /// A whole number from `min` to `max`, written without fraction or exponent.
    Whole { min: u64, max: u64 },
    /// `true` or `false`.
    Flag,
    /// An array of `min`–`max` entries.
    List { of: &'static Self, min: usize, max: usize },
    /// An object with exactly these members.
    Object(Object),
    /// An object from method name to description.
    Map,
}

/// The members of an object, in parts that other objects may share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object {
    /// The type that it has in Rust and TypeScript, if any.
    pub(super) name: Option<&'static str>,
    pub(super) parts: &'static [&'static [Member]],
}

impl Object {
    pub(super) fn members(self) -> impl Iterator<Item = &'static Member> {
        self.parts.iter().copied().flatten()
    }
}

/// One member of an object.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: &'static str,
    pub(super) required: bool,
    pub(super) shape: Shape,
    /// What it means, in one sentence.
    pub(super) about: &'static str,
}

const fn must(name: &'static str, shape: Shape, about: &'static str) -> Member {
    Member { name, required: true, shape, about }
}

const fn may(name: &'static str, shape: Shape, about: &'static str) -> Member {
    Member { name, required: false, shape, about }
}

/// An object that is no type of its own.
const fn object(parts: &'static [&'static [Member]]) -> Object {
    Object { name: None, parts }
}

/// One method of the wire.
#[derive(Debug)]
pub(super) struct Method {
    pub(super) name: &'static str,
    /// What it does, in one sentence.
    pub(super) about: &'static str,
    pub(super) params: Object,
    pub(super) result: Shape,
}

impl Method {
    /// The method of that exact name.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        METHODS.iter().find(|method| method.name == name)
    }
}

/// Most bytes in a body and in a text answer.
pub const MAX_TEXT: usize = 256 << 10;
/// Most bytes in a cancel reason.
const MAX_REASON: usize = 4 << 10;
/// Most entries that a choice offers.
pub(super) const MAX_CHOICES: usize = 200;
/// Most entries of the history at once, and how many where nothing is said.
const MAX_ENTRIES: usize = 500;
pub(super) const ENTRIES: usize = 50;
/// The largest integer that every JSON reader keeps exact.
const EXACT: u64 = 1 << 53;
const ANY: usize = usize::MAX;

const ID: Shape = Shape::Name { max: 200 };
const KEY: Shape = Shape::Name { max: 128 };
const TIME: Shape = Shape::Whole { min: 0, max: EXACT };
const STRING: Shape = Shape::Text { max: ANY };

/// One entry of `choices`. It is not the type `Choice`, which always has its label.
pub(super) const CHOICE: Object = object(&[&[
    must("id", ID, "What the asker gets; unique in its ask."),
    may("label", Shape::Line { min: 0, max: 500 }, "What the person reads; absent or empty means the id."),
]]);

const CHOICES: Shape = Shape::List { of: &Shape::Object(CHOICE), min: 0, max: MAX_CHOICES };

/// What an asker says.
const ASKED: &[Member] = &[
    must("surface_id", ID, "The place that asks: a pane, a terminal, any name."),
    may("agent_id", ID, "What the agent calls itself: a label, never an identity."),
    must("kind", Shape::Word(Kind::WORDS), "What kind of answer is wanted."),
    must("title", Shape::Line { min: 1, max: 500 }, "One line."),
    may("body", Shape::Text { max: MAX_TEXT }, "Plain text; a confirm-command's command."),
    may("choices", CHOICES, "For the kind choice; a waiting ask always has the labels."),
    may(
        "default",
        Shape::Text { max: MAX_TEXT },
        "What to preselect or prefill; yesno: yes or no; choice: an offered id; text: any.",
    ),
    may("timeout_ms", TIME, "Milliseconds until it ends as timeout; 0 or absent waits for ever."),
    may("unsafe", Shape::Flag, "The asker's word that the command is destructive; it is drawn so."),
];

/// What the queue adds.
const QUEUED: &[Member] = &[
    must("request_id", STRING, "req:N; N counts up and is never reused."),
    must("created_at", TIME, "Milliseconds since the epoch."),
];

const REQUEST: Object = Object { name: Some("AskUserRequest"), parts: &[QUEUED, ASKED] };

const RESPONSE: Object = Object {
    name: Some("AskUserResponse"),
    parts: &[&[
        must("request_id", STRING, "The ask that ended."),
        must("action", Shape::Word(AskedAction::WORDS), "How it ended."),
        may("value", STRING, "The answer; only with ok."),
        may("reason", STRING, "Why; only with cancel."),
    ]],
};

const BY: Object = Object {
    name: Some("By"),
    parts: &[&[
        must("channel", Shape::Word(Channel::WORDS), "The door it came through."),
        must("who", STRING, "The person or cause."),
    ]],
};

/// How an ask ended.
const ENDING: &[Member] = &[
    may("response", Shape::Object(RESPONSE), "How it ended; absent while it waits."),
    may("resolved_at", TIME, "When it ended, in milliseconds since the epoch."),
    may("by", Shape::Object(BY), "Who ended it."),
    may("delivered_at", TIME, "When the kernel had taken the whole reply to the asker."),
];

const RECORD: Object = Object { name: Some("AskRecord"), parts: &[QUEUED, ASKED, ENDING] };

const RESOLVED: Member =
    must("resolved", Shape::Flag, "False: the id is not waiting; somebody was faster, or it never existed.");
const ACKED: Member =
    may("acked", Shape::Flag, "With the value ack on a confirm-command: whether the first step is done.");

const REQUEST_ID: Member = must("request_id", ID, "The ask, as req:N.");

const CHANNELS: Shape =
    Shape::List { of: &Shape::Word(EventChannel::WORDS), min: 1, max: EventChannel::WORDS.len() };

/// Every method that this hub answers.
pub(super) const METHODS: &[Method] = &[
    Method {
        name: "agent.ask_user",
        about: "Asks a person and returns when the ask is answered, cancelled or timed out.",
        params: object(&[
            ASKED,
            &[may("idempotency_key", KEY, "The same key with the same content joins the ask that waits.")],
        ]),
        result: Shape::Object(RESPONSE),
    },
    Method {
        name: "agent.ask_pending",
        about: "Lists the asks that wait, oldest first.",
        params: object(&[&[may("surface_id", ID, "Only those of this surface.")]]),
        result: Shape::Object(object(&[&[must(
            "pending",
            Shape::List { of: &Shape::Object(REQUEST), min: 0, max: ANY },
            "The asks that wait.",
        )]])),
    },
    Method {
        name: "agent.ask_asker",
        about: "Says what the kernel knows of the process that waits for an ask; nothing of it is the asker's word.",
        params: object(&[&[REQUEST_ID]]),
        result: Shape::Object(object(&[&[
            may("pid", TIME, "The process."),
            may("program", STRING, "Its program's name."),
            may("parent_pid", TIME, "The process that started it."),
            may("parent_program", STRING, "That one's program's name."),
            may("cwd", STRING, "The folder it runs in."),
            may("terminal", STRING, "Its terminal, as pts/3."),
            may(
                "away_until",
                TIME,
                "Nobody waits now; when the ask is given up, in milliseconds since the epoch.",
            ),
        ]])),
    },
    Method {
        name: "agent.ask_ack",
        about: "The first of two steps to run a command: says that it was read. Valid for two minutes.",
        params: object(&[&[REQUEST_ID]]),
        result: Shape::Object(object(&[&[must("acked", Shape::Flag, "False: the id is not waiting.")]])),
    },
    Method {
        name: "agent.ask_answer",
        about: "Answers an ask as its person; the first valid answer wins.",
        params: object(&[&[REQUEST_ID, must("value", STRING, "The answer; it has to fit the kind.")]]),
        result: Shape::Object(object(&[&[RESOLVED, ACKED]])),
    },
    Method {
        name: "agent.ask_cancel",
        about: "Ends an ask without an answer, named by exactly one of its id and its key.",
        params: object(&[&[
            may("request_id", ID, "The ask, as req:N."),
            may("idempotency_key", KEY, "The key that it was asked under."),
            may("reason", Shape::Text { max: MAX_REASON }, "Why, for the asker."),
        ]]),
        result: Shape::Object(object(&[&[RESOLVED]])),
    },
    Method {
        name: "agent.ask_history",
        about: "Lists asks and how they ended, newest first.",
        params: object(&[&[
            may("limit", Shape::Whole { min: 1, max: MAX_ENTRIES as u64 }, "Most entries; 50 where absent."),
            may("before", ID, "Only asks older than this request_id."),
            may("surface_id", ID, "Only those of this surface."),
            may("agent_id", ID, "Only those under this label."),
        ]]),
        result: Shape::Object(object(&[&[must(
            "entries",
            Shape::List { of: &Shape::Object(RECORD), min: 0, max: MAX_ENTRIES },
            "The asks.",
        )]])),
    },
    Method {
        name: "events.subscribe",
        about: "Follows what happens: first a snapshot, then events under the same id.",
        params: object(&[&[may("channels", CHANNELS, "Which channels; all where absent.")]]),
        result: Shape::Object(object(&[&[must("subscribed", CHANNELS, "The channels that follow.")]])),
    },
    Method {
        name: "notification.create",
        about: "Tells the person something that needs no answer.",
        params: object(&[&[
            must("title", Shape::Line { min: 1, max: 200 }, "One line."),
            may("body", Shape::Text { max: 16 << 10 }, "Plain text."),
            may("level", Shape::Word(Level::WORDS), "How serious; info where absent."),
            may("surface_id", ID, "The place it is about."),
        ]]),
        result: Shape::Object(object(&[&[must("id", STRING, "notification:N.")]])),
    },
    Method { name: "system.ping", about: "Says PONG.", params: object(&[]), result: Shape::Word(&["PONG"]) },
    Method {
        name: "system.version",
        about: "Names the program, its version and the version of this contract.",
        params: object(&[]),
        result: Shape::Object(object(&[&[
            must("name", STRING, "The program."),
            must("version", STRING, "Its version."),
            must("protocol", Shape::Whole { min: 1, max: 1 << 16 }, "The contract's version."),
        ]])),
    },
    Method {
        name: "system.capabilities",
        about: "Describes every method with the JSON Schema of its params and its result.",
        params: object(&[]),
        result: Shape::Object(object(&[&[must(
            "methods",
            Shape::Map,
            "By method name: description, params, result.",
        )]])),
    },
    Method {
        name: "system.identify",
        about: "Says where the caller runs, as far as the hub can tell.",
        params: object(&[]),
        result: Shape::Object(object(&[&[
            may("surface_id", STRING, "The caller's pane; null outside panes."),
            may("workspace_id", STRING, "That pane's workspace; null outside panes."),
            must("socket_path", STRING, "The hub's socket."),
        ]])),
    },
];
