//! The command line before the rules are known: the paths of the game and its rules, and the word that is the command.
//! Nothing is refused here; the argument parser judges what was typed once the commands of the game are known.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::ruleset::{ActionRule, Parameter, reserved};

/// Short options: the letter, the long name, and whether a value follows.
const SHORT: [(char, &str, bool); 6] = [
    ('f', "file", true),
    ('s', "select", true),
    ('n', "dry-run", false),
    ('q', "quiet", false),
    ('h', "help", false),
    ('V', "version", false),
];

/// The arguments, as far as they can be understood without the rules.
#[derive(Debug, Default)]
pub(super) struct Line {
    args: Vec<OsString>,
    /// The indices of the first words that are neither options nor values of options.
    words: Vec<usize>,
    /// The gamestate, if one is named.
    pub file: Option<PathBuf>,
    /// The folder that `--rules` names before the command.
    pub rules: Option<PathBuf>,
    /// The folder that `--rules` names after the command: an option of the command if it has one for rules.
    pub rules_after: Option<PathBuf>,
    /// Whether the answer is wanted as JSON.
    pub json: bool,
    /// Whether help is asked for before a command is named.
    pub help: bool,
}

impl Line {
    /// Reads the arguments, the program's own name first.
    pub fn read(args: impl IntoIterator<Item = OsString>) -> Self {
        let mut line = Self { args: args.into_iter().collect(), ..Self::default() };
        let mut at = 1;
        while at < line.args.len() {
            at = line.step(at);
        }
        line
    }

    /// Reads the argument at `at` with its value, and returns the place of the next one.
    fn step(&mut self, at: usize) -> usize {
        let arg = self.args[at].to_string_lossy().into_owned();
        if arg == "--" {
            return self.args.len();
        }
        let (name, attached, takes_value) = if let Some(long) = arg.strip_prefix("--") {
            let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            let known = reserved::OPTIONS.iter().find(|(own, _)| *own == name);
            (name.to_owned(), value.map(str::to_owned), known.is_some_and(|(_, value)| *value))
        } else if let Some(letters) = arg.strip_prefix('-').filter(|rest| rest.starts_with(char::is_alphabetic)) {
            // Flags can be written together, an option with a value after them.
            let mut found = (String::new(), None, false);
            for (place, letter) in letters.char_indices() {
                let Some((_, name, value)) = SHORT.iter().find(|(own, ..)| *own == letter) else { break };
                found = ((*name).to_owned(), None, *value);
                if *value {
                    let rest = letters[place + letter.len_utf8()..].trim_start_matches('=');
                    found.1 = Some(rest.to_owned()).filter(|rest| !rest.is_empty());
                    break;
                }
            }
            found
        } else {
            self.words.push(at);
            return at + 1;
        };
        let next = at + 1 + usize::from(takes_value && attached.is_none());
        let value = attached.map(OsString::from).or_else(|| self.args.get(at + 1).filter(|_| takes_value).cloned());
        match (name.as_str(), value) {
            ("file", Some(value)) => self.file = Some(value.into()),
            ("rules", Some(value)) if self.words.is_empty() => self.rules = Some(value.into()),
            ("rules", Some(value)) => self.rules_after = Some(value.into()),
            ("format", Some(value)) => self.json = value == "json",
            ("help", _) if self.words.is_empty() => self.help = true,
            _ => {}
        }
        next
    }

    /// Returns the first words, at most two: a command, or a group and a command of it.
    pub fn command(&self) -> Vec<String> {
        self.words.iter().take(2).map(|&place| self.args[place].to_string_lossy().into_owned()).collect()
    }

    /// Returns the arguments as typed.
    pub fn typed(&self) -> &[OsString] {
        &self.args
    }

    /// Returns the arguments without options.
    pub fn words_alone(&self) -> Vec<OsString> {
        let program = self.args.first().cloned().into_iter();
        program.chain(self.words.iter().map(|&place| self.args[place].clone())).collect()
    }

    /// Returns the arguments with the first `words` words of the command in front, so that options of play can be typed
    /// before it. `--rules` after the command becomes the option that `rule` has for a folder of rules.
    pub fn arranged(&self, words: usize, rule: Option<&ActionRule>) -> Vec<OsString> {
        let named = &self.words[..words.min(self.words.len())];
        let first = self.words.first().copied().unwrap_or(usize::MAX);
        let carries = rule.and_then(|rule| rule.options.iter().find(|own| own.kind == Parameter::RULES));
        let renamed = |place: usize, arg: &OsString| -> OsString {
            let (Some(own), Some(text)) = (carries.filter(|_| place > first), arg.to_str()) else { return arg.clone() };
            match text.strip_prefix("--rules") {
                Some(rest) if rest.is_empty() || rest.starts_with('=') => format!("--{}{rest}", own.name).into(),
                _ => arg.clone(),
            }
        };
        let program = self.args.first().cloned().into_iter();
        let command = named.iter().map(|&place| self.args[place].clone());
        let rest = self.args.iter().enumerate().skip(1).filter(|(place, _)| !named.contains(place));
        program.chain(command).chain(rest.map(|(place, arg)| renamed(place, arg))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(words: &str) -> Line {
        Line::read(shlex::split(&format!("referee {words}")).expect("words").into_iter().map(OsString::from))
    }

    #[test]
    fn the_command_is_found_behind_options_and_their_values() {
        for words in
            ["-f a.yaml move Lime", "move -f a.yaml Lime", "--at 2024 -nqfa.yaml move Lime", "--file=a.yaml move Lime"]
        {
            assert_eq!(line(words).command()[0], "move", "{words}");
            assert_eq!(line(words).file, Some("a.yaml".into()), "{words}");
        }
        assert_eq!(line("beam -210 --by Lime").command(), ["beam", "-210"]);
        assert!(line("-- -f a.yaml").file.is_none());
    }

    #[test]
    fn options_of_play_before_the_command_are_read_after_it() {
        let arranged = line("--at 2024 a --format json b c").arranged(2, None);
        assert_eq!(arranged, ["referee", "a", "b", "--at", "2024", "--format", "json", "c"]);
    }

    #[test]
    fn rules_after_a_command_are_told_from_those_before_it() {
        let line = line("--rules one submit --rules=two");
        assert_eq!((line.rules.clone(), line.rules_after.clone()), (Some("one".into()), Some("two".into())));
        let carry = Parameter {
            name: "carry".into(),
            kind: Parameter::RULES.into(),
            count: crate::ruleset::Count::One,
            text: String::new(),
            value: None,
            spellings: Vec::new(),
        };
        let rule = ActionRule { options: vec![carry], ..ActionRule::default() };
        assert_eq!(line.arranged(1, Some(&rule)), ["referee", "submit", "--rules", "one", "--carry=two"]);
    }
}
