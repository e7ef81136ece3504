//! Where an ask comes from, when nobody says it.

use hotline_core::wire::result::Identity;
use rustix::process::getsid;
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
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    Some(format!("term:{}", device(tty_number(&stat)?)?))
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

fn session() -> String {
    let leader = getsid(None).map_or_else(|_| std::process::id().cast_signed(), |id| id.as_raw_pid());
    format!("session:{leader}")
}

/// The seventh field of `/proc/self/stat`; the second one is a name in brackets and may hold anything.
#[cfg(target_os = "linux")]
fn tty_number(stat: &str) -> Option<u32> {
    let (_, after_name) = stat.rsplit_once(')')?;
    // state, ppid, pgrp, session, tty_nr
    after_name.split_whitespace().nth(4)?.parse::<i32>().ok().map(i32::cast_unsigned)
}

/// The name below `/dev` of a terminal's device number; none for no terminal.
#[cfg(target_os = "linux")]
fn device(number: u32) -> Option<String> {
    let (major, minor) = (number >> 8 & 0xfff, number & 0xff | number >> 12 & 0xfff00);
    match major {
        4 if minor < 64 => Some(format!("tty{minor}")),
        4 => Some(format!("ttyS{}", minor - 64)),
        // Unix98 terminals fill eight majors.
        136..=143 => Some(format!("pts/{}", (major - 136) << 20 | minor)),
        0 => None,
        _ => Some(format!("tty-{major}-{minor}")),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_terminal_is_named_as_tty_names_it() {
        assert_eq!(device(136 << 8 | 3).as_deref(), Some("pts/3"));
        assert_eq!(device(136 << 8 | 1 << 20 | 44).as_deref(), Some("pts/300"));
        assert_eq!(device(4 << 8 | 1).as_deref(), Some("tty1"));
        assert_eq!(device(4 << 8 | 64).as_deref(), Some("ttyS0"));
        assert_eq!(device(0), None);
    }

    #[test]
    fn a_name_with_brackets_moves_no_field() {
        assert_eq!(tty_number("7 (a) b (c) S 1 7 7 34819 7 0"), Some(34819));
        assert_eq!(tty_number("7 (x"), None);
    }
}
