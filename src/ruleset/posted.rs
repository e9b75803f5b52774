//! A command as it was posted: its own words, and the options of play among them.

use jiff::Timestamp;

use super::reserved;
use super::rules::Ruleset;
use super::words::{Token, takes_value, time, tokens, usage};
use crate::protocol::{Refusal, Selections};

/// A posted command with everything that was given with it.
#[derive(Debug, Clone, Default)]
pub struct Posted {
    /// The command's own words, such as `["move", "Nyhilo"]`.
    pub words: Vec<String>,
    /// The selections given with it.
    pub given: Selections,
    /// When it was posted, UTC.
    pub at: Option<Timestamp>,
    /// The link to its message.
    pub link: Option<String>,
    /// Whether every optional effect that is not mentioned is declined.
    pub decline: bool,
    /// Whether it is only a preview.
    pub dry_run: bool,
}

impl Posted {
    /// Reads words as they are typed after `referee`. Options that say how the program is run, such as `--no-input`,
    /// have no effect here.
    ///
    /// # Errors
    /// `usage` if an option has no value or one that cannot be read.
    pub fn read(ruleset: &Ruleset, typed: &[String]) -> Result<Self, Refusal> {
        let action = ruleset.declared.action_of(typed);
        let own = |option: &str| action.and_then(|rule| takes_value(rule, option));
        let of_play =
            |option: &str| reserved::OPTIONS.iter().find(|(name, _)| *name == option).map(|(_, value)| *value);
        let mut posted = Self::default();
        // A separator is kept: what follows it is an argument for the reader of the command, too.
        let split = typed.iter().position(|word| word == "--").unwrap_or(typed.len());
        for token in tokens(&typed[..split], &|option| own(option).or_else(|| of_play(option)))? {
            match token {
                Token::Word(word) => posted.words.push(word.to_owned()),
                Token::Option(option, value) if own(option).is_some() || of_play(option).is_none() => {
                    posted.words.push(format!("--{option}"));
                    posted.words.extend(value.map(str::to_owned));
                }
                Token::Option(option, value) => posted.set(option, value.unwrap_or_default())?,
            }
        }
        posted.words.extend(typed[split..].iter().cloned());
        Ok(posted)
    }

    fn set(&mut self, option: &str, value: &str) -> Result<(), Refusal> {
        match option {
            "select" => self.given.add_written(value).map_err(usage)?,
            "roll" | "path" | "player" | "space" | "item" => {
                self.given.add_written(&shortcut(option, value)).map_err(usage)?;
            }
            "at" => self.at = Some(time(value).ok_or_else(|| usage(format!("`{value}` is not a time in UTC")))?),
            "link" => self.link = Some(value.to_owned()),
            "decline" => self.decline = true,
            "dry-run" => self.dry_run = true,
            _ => {}
        }
        Ok(())
    }
}

/// Returns the selection `KEY=VALUE` that a shortcut such as `--roll 3 1` means. Dice and spaces are pasted from
/// chat with commas or blanks between them; a blank within the brackets of a place on a map separates nothing.
pub fn shortcut(key: &str, values: &str) -> String {
    let values = match (matches!(key, "roll" | "path"), values.contains('(')) {
        (true, false) => values.split_whitespace().collect::<Vec<_>>().join(","),
        (true, true) => values.replace(") (", "),(").replace(' ', ""),
        _ => values.to_owned(),
    };
    format!("{key}={values}")
}
