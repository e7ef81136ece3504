//! A request, understood: every call with its checked parameters.

use smol_str::SmolStr;

use super::ask::{Choice, Kind, NewAsk, request_number};
use super::envelope::Request;
use super::error::{CallError, ErrorKind};
use super::event::{EventChannel, Level};
use super::fields::Fields;
use super::method::{CHOICE, ENTRIES, MAX_CHOICES, METHODS, Method};
use super::raw::{Raw, decode};
use super::word::nearest;
use crate::display::{look, quoted};

/// What a client wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// `agent.ask_user`.
    Ask {
        /// The ask.
        ask: Box<NewAsk>,
        /// What lets its asker come back to it.
        key: Option<SmolStr>,
    },
    /// `agent.ask_pending`.
    Pending {
        /// Only this surface's.
        surface_id: Option<SmolStr>,
    },
    /// `agent.ask_asker`.
    Asker {
        /// The ask's id as sent.
        request_id: SmolStr,
    },
    /// `agent.ask_ack`, and `agent.ask_answer` with the value `ack` on a confirm-command.
    Ack {
        /// The ask's id as sent.
        request_id: SmolStr,
    },
    /// `agent.ask_answer`.
    Answer {
        /// The ask's id as sent.
        request_id: SmolStr,
        /// The answer.
        value: SmolStr,
    },
    /// `agent.ask_cancel`.
    Cancel {
        /// Which ask.
        ask: Named,
        /// Why, for the asker.
        reason: Option<String>,
    },
    /// `agent.ask_history`.
    History(HistoryQuery),
    /// `events.subscribe`.
    Subscribe {
        /// The channels, each once.
        channels: Vec<EventChannel>,
    },
    /// `notification.create`.
    Notify {
        /// One line.
        title: String,
        /// Plain text.
        body: Option<String>,
        /// How serious it is.
        level: Level,
        /// The place it is about.
        surface_id: Option<SmolStr>,
    },
    /// `system.ping`.
    Ping,
    /// `system.version`.
    Version,
    /// `system.capabilities`.
    Capabilities,
    /// `system.identify`.
    Identify,
}

/// How a cancel names its ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// By `request_id`.
    Id(SmolStr),
    /// By `idempotency_key`.
    Key(SmolStr),
}

/// Which part of the history is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryQuery {
    /// Most entries, 1–500.
    pub limit: usize,
    /// Only asks older than the one of this number.
    pub before: Option<u64>,
    /// Only this surface's.
    pub surface_id: Option<SmolStr>,
    /// Only those under this label.
    pub agent_id: Option<SmolStr>,
}

/// Names that an agent may not call itself: they would read as the app or the person.
const RESERVED: [&str; 4] = ["hotline", "system", "human", "user"];

impl Call {
    /// Checks a request's method and params.
    pub fn parse(request: &Request<'_>) -> Result<Self, CallError> {
        let method = Method::named(&request.method).ok_or_else(|| unknown_method(&request.method))?;
        let fields = Fields::of(request.params.as_ref(), method.name.into(), method.params)?;
        match method.name {
            "agent.ask_user" => {
                Ok(Self::Ask { ask: Box::new(new_ask(&fields)?), key: fields.optional("idempotency_key")? })
            }
            "agent.ask_pending" => Ok(Self::Pending { surface_id: fields.optional("surface_id")? }),
            "agent.ask_asker" => Ok(Self::Asker { request_id: fields.required("request_id")? }),
            "agent.ask_ack" => Ok(Self::Ack { request_id: fields.required("request_id")? }),
            "agent.ask_answer" => Ok(Self::Answer {
                request_id: fields.required("request_id")?,
                value: fields.required("value")?,
            }),
            "agent.ask_cancel" => {
                let reason: Option<String> = fields.optional("reason")?;
                let reason = reason.filter(|reason| !reason.is_empty());
                let ask = match (fields.optional("request_id")?, fields.optional("idempotency_key")?) {
                    (Some(id), None) => Named::Id(id),
                    (None, Some(key)) => Named::Key(key),
                    (Some(_), Some(_)) | (None, None) => {
                        let problem = "or \"idempotency_key\" names the ask: give exactly one of the two";
                        return Err(fields.refuse("request_id", problem));
                    }
                };
                Ok(Self::Cancel { ask, reason })
            }
            "agent.ask_history" => Ok(Self::History(HistoryQuery {
                limit: fields.whole("limit")?.and_then(|limit| limit.try_into().ok()).unwrap_or(ENTRIES),
                before: before(&fields)?,
                surface_id: fields.optional("surface_id")?,
                agent_id: fields.optional("agent_id")?,
            })),
            "events.subscribe" => Ok(Self::Subscribe { channels: channels(&fields)? }),
            "notification.create" => Ok(Self::Notify {
                title: fields.required("title")?,
                body: fields.optional("body")?,
                level: fields.string("level")?.and_then(|word| Level::from_word(&word)).unwrap_or_default(),
                surface_id: fields.optional("surface_id")?,
            }),
            "system.ping" => Ok(Self::Ping),
            "system.version" => Ok(Self::Version),
            "system.capabilities" => Ok(Self::Capabilities),
            "system.identify" => Ok(Self::Identify),
            name => unreachable!("{name} stands in the method table without a call"),
        }
    }
}

fn unknown_method(name: &str) -> CallError {
    let hint = match nearest(name, METHODS.iter().map(|method| method.name)) {
        Some(nearest) => format!("did you mean {}?", quoted(nearest)),
        None => "system.capabilities lists them.".to_owned(),
    };
    CallError::new(ErrorKind::MethodNotFound, format!("No method is called {}; {hint}", quoted(name)))
}

fn new_ask(fields: &Fields<'_>) -> Result<NewAsk, CallError> {
    let kind = fields.string("kind")?.and_then(|word| Kind::from_word(&word));
    let kind = kind.expect("the table requires one of the kinds");
    let choices = choices(fields, kind)?;
    let default: Option<String> = fields.optional("default")?;
    check_default(fields, kind, choices.as_deref(), default.as_deref())?;
    let agent_id: Option<SmolStr> = fields.optional("agent_id")?;
    let is_reserved = |name: &&str| RESERVED.iter().any(|word| word.eq_ignore_ascii_case(name.trim()));
    if let Some(name) = agent_id.as_deref().filter(is_reserved) {
        let problem = format!("may not be {}: that name is kept for the app and the person", quoted(name));
        return Err(fields.refuse("agent_id", &problem));
    }
    Ok(NewAsk {
        surface_id: fields.required("surface_id")?,
        agent_id,
        kind,
        title: fields.required("title")?,
        body: fields.optional("body")?,
        choices,
        default,
        timeout_ms: fields.whole("timeout_ms")?,
        is_unsafe: fields.flag("unsafe")?,
    })
}

fn choices(fields: &Fields<'_>, kind: Kind) -> Result<Option<Vec<Choice>>, CallError> {
    let entries = fields.list("choices")?.unwrap_or_default();
    match (kind, entries.is_empty()) {
        (Kind::Choice, true) => {
            let problem = format!("must offer 1 to {MAX_CHOICES} entries when the kind is choice");
            return Err(fields.refuse("choices", &problem));
        }
        (Kind::Choice, false) => {}
        (Kind::YesNo | Kind::Text | Kind::ConfirmCommand, true) => return Ok(None),
        (Kind::YesNo | Kind::Text | Kind::ConfirmCommand, false) => {
            let problem = format!("belongs to the kind choice only, and the kind is {}", kind.word());
            return Err(fields.refuse("choices", &problem));
        }
    }
    let mut choices: Vec<Choice> = Vec::with_capacity(entries.len());
    for (at, entry) in entries.into_iter().enumerate() {
        let whose = format!("agent.ask_user: choice {}", at + 1);
        let entry = Raw::parse(entry, &whose)?;
        let entry = Fields::of(Some(&entry), whose.into(), CHOICE)?;
        let id: String = entry.required("id")?;
        let label: Option<String> = entry.optional("label")?;
        let label = label.filter(|label| !label.is_empty()).unwrap_or_else(|| id.clone());
        choices.push(Choice { id, label });
    }
    if let Some((one, other)) = look_alike(&choices) {
        let problem = format!("has entries that look the same: {} and {}", quoted(one), quoted(other));
        return Err(fields.refuse("choices", &problem));
    }
    Ok(Some(choices))
}

/// Two entries with one id, or whose labels a person could not tell apart.
fn look_alike(choices: &[Choice]) -> Option<(&str, &str)> {
    let mut ids = std::collections::HashSet::with_capacity(choices.len());
    let mut labels = std::collections::HashMap::with_capacity(choices.len());
    for choice in choices {
        if !ids.insert(choice.id.as_str()) {
            return Some((&choice.id, &choice.id));
        }
        let shown = look(&choice.label).into_owned();
        if let Some(other) = labels.insert(shown, choice.id.as_str()) {
            return Some((other, &choice.id));
        }
    }
    None
}

fn check_default(
    fields: &Fields<'_>,
    kind: Kind,
    choices: Option<&[Choice]>,
    default: Option<&str>,
) -> Result<(), CallError> {
    let Some(default) = default else { return Ok(()) };
    let problem = match kind {
        Kind::YesNo if matches!(default, "yes" | "no") => return Ok(()),
        Kind::YesNo => "must be \"yes\" or \"no\"",
        Kind::Choice if choices.into_iter().flatten().any(|choice| choice.id == default) => return Ok(()),
        Kind::Choice => "must be the id of one of the choices",
        Kind::Text => return Ok(()),
        Kind::ConfirmCommand => "must be absent for a confirm-command: nothing is ever preselected there",
    };
    Err(fields.refuse("default", problem))
}

fn before(fields: &Fields<'_>) -> Result<Option<u64>, CallError> {
    let Some(id) = fields.string("before")? else { return Ok(None) };
    let number = request_number(&id);
    number.map(Some).ok_or_else(|| fields.refuse("before", "must be a request_id such as req:7"))
}

fn channels(fields: &Fields<'_>) -> Result<Vec<EventChannel>, CallError> {
    let Some(entries) = fields.list("channels")? else { return Ok(EventChannel::ALL.to_vec()) };
    let mut channels = Vec::with_capacity(entries.len());
    for entry in entries {
        let word = if entry.starts_with('"') { decode(entry)? } else { entry.into() };
        let Some(channel) = EventChannel::from_word(&word) else {
            let problem = format!("has {}; it takes {}", quoted(&word), EventChannel::WORDS.join(", "));
            return Err(fields.refuse("channels", &problem));
        };
        if !channels.contains(&channel) {
            channels.push(channel);
        }
    }
    Ok(channels)
}
