//! The socket surface (`protocol.md` §1, catalogue SOCK): what it reads, what it replies, when it closes.

mod dialects;
mod endings;
mod events;
mod framing;
mod pressure;
mod seed;

/// Processor time that a process has used, in milliseconds.
pub(crate) fn cpu_ms(pid: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    // utime and stime, in hundredths of a second (proc_pid_stat(5)).
    let ticks = |field: usize| fields[field - 3].parse::<u64>().unwrap();
    (ticks(14) + ticks(15)) * 10
}
