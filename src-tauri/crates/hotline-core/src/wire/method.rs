//! Every method: its members, their limits, what it returns. Checks, schemas and TypeScript come from here.

use super::ask::Kind;

/// What a JSON value has to look like.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// One line of `min`–`max` characters, counted after trimming, without control characters.
    Line {
        /// Fewest characters.
        min: usize,
        /// Most characters.
        max: usize,
    },
    /// A name of 1–`max` characters, counted as sent, not blank, without control characters.
    Name {
        /// Most characters.
        max: usize,
    },
    /// Any text of at most `max` bytes of UTF-8.
    Text {
        /// Most bytes.
        max: usize,
    },
    /// One of these words.
    Word(&'static [&'static str]),
    /// A whole number from `min` to `max`, written without fraction or exponent.
    Whole {
        /// Smallest.
        min: u64,
        /// Largest.
        max: u64,
    },
    /// `true` or `false`.
    Flag,
    /// An array of `min`–`max` entries.
    List {
        /// What each entry is.
        of: &'static Self,
        /// Fewest entries.
        min: usize,
        /// Most entries.
        max: usize,
    },
    /// An object with exactly these members.
    Object(&'static [Member]),
    /// An object from method name to description.
    Map,
}

/// One member of an object.
#[derive(Debug)]
pub struct Member {
    /// Its name on the wire.
    pub name: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// What it looks like.
    pub shape: Shape,
    /// What it means, in one sentence.
    pub about: &'static str,
}

const fn must(name: &'static str, shape: Shape, about: &'static str) -> Member {
    Member { name, required: true, shape, about }
}

const fn may(name: &'static str, shape: Shape, about: &'static str) -> Member {
    Member { name, required: false, shape, about }
}

/// One method of the wire.
#[derive(Debug)]
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// The members of `params`.
    pub params: &'static [Member],
    /// What it returns.
    pub result: Shape,
}

impl Method {
    /// The method of that exact name.
    pub fn named(name: &str) -> Option<&'static Self> {
        METHODS.iter().find(|method| method.name == name)
    }
}

/// Most bytes in a body and in a text answer.
pub const MAX_TEXT: usize = 256 << 10;
/// Most bytes in a cancel reason.
pub const MAX_REASON: usize = 4 << 10;
/// The largest integer that every JSON reader keeps exact.
const EXACT: u64 = 1 << 53;
const ANY: usize = usize::MAX;

const ID: Shape = Shape::Name { max: 200 };
const KEY: Shape = Shape::Name { max: 128 };
const TIME: Shape = Shape::Whole { min: 0, max: EXACT };
const STRING: Shape = Shape::Text { max: ANY };

/// The members of one entry of `choices`.
pub const CHOICE: &[Member] = &[
    must("id", ID, "What the asker gets; unique in its ask."),
    may("label", Shape::Line { min: 0, max: 500 }, "What the person reads; absent or empty means the id."),
];

const CHOICES: Shape = Shape::List { of: &Shape::Object(CHOICE), min: 0, max: 200 };

const REQUEST: &[Member] = &[
    must("request_id", STRING, "req:N; N counts up and is never reused."),
    must("surface_id", ID, "The pane, terminal or other place that asked."),
    may("agent_id", ID, "What the agent calls itself: a label, never an identity."),
    must("kind", Shape::Word(Kind::WORDS), "What kind of answer is wanted."),
    must("title", Shape::Line { min: 1, max: 500 }, "One line."),
    may("body", Shape::Text { max: MAX_TEXT }, "Plain text; a confirm-command's command."),
    may("choices", CHOICES, "What a choice offers; labels are always carried."),
    may("default", STRING, "The answer to preselect or prefill; never submitted by itself."),
    may("timeout_ms", TIME, "Milliseconds until the ask ends as timeout; 0 waits for ever."),
    may("unsafe", Shape::Flag, "The asker's word that the command is destructive."),
    must("created_at", TIME, "Milliseconds since the epoch."),
];

const RESPONSE: &[Member] = &[
    must("request_id", STRING, "The ask that ended."),
    must("action", Shape::Word(&["ok", "cancel", "timeout"]), "How it ended."),
    may("value", STRING, "The answer; only with ok."),
    may("reason", STRING, "Why; only with cancel."),
];

const BY: &[Member] = &[
    must("channel", Shape::Word(&["modal", "cli", "web", "telegram", "system"]), "The door it came through."),
    must("who", STRING, "The person or cause."),
];

const RECORD: &[Member] = &[
    must("request_id", STRING, "req:N."),
    must("surface_id", ID, "The place that asked."),
    may("agent_id", ID, "What the agent calls itself."),
    must("kind", Shape::Word(Kind::WORDS), "What kind of answer was wanted."),
    must("title", Shape::Line { min: 1, max: 500 }, "One line."),
    may("body", Shape::Text { max: MAX_TEXT }, "Plain text."),
    may("choices", CHOICES, "What a choice offered."),
    may("default", STRING, "What was preselected or prefilled."),
    may("timeout_ms", TIME, "Milliseconds it would wait."),
    may("unsafe", Shape::Flag, "The asker's word that it was destructive."),
    must("created_at", TIME, "Milliseconds since the epoch."),
    may("response", Shape::Object(RESPONSE), "How it ended; absent while it waits."),
    may("resolved_at", TIME, "When it ended, in milliseconds since the epoch."),
    may("by", Shape::Object(BY), "Who ended it."),
    may("delivered_at", TIME, "When the kernel had taken the whole reply to the asker."),
];

const RESOLVED: Member =
    must("resolved", Shape::Flag, "False: the id is not waiting; somebody was faster, or it never existed.");
const ACKED: Member =
    may("acked", Shape::Flag, "With the value ack on a confirm-command: whether the first step is done.");

const REQUEST_ID: Member = must("request_id", ID, "The ask, as req:N.");

/// Every method that this hub answers.
pub const METHODS: &[Method] = &[
    Method {
        name: "agent.ask_user",
        about: "Asks a person and returns when the ask is answered, cancelled or timed out.",
        params: &[
            must("surface_id", ID, "The place that asks: a pane, a terminal, any name."),
            must("kind", Shape::Word(Kind::WORDS), "What kind of answer is wanted."),
            must("title", Shape::Line { min: 1, max: 500 }, "One line."),
            may("body", Shape::Text { max: MAX_TEXT }, "Plain text; a confirm-command's command."),
            may("agent_id", ID, "What the agent calls itself: a label, never an identity."),
            may("choices", CHOICES, "For the kind choice: 1–200 entries."),
            may(
                "default",
                Shape::Text { max: MAX_TEXT },
                "yesno: yes or no; choice: an offered id; text: any.",
            ),
            may("timeout_ms", TIME, "Milliseconds until it ends as timeout; 0 or absent waits for ever."),
            may("unsafe", Shape::Flag, "Draws the ask as destructive."),
            may("idempotency_key", KEY, "The same key with the same content joins the ask that waits."),
        ],
        result: Shape::Object(RESPONSE),
    },
    Method {
        name: "agent.ask_pending",
        about: "Lists the asks that wait, oldest first.",
        params: &[may("surface_id", ID, "Only those of this surface.")],
        result: Shape::Object(&[must(
            "pending",
            Shape::List { of: &Shape::Object(REQUEST), min: 0, max: ANY },
            "The asks that wait.",
        )]),
    },
    Method {
        name: "agent.ask_asker",
        about: "Says what the kernel knows of the process that waits for an ask; nothing of it is the asker's word.",
        params: &[REQUEST_ID],
        result: Shape::Object(&[
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
        ]),
    },
    Method {
        name: "agent.ask_ack",
        about: "The first of two steps to run a command: says that it was read. Valid for two minutes.",
        params: &[REQUEST_ID],
        result: Shape::Object(&[must("acked", Shape::Flag, "False: the id is not waiting.")]),
    },
    Method {
        name: "agent.ask_answer",
        about: "Answers an ask as its person; the first valid answer wins.",
        params: &[REQUEST_ID, must("value", STRING, "The answer; it has to fit the kind.")],
        result: Shape::Object(&[RESOLVED, ACKED]),
    },
    Method {
        name: "agent.ask_cancel",
        about: "Ends an ask without an answer, named by exactly one of its id and its key.",
        params: &[
            may("request_id", ID, "The ask, as req:N."),
            may("idempotency_key", KEY, "The key that it was asked under."),
            may("reason", Shape::Text { max: MAX_REASON }, "Why, for the asker."),
        ],
        result: Shape::Object(&[RESOLVED]),
    },
    Method {
        name: "agent.ask_history",
        about: "Lists asks and how they ended, newest first.",
        params: &[
            may("limit", Shape::Whole { min: 1, max: 500 }, "Most entries; 50 where absent."),
            may("before", ID, "Only asks older than this request_id."),
            may("surface_id", ID, "Only those of this surface."),
            may("agent_id", ID, "Only those under this label."),
        ],
        result: Shape::Object(&[must(
            "entries",
            Shape::List { of: &Shape::Object(RECORD), min: 0, max: 500 },
            "The asks.",
        )]),
    },
    Method {
        name: "events.subscribe",
        about: "Follows what happens: first a snapshot, then events under the same id.",
        params: &[may(
            "channels",
            Shape::List { of: &Shape::Word(super::event::EventChannel::WORDS), min: 1, max: 16 },
            "Which channels; all where absent.",
        )],
        result: Shape::Object(&[must(
            "subscribed",
            Shape::List { of: &Shape::Word(super::event::EventChannel::WORDS), min: 1, max: 16 },
            "The channels that follow.",
        )]),
    },
    Method {
        name: "notification.create",
        about: "Tells the person something that needs no answer.",
        params: &[
            must("title", Shape::Line { min: 1, max: 200 }, "One line."),
            may("body", Shape::Text { max: 16 << 10 }, "Plain text."),
            may("level", Shape::Word(super::event::Level::WORDS), "How serious; info where absent."),
            may("surface_id", ID, "The place it is about."),
        ],
        result: Shape::Object(&[must("id", STRING, "notification:N.")]),
    },
    Method { name: "system.ping", about: "Says PONG.", params: &[], result: Shape::Word(&["PONG"]) },
    Method {
        name: "system.version",
        about: "Names the program, its version and the version of this contract.",
        params: &[],
        result: Shape::Object(&[
            must("name", STRING, "The program."),
            must("version", STRING, "Its version."),
            must("protocol", Shape::Whole { min: 1, max: 1 << 16 }, "The contract's version."),
        ]),
    },
    Method {
        name: "system.capabilities",
        about: "Describes every method with the JSON Schema of its params and its result.",
        params: &[],
        result: Shape::Object(&[must("methods", Shape::Map, "By method name: description, params, result.")]),
    },
    Method {
        name: "system.identify",
        about: "Says where the caller runs, as far as the hub can tell.",
        params: &[],
        result: Shape::Object(&[
            may("surface_id", STRING, "The caller's pane; null outside panes."),
            may("workspace_id", STRING, "That pane's workspace; null outside panes."),
            must("socket_path", STRING, "The hub's socket."),
        ]),
    },
];
