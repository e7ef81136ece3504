//! What differs between systems, each in a file of its own with the same names.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
pub(crate) use elsewhere::{Alarm, HangUps, boot_time, executable, folder, stat};
#[cfg(target_os = "linux")]
pub(crate) use linux::{Alarm, HangUps, boot_time, executable, folder, stat};

/// What ended, of all that is watched for its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Gone {
    /// The connection of that number.
    Connection(u64),
    /// The process of that pid.
    Process(u32),
}
