//! What the person set, from `settings.toml`; a wrong file never stops the hub.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use hotline_core::queue::Rules;
use serde::Deserialize;

/// Largest settings file, in bytes.
const MAX_SIZE: u64 = 64 << 10;

/// Every setting, with its default where the file says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Whether a process may approve its own command.
    pub self_answer: SelfAnswer,
    /// Seconds that an ask with a key waits for its asker to come back.
    pub asker_away_seconds: Seconds,
}

/// Whether a process may approve its own command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SelfAnswer {
    /// Never: the call is an error.
    #[default]
    Refuse,
    /// Yes; for people who script both sides.
    Allow,
}

/// A minute where nothing is set; at most a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "u64")]
pub struct Seconds(u64);

impl Default for Seconds {
    fn default() -> Self {
        Self(60)
    }
}

impl TryFrom<u64> for Seconds {
    type Error = &'static str;
    fn try_from(seconds: u64) -> Result<Self, Self::Error> {
        if seconds <= 86_400 { Ok(Self(seconds)) } else { Err("must be at most 86400 (a day)") }
    }
}

impl Settings {
    /// Reads the file; where it is wrong, the last one that was right (kept as `last_good`), else the defaults.
    ///
    /// The second value says what was wrong, for the person, with line and column.
    pub fn read(file: &Path, last_good: &Path) -> (Self, Vec<String>) {
        let mut problems = Vec::new();
        let before = fs::read_to_string(last_good).ok().and_then(|text| Self::parse(&text).ok());
        let text = match trusted(file) {
            Ok(text) => text,
            Err(problem) => {
                problems.push(problem);
                return (before.unwrap_or_default(), problems);
            }
        };
        match Self::parse(&text) {
            Ok(settings) => {
                if settings.self_answer == SelfAnswer::Allow {
                    let warning = "self_answer is \"allow\": whatever asks may approve its own command.";
                    problems.push(format!("{}: {warning}", file.display()));
                }
                if before.is_some_and(|before| before.self_answer != settings.self_answer) {
                    problems
                        .push(format!("self_answer was changed in {} since the last start.", file.display()));
                }
                if let Err(error) = fs::write(last_good, &text) {
                    problems.push(format!("The settings could not be kept as the last good ones: {error}."));
                }
                (settings, problems)
            }
            Err(problem) => {
                let kept = if before.is_some() {
                    "The last good settings are used."
                } else {
                    "The defaults are used."
                };
                problems.push(format!("{}, {problem}. {kept}", file.display()));
                (before.unwrap_or_default(), problems)
            }
        }
    }

    /// The rules of the queue.
    pub fn rules(&self) -> Rules {
        Rules {
            self_answer: self.self_answer == SelfAnswer::Allow,
            away_ms: self.asker_away_seconds.0 * 1000,
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error: toml::de::Error| {
            let at = error.span().map_or(0, |span| span.start).min(text.len());
            let before = text.get(..at).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            format!("line {line}, column {column}: {}", error.message())
        })
    }
}

/// The file's text, empty where there is none; an error where another user could have written it.
fn trusted(file: &Path) -> Result<String, String> {
    let found = match fs::metadata(file) {
        Ok(found) => found,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(String::new()),
        Err(error) => return Err(format!("{} cannot be read: {error}.", file.display())),
    };
    if !found.is_file() || found.len() > MAX_SIZE {
        return Err(format!("{} is ignored: it is no file of at most {MAX_SIZE} bytes.", file.display()));
    }
    let foreign = found.uid() != rustix::process::geteuid().as_raw();
    if foreign || found.mode() & 0o022 != 0 {
        return Err(format!(
            "{} is ignored: others may write it. Make it yours alone with `chmod 600`.",
            file.display()
        ));
    }
    fs::read_to_string(file).map_err(|error| format!("{} cannot be read: {error}.", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_wrong_file_is_a_message_with_its_place_and_the_last_good_one_counts() {
        let folder = tempfile::tempdir().unwrap();
        let (file, last) = (folder.path().join("settings.toml"), folder.path().join("last.toml"));
        let read = |text: &str| {
            fs::write(&file, text).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
            Settings::read(&file, &last)
        };
        let (good, problems) = read("self_answer = \"allow\"\nasker_away_seconds = 5\n");
        assert_eq!((good.rules(), problems.len()), (Rules { self_answer: true, away_ms: 5000 }, 1));
        assert!(problems[0].contains("may approve its own command"), "{problems:?}");
        for wrong in
            ["\nself_answer = \"maybe\"", "\nself_anwser = \"allow\"", "\nasker_away_seconds = 99999999"]
        {
            let (kept, problems) = read(wrong);
            assert_eq!(kept, good);
            assert!(problems[0].contains("line 2, column"), "{problems:?}");
        }
        let (changed, problems) = read("");
        assert_eq!(changed, Settings::default());
        assert!(problems[0].contains("self_answer was changed"), "{problems:?}");
    }

    #[test]
    fn a_file_that_others_may_write_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("settings.toml");
        fs::write(&file, "self_answer = \"allow\"").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
        let (settings, problems) = Settings::read(&file, &folder.path().join("last.toml"));
        assert_eq!((settings, problems.len()), (Settings::default(), 1));
    }
}
