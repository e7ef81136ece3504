//! Where an ask comes from, when nobody says it.

#[cfg(target_os = "linux")]
use hotline_core::proc_stat::ProcStat;
use hotline_core::wire::result::Identity;
use nix::unistd::getsid;
use serde_json::json;

use crate::client::Connection;
use crate::exit::Problem;

/// The surface named on the command line, else in `$HT_SURFACE`, else the pane that the hub finds us in.
pub(crate) fn pane(named: Option<&str>, hub: &mut Connection) -> Result<Option<String>, Problem> {
    let set = || std::env::var("HT_SURFACE").ok().filter(|surface| !surface.is_empty());
    if let Some(surface) = named.map(str::to_owned).or_else(set) {
        return Ok(Some(surface));
    }
    let identity: Identity = hub.get("system.identify", &json!({}))?;
    Ok(identity.surface_id)
}

/// The pane, else a name for this terminal, else one for this session.
pub(crate) fn find(named: Option<&str>, hub: &mut Connection) -> Result<String, Problem> {
    Ok(pane(named, hub)?.or_else(terminal).unwrap_or_else(session))
}

/// `term:pts/3`, after the terminal that controls this process, redirected or not.
#[cfg(target_os = "linux")]
fn terminal() -> Option<String> {
    let stat = ProcStat::parse(&std::fs::read_to_string("/proc/self/stat").ok()?)?;
    Some(format!("term:{}", stat.terminal?))
}

/// `term:ttys003`, after the first standard stream that is a terminal.
#[cfg(not(target_os = "linux"))]
fn terminal() -> Option<String> {
    let (stdin, stdout, stderr) = (std::io::stdin(), std::io::stdout(), std::io::stderr());
    let streams = [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()];
    let name = streams.into_iter().find_map(|fd| rustix::termios::ttyname(fd, Vec::new()).ok())?;
    let name = name.into_string().ok()?;
    Some(format!("term:{}", name.strip_prefix("/dev/")?))
}

#[cfg(not(target_os = "linux"))]
use std::os::fd::AsFd;

/// `session:4711`; `session:0` in a container that was entered from outside, where the leader has no number.
fn session() -> String {
    let leader = getsid(None).map_or_else(|_| std::process::id().cast_signed(), |id| id.as_raw());
    format!("session:{leader}")
}
