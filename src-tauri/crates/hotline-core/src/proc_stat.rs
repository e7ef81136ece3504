//! What Linux says of a process in `/proc/PID/stat` (proc_pid_stat(5)): its text in, facts out.

use crate::queue::Process;

/// One process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcStat {
    /// Which one.
    pub process: Process,
    /// Its parent's pid; 0 for the first of all.
    pub parent: u32,
    /// The terminal that controls it, as a name below `/dev`.
    pub terminal: Option<String>,
    /// Whether it has ended and only its parent has not looked yet.
    pub is_zombie: bool,
}

impl ProcStat {
    /// Reads the file's text.
    pub fn parse(text: &str) -> Option<Self> {
        let pid = text.split_once(' ')?.0.parse().ok()?;
        // The second field is a name in brackets and may hold anything, brackets included.
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_ascii_whitespace().collect();
        let field = |number: usize| fields.get(number - 3).copied();
        let terminal = field(7)?.parse::<i32>().ok()?.cast_unsigned();
        Some(Self {
            process: Process { pid, start: field(22)?.parse().ok()?, session: field(6)?.parse().ok()? },
            parent: field(4)?.parse().ok()?,
            terminal: device(terminal),
            is_zombie: field(3)? == "Z",
        })
    }
}

/// The name below `/dev` of a terminal's device number; none for no terminal.
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

#[cfg(test)]
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
        let text = "7 (a) b (c) S 1 7 9 34819 7 0 1 2 3 4 5 6 7 8 20 0 1 0 4321 99\n";
        let stat = ProcStat::parse(text).unwrap();
        assert_eq!(stat.process, Process { pid: 7, start: 4321, session: 9 });
        assert_eq!((stat.parent, stat.terminal.as_deref(), stat.is_zombie), (1, Some("pts/3"), false));
        assert_eq!(ProcStat::parse("7 (x"), None);
    }
}
