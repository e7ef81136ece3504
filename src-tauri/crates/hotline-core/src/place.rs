//! Where the hub's socket is: the rule that the hub and every client share (`protocol.md` §1).

use std::ffi::OsString;
use std::path::PathBuf;

/// Names the socket outright; nothing else is tried beside it.
pub const SOCKET_VARIABLE: &str = "HT_SOCKET_PATH";

/// The paths to try, in order, from the environment (`std::env::var_os`) and the user's id.
///
/// A client takes the first that exists and is its user's own; a hub the first that it can make.
/// `$HT_SOCKET_PATH` stands alone: who names a hub does not mean another one when that is gone.
/// An empty variable counts as unset, and so does a relative XDG directory, as its specification wants.
pub fn socket_candidates(variable: impl Fn(&str) -> Option<OsString>, uid: u32) -> Vec<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let directory = |name: &str| set(name).filter(|path| path.is_absolute());
    if let Some(path) = set(SOCKET_VARIABLE) {
        return vec![path];
    }
    let run = PathBuf::from(format!("/run/user/{uid}"));
    let state = directory("XDG_STATE_HOME").or_else(|| directory("HOME").map(|home| home.join(STATE)));
    let mut paths: Vec<PathBuf> = Vec::with_capacity(3);
    for directory in [directory("XDG_RUNTIME_DIR"), Some(run), state].into_iter().flatten() {
        let path = directory.join("hotline/hotline.sock");
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

/// The per-user state directory below the home.
const STATE: &str = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/state" };

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(variables: &[(&str, &str)]) -> Vec<String> {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| OsString::from(value))
        };
        socket_candidates(variable, 7).iter().map(|path| path.display().to_string()).collect()
    }

    #[test]
    fn a_named_socket_is_the_only_one_tried() {
        assert_eq!(tried(&[("HT_SOCKET_PATH", "/x/y.sock"), ("HOME", "/home/me")]), ["/x/y.sock"]);
    }

    #[test]
    fn without_a_name_the_runtime_directories_come_before_the_home() {
        let all = tried(&[("HT_SOCKET_PATH", ""), ("XDG_RUNTIME_DIR", "/tmp/run"), ("HOME", "/home/me")]);
        let home = format!("/home/me/{STATE}/hotline/hotline.sock");
        assert_eq!(all, ["/tmp/run/hotline/hotline.sock", "/run/user/7/hotline/hotline.sock", home.as_str()]);
        let stated = tried(&[("XDG_STATE_HOME", "/var/me"), ("HOME", "/home/me")]);
        assert_eq!(stated, ["/run/user/7/hotline/hotline.sock", "/var/me/hotline/hotline.sock"]);
    }

    #[test]
    fn what_is_relative_or_twice_is_left_out() {
        assert_eq!(tried(&[("XDG_RUNTIME_DIR", "run"), ("HOME", ".")]), ["/run/user/7/hotline/hotline.sock"]);
        assert_eq!(tried(&[("XDG_RUNTIME_DIR", "/run/user/7")]), ["/run/user/7/hotline/hotline.sock"]);
    }
}
