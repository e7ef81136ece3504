//! What the kernel says about a process: its start, its session, its parents.

use hotline_core::queue::Process;
use hotline_core::wire::result::AskerFacts;

/// Whether this system says who a process is and whose child.
pub(crate) const KNOWN: bool = cfg!(target_os = "linux");
/// Longest line of parents that is followed.
const MAX_DEPTH: usize = 64;

/// A process, as it is now; none where it has ended or may not be looked at.
pub(crate) fn look(pid: u32) -> Option<Process> {
    stat(pid).map(|stat| stat.process)
}

/// A process, its parent, and so on up to the first; none where one of them could not be looked at.
pub(crate) fn lineage(pid: u32) -> Option<Vec<Process>> {
    let mut line = Vec::new();
    let mut next = pid;
    while next != 0 && line.len() < MAX_DEPTH {
        let stat = stat(next)?;
        line.push(stat.process);
        next = stat.parent;
    }
    (!line.is_empty()).then_some(line)
}

/// What a person may want to know of a process that asks.
pub(crate) fn facts(pid: u32) -> AskerFacts {
    let parent = stat(pid).map(|stat| stat.parent).filter(|parent| *parent != 0);
    let below = |name: &str| std::fs::read_link(format!("/proc/{pid}/{name}")).ok();
    let shown = |path: std::path::PathBuf| path.to_string_lossy().into_owned();
    let terminal = below("fd/0").or_else(|| below("fd/2")).map(shown);
    AskerFacts {
        pid: Some(pid),
        program: program(pid),
        parent_pid: parent,
        parent_program: parent.and_then(program),
        cwd: below("cwd").map(shown),
        terminal: terminal
            .and_then(|path| path.strip_prefix("/dev/").map(str::to_owned))
            .filter(|tty| *tty != "null"),
        away_until: None,
    }
}

/// The name of the program that a process runs: its executable's, so a script shows as its interpreter.
fn program(pid: u32) -> Option<String> {
    let executable = std::fs::read_link(format!("/proc/{pid}/exe")).ok()?;
    Some(executable.file_name()?.to_string_lossy().into_owned())
}

/// The login name of a user id, or `uid N`.
pub(crate) fn user_name(uid: u32) -> String {
    let passwd = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let name = passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(uid)).then(|| name.to_owned())
    });
    name.unwrap_or_else(|| format!("uid {uid}"))
}

struct Stat {
    process: Process,
    parent: u32,
}

/// Reads `/proc/PID/stat` (proc_pid_stat(5)): the fields after the name, which may hold anything.
#[cfg(target_os = "linux")]
fn stat(pid: u32) -> Option<Stat> {
    let text = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    let after_name = text.iter().rposition(|&byte| byte == b')')? + 1;
    let fields: Vec<&str> = std::str::from_utf8(&text[after_name..]).ok()?.split_ascii_whitespace().collect();
    let field = |number: usize| fields.get(number - 3).copied();
    let process = Process { pid, start: field(22)?.parse().ok()?, session: field(6)?.parse().ok()? };
    // A zombie is gone: its parents no longer say anything about who calls.
    (field(3)? != "Z").then_some(Stat { process, parent: field(4)?.parse().ok()? })
}

/// Without `/proc` nothing is known, so no caller is trusted with a command.
#[cfg(not(target_os = "linux"))]
fn stat(_pid: u32) -> Option<Stat> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_child_stands_below_this_process() {
        let me = std::process::id();
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let line = lineage(child.id()).unwrap();
        assert_eq!((line[0].pid, line[1].pid), (child.id(), me));
        assert_eq!(line[0].session, line[1].session);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(look(child.id()), None);
    }
}
