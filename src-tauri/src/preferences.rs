//! What the person chose in the window: a small file of the app's own beside the settings.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs, io};

use hotline_core::words::Language;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What was chosen. `start_at_login` is not here: the system keeps that itself.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Choices {
    pub(crate) language: LanguageChoice,
    pub(crate) theme: ThemeChoice,
    /// Whether a notification says what is asked. A command's text never is in one.
    pub(crate) notification_content: bool,
    /// No notification before that, in milliseconds since the epoch.
    pub(crate) notifications_paused_until: Option<u64>,
    /// Whether the Ask window stays above others.
    pub(crate) ask_on_top: bool,
    /// Where the person put the Ask window.
    pub(crate) ask_place: Option<Stand>,
}

/// Where a window stands, in the screen's pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stand {
    /// Its left edge.
    pub(crate) left: i32,
    /// Its lower edge.
    pub(crate) foot: i32,
}

/// A language, or the one that the system speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LanguageChoice {
    #[default]
    System,
    En,
    Fr,
}

/// A theme, or the system's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ThemeChoice {
    #[default]
    System,
    Light,
    Dark,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            language: LanguageChoice::default(),
            theme: ThemeChoice::default(),
            // A notification shows on lock screens and shared ones.
            notification_content: false,
            notifications_paused_until: None,
            ask_on_top: true,
            ask_place: None,
        }
    }
}

impl Choices {
    /// As JSON, for the page and the file.
    fn members(&self) -> Map<String, Value> {
        let language = match self.language {
            LanguageChoice::System => "system",
            LanguageChoice::En => "en",
            LanguageChoice::Fr => "fr",
        };
        let theme = match self.theme {
            ThemeChoice::System => "system",
            ThemeChoice::Light => "light",
            ThemeChoice::Dark => "dark",
        };
        let members = json!({
            "language": language,
            "theme": theme,
            "notification_content": self.notification_content,
            "notifications_paused_until": self.notifications_paused_until,
            "ask_on_top": self.ask_on_top,
            "ask_place": self.ask_place.map(|place| json!({ "left": place.left, "foot": place.foot })),
        });
        let Value::Object(members) = members else { unreachable!("an object was written") };
        members
    }
}

/// The choices and the file that keeps them.
pub(crate) struct Preferences {
    pub(crate) choices: Choices,
    file: PathBuf,
}

impl Preferences {
    /// Reads the file; where it is absent or wrong the defaults count.
    pub(crate) fn read(folder: &Path) -> Self {
        let file = folder.join("window.json");
        let choices = match fs::read_to_string(&file) {
            Ok(text) => serde_json::from_str(&text).unwrap_or_else(|error| {
                tracing::warn!(file = %file.display(), %error, "the window's choices are wrong; the defaults are used");
                Choices::default()
            }),
            Err(_) => Choices::default(),
        };
        Self { choices, file }
    }

    /// Changes those named, and keeps all; an error names what was wrong, and nothing was changed.
    pub(crate) fn set(&mut self, changed: &Map<String, Value>) -> Result<(), String> {
        let mut members = self.choices.members();
        members.extend(changed.iter().map(|(name, value)| (name.clone(), value.clone())));
        self.choices = serde_json::from_value(Value::Object(members)).map_err(|error| error.to_string())?;
        self.keep();
        Ok(())
    }

    /// What the page is shown of it.
    pub(crate) fn shown(&self) -> Map<String, Value> {
        let mut members = self.choices.members();
        members.remove("ask_place");
        members
    }

    /// Writes the file whole or not at all. A failure is logged: the choices still count until the end.
    pub(crate) fn keep(&self) {
        if let Err(error) = self.write() {
            tracing::warn!(file = %self.file.display(), %error, "the window's choices could not be kept");
        }
    }

    fn write(&self) -> io::Result<()> {
        fs::create_dir_all(self.file.parent().unwrap_or(&self.file))?;
        let new = self.file.with_extension("json.new");
        fs::write(&new, format!("{:#}\n", Value::Object(self.choices.members())))?;
        fs::rename(new, &self.file)
    }

    /// The language that the app speaks.
    pub(crate) fn language(&self) -> Language {
        match self.choices.language {
            LanguageChoice::En => Language::English,
            LanguageChoice::Fr => Language::French,
            LanguageChoice::System => ["LC_ALL", "LC_MESSAGES", "LANG"]
                .iter()
                .find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()))
                .map(|locale| Language::from_locale(&locale))
                .unwrap_or_default(),
        }
    }

    /// Whether notifications are paused.
    pub(crate) fn is_paused(&self) -> bool {
        self.choices.notifications_paused_until.is_some_and(|until| now_ms() < until)
    }

    /// Pauses notifications until then, or not any more.
    pub(crate) fn pause(&mut self, until: Option<u64>) {
        self.choices.notifications_paused_until = until;
        self.keep();
    }
}

/// Now, in milliseconds since the epoch.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_chosen_is_there_at_the_next_start_and_a_wrong_value_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut preferences = Preferences::read(folder.path());
        let change = |value: Value| value.as_object().unwrap().clone();
        preferences.set(&change(json!({ "language": "fr", "ask_on_top": false }))).unwrap();
        for wrong in [json!({ "language": "de" }), json!({ "ask_on_top": 1 }), json!({ "x": 1 })] {
            assert!(preferences.set(&change(wrong)).is_err());
        }
        let again = Preferences::read(folder.path());
        assert_eq!(again.choices, preferences.choices);
        assert_eq!((again.language(), again.choices.ask_on_top), (Language::French, false));
    }

    #[test]
    fn a_wrong_file_means_the_defaults() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("window.json"), "{\"language\":7}").unwrap();
        assert_eq!(Preferences::read(folder.path()).choices, Choices::default());
    }

    #[test]
    fn a_pause_ends_by_itself() {
        let folder = tempfile::tempdir().unwrap();
        let mut preferences = Preferences::read(folder.path());
        preferences.pause(Some(now_ms() + 60_000));
        assert!(preferences.is_paused());
        preferences.pause(Some(now_ms() - 1));
        assert!(!preferences.is_paused());
    }
}
