//! Choices as they are written on the command line.

use serde_json::{Value, json};

/// An id, and a label where one was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    id: String,
    label: Option<String>,
}

impl Written {
    /// `id` or `id:Label`, blanks around both left out; one entry of `--choices`.
    pub(super) fn in_list(entry: &str) -> Result<Self, String> {
        let (id, label) = match entry.split_once(':') {
            Some((id, label)) => (id, Some(label)),
            None => (entry, None),
        };
        Self::checked(id.trim(), label.map(str::trim))
    }

    /// `id=Label` or `id`; the label may hold anything.
    pub(super) fn alone(entry: &str) -> Result<Self, String> {
        match entry.split_once('=') {
            Some((id, label)) => Self::checked(id, Some(label)),
            None => Self::checked(entry, None),
        }
    }

    fn checked(id: &str, label: Option<&str>) -> Result<Self, String> {
        if id.is_empty() {
            return Err("a choice needs an id before its label".to_owned());
        }
        Ok(Self { id: id.to_owned(), label: label.map(str::to_owned) })
    }

    /// The entry on the wire.
    pub(super) fn to_wire(&self) -> Value {
        match &self.label {
            Some(label) => json!({ "id": self.id, "label": label }),
            None => json!({ "id": self.id }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wire(written: Result<Written, String>) -> String {
        written.map_or_else(|error| error, |written| written.to_wire().to_string())
    }

    #[test]
    fn an_entry_of_a_list_is_cut_at_its_first_colon() {
        assert_eq!(wire(Written::in_list("main")), r#"{"id":"main"}"#);
        assert_eq!(wire(Written::in_list(" dev : To: dev ")), r#"{"id":"dev","label":"To: dev"}"#);
        assert_eq!(wire(Written::in_list("dev:")), r#"{"id":"dev","label":""}"#);
    }

    #[test]
    fn a_choice_of_its_own_is_cut_at_its_first_equals_sign() {
        assert_eq!(wire(Written::alone("a:1=x=y, z ")), r#"{"id":"a:1","label":"x=y, z "}"#);
        assert_eq!(wire(Written::alone("a:1")), r#"{"id":"a:1"}"#);
    }

    #[test]
    fn an_id_is_needed() {
        for entry in ["", ":Label", " : "] {
            assert!(Written::in_list(entry).is_err(), "{entry:?}");
        }
        assert!(Written::alone("=Label").is_err());
    }
}
