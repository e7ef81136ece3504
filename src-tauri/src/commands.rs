//! The bridge: the two commands that a page of ours may call. They decide nothing; the hub does.

use std::sync::Arc;

use serde_json::{Value, json};
use tauri::ipc::{Channel, InvokeError, InvokeResponseBody, Response};
use tauri::{State, WebviewWindow};

use crate::link::{Hear, Refusal, Reply};
use crate::own;
use crate::shell::Shell;
use crate::windows;

/// Makes one call as the person at this window.
#[tauri::command]
pub(crate) async fn call(
    window: WebviewWindow,
    shell: State<'_, Shell>,
    method: String,
    params: Value,
) -> Result<Response, InvokeError> {
    windows::require_own_page(&window)?;
    let reply = match own::call(&window, &shell, &method, &params).await {
        Some(reply) => reply,
        None => match shell.link(window.label()) {
            Ok(link) => link.call(&method, &params).await,
            Err(refusal) => Err(refusal),
        },
    };
    answer(reply)
}

/// Follows channels of events until the page goes.
#[tauri::command]
pub(crate) async fn subscribe(
    window: WebviewWindow,
    shell: State<'_, Shell>,
    channels: Vec<String>,
    events: Channel<InvokeResponseBody>,
) -> Result<Response, InvokeError> {
    windows::require_own_page(&window)?;
    let hear: Hear = Arc::new(move |event| {
        if let Err(error) = events.send(InvokeResponseBody::Json(event)) {
            tracing::debug!(%error, "an event reached no page");
        }
    });
    let (own, hubs): (Vec<_>, Vec<_>) = channels.into_iter().partition(|channel| channel == own::CHANNEL);
    if !own.is_empty() {
        own::follow(&window, &shell, &hear);
    }
    if hubs.is_empty() {
        return answer(Ok("null".to_owned()));
    }
    answer(shell.follow(window.label(), hubs, hear).await)
}

fn answer(reply: Reply) -> Result<Response, InvokeError> {
    match reply {
        Ok(result) => Ok(Response::new(InvokeResponseBody::Json(result))),
        Err(refusal) => Err(refusal.into()),
    }
}

impl From<Refusal> for InvokeError {
    fn from(Refusal { kind, message, param }: Refusal) -> Self {
        Self(match param {
            Some(param) => json!({ "kind": kind, "message": message, "param": param }),
            None => json!({ "kind": kind, "message": message }),
        })
    }
}
