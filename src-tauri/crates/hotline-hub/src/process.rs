//! What the kernel says about a process: its start, its session, its parents.

use hotline_core::queue::Process;
use hotline_core::wire::result::AskerFacts;

use crate::platform::{self, stat};

/// Whether this system says who a process is and whose child.
pub(crate) const KNOWN: bool = cfg!(target_os = "linux");
/// Longest line of parents that is followed; whoever stands lower is not known.
const MAX_DEPTH: usize = 256;

/// A process, as it is now; none where it has ended or may not be looked at.
pub(crate) fn look(pid: u32) -> Option<Process> {
    stat(pid).map(|stat| stat.process)
}

/// A process, its parent, and so on up to the first; none where one of them could not be looked at.
pub(crate) fn lineage(pid: u32) -> Option<Vec<Process>> {
    let mut line = Vec::new();
    let mut next = pid;
    while next != 0 {
        let stat = stat(next).filter(|_| line.len() < MAX_DEPTH)?;
        line.push(stat.process);
        next = stat.parent;
    }
    (!line.is_empty()).then_some(line)
}

/// What a person may want to know of a process that asks.
pub(crate) fn facts(pid: u32) -> AskerFacts {
    let stat = stat(pid);
    let parent = stat.as_ref().map(|stat| stat.parent).filter(|parent| *parent != 0);
    AskerFacts {
        pid: Some(pid),
        program: program(pid),
        parent_pid: parent,
        parent_program: parent.and_then(program),
        cwd: platform::folder(pid).map(|path| path.to_string_lossy().into_owned()),
        terminal: stat.and_then(|stat| stat.terminal),
        away_until: None,
    }
}

/// The name of the program that a process runs: its executable's, so a script shows as its interpreter.
fn program(pid: u32) -> Option<String> {
    Some(platform::executable(pid)?.file_name()?.to_string_lossy().into_owned())
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
