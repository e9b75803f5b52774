//! The one list of switches for what the texts leave open.

use crate::data::Value;

/// One question that the rules leave open, with the readings we know of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    /// The key under `rulings:`.
    pub key: String,
    /// The R-number.
    pub ruling: String,
    /// The values, the default first.
    pub values: Vec<String>,
    /// The question, in one line.
    pub question: String,
    /// The catalogue IDs that it rests on.
    pub cites: Vec<String>,
}

impl Switch {
    /// Returns the value that holds unless the game has set another.
    pub fn default(&self) -> &str {
        &self.values[0]
    }

    /// Returns whether `value` is one of the readings; a reading written `number:N` allows any whole number.
    pub fn allows(&self, value: &str) -> bool {
        self.values.iter().any(|own| match own.strip_suffix('N') {
            Some(prefix) => value.strip_prefix(prefix).is_some_and(|number| number.parse::<i64>().is_ok()),
            None => own == value,
        })
    }

    pub(super) fn read(key: &str, value: &Value) -> Option<Self> {
        let texts = |field: &str| -> Option<Vec<String>> {
            value.get(field)?.items().iter().map(|item| item.as_text().map(str::to_owned)).collect()
        };
        let values = texts("values").filter(|values| !values.is_empty())?;
        Some(Self {
            key: key.to_owned(),
            ruling: value.get("ruling")?.as_text()?.to_owned(),
            values,
            question: value.get("question")?.as_text()?.to_owned(),
            cites: texts("cites").unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_with_a_number_in_it_stands_for_any_number() {
        let switch = Switch {
            key: "navy-blue".into(),
            ruling: "R-50".into(),
            values: vec!["nothing".into(), "number:N".into()],
            question: String::new(),
            cites: vec![],
        };
        assert!(switch.allows("number:-3") && switch.allows("nothing"));
        assert!(!switch.allows("number:x") && !switch.allows("number:N"));
    }
}
