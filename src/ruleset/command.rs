//! Commands that play, as data: the one reader of a command's words. A command is an action that the ruleset declares,
//! or one of those by which every game is corrected.

use jiff::Timestamp;

use super::declare::{ActionRule, Count, Declarations, Parameter};
use super::find::{find_item, find_items, find_person, find_player, find_space};
use super::rules::Ruleset;
use super::words::{Filled, fill, time, usage};
use crate::data::Value;
use crate::game::{Amendment, Amends, Game, Name, PlayerId, SpaceId};
use crate::protocol::Refusal;
use crate::yaml::{Document, Node};

/// One argument of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// A player.
    Player(PlayerId),
    /// An existing space.
    Space(SpaceId),
    /// A kind of item.
    Item(Name),
    /// Kinds of item with the amounts of each.
    Items(Vec<(Name, i64)>),
    /// A whole number.
    Number(i64),
    /// Free text, the name of a person who need not be a player, or a moment in UTC.
    Text(String),
    /// Several of these.
    Texts(Vec<String>),
    /// A flag that was given.
    Set,
    /// What was left out.
    None,
}

/// An action that a player or steward posted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// The word or words of the command, such as `move` or `proposal submit`.
    pub name: String,
    /// The arguments, then the options, then the flags, in the order in which the ruleset declares them.
    pub args: Vec<Argument>,
    /// The command with every name as the game spells it; the log keeps it.
    pub what: String,
    /// When it was posted, UTC.
    pub at: Option<Timestamp>,
    /// Changes of its rolls, in order of time (D-4).
    pub amended: Vec<Amendment>,
    /// The changes of other rolls that it is known to make and that the game it is resolved on has already.
    pub amends: Vec<Amends>,
}

/// A command that plays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// An action that the ruleset declares.
    Act(Action),
    /// `adjudicate --set POINTER=VALUE … --because TEXT`
    Adjudicate(Declaration),
    /// `amend ID [--because TEXT]`, or `void-attempts ID … [--because TEXT]`
    Amend(Correction),
    /// `undo [N]`
    Undo(usize),
    /// `redo [N]`
    Redo(usize),
    /// `reveal SECRET`
    Reveal(String),
    /// `resume [PLAYER] [WORD …]`
    Resume(Vec<String>),
    /// `drop [PLAYER] [WORD …]`
    Drop(Vec<String>),
}

/// Values that the steward sets by hand, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// The values by their JSON Pointers.
    pub sets: Vec<(String, Value)>,
    /// Why; empty if no reason was given.
    pub because: String,
}

/// Entries of the log that are to be corrected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// Their ids.
    pub ids: Vec<i64>,
    /// Whether they become void rather than get other selections.
    pub voids: bool,
    /// Why; empty if no reason was given.
    pub because: String,
}

impl Command {
    /// Reads a command, given as words.
    ///
    /// # Errors
    /// See [`Action::read`]; `usage` also for a value that cannot be read.
    pub fn read(ruleset: &Ruleset, game: &Game, words: &[String]) -> Result<Self, Refusal> {
        let Some(rule) = words.first().and_then(|word| correcting(word)) else {
            return Action::read(ruleset, game, words).map(Self::Act);
        };
        let Filled { mut args, options, .. } = fill(&rule, &words[1..])?;
        let last =
            |place: usize| options.get(place).and_then(|own: &Vec<&str>| own.last()).map_or("", |own| own.trim());
        let args = args.pop().unwrap_or_default();
        let texts = || args.iter().map(ToString::to_string).collect();
        let ids = || args.iter().map(|word| number(word)).collect::<Result<Vec<i64>, _>>();
        let count = || match args.first() {
            None => Ok(1),
            Some(count) => {
                let number = count.parse().ok().filter(|count: &usize| *count > 0);
                number.ok_or_else(|| usage(format!("`{count}` is not a number of entries")))
            }
        };
        Ok(match rule.name.as_str() {
            ADJUDICATE => {
                let sets = options[0].iter().map(|set| setting(set)).collect::<Result<Vec<_>, _>>()?;
                if sets.is_empty() {
                    return Err(usage(format!("usage: {ADJUDICATE} --set POINTER=VALUE … --because TEXT")));
                }
                Self::Adjudicate(Declaration { sets, because: last(1).to_owned() })
            }
            name @ (AMEND | VOID) => {
                let correction = Correction { ids: ids()?, voids: name == VOID, because: last(0).to_owned() };
                if correction.ids.is_empty() {
                    return Err(usage(format!("usage: {name} ID … [--because TEXT]")));
                }
                Self::Amend(correction)
            }
            UNDO => Self::Undo(count()?),
            REDO => Self::Redo(count()?),
            REVEAL => Self::Reveal(args[0].to_owned()),
            RESUME => Self::Resume(texts()),
            _ => Self::Drop(texts()),
        })
    }
}

const ADJUDICATE: &str = "adjudicate";
const AMEND: &str = "amend";
const VOID: &str = "void-attempts";
const UNDO: &str = "undo";
const REDO: &str = "redo";
const REVEAL: &str = "reveal";
const RESUME: &str = "resume";
const DROP: &str = "drop";

/// Returns the form of a command by which every game is corrected: its arguments and options.
fn correcting(name: &str) -> Option<ActionRule> {
    let parameter = |name: &str, kind: &str, count| Parameter {
        name: name.to_owned(),
        kind: kind.to_owned(),
        count,
        text: String::new(),
        value: None,
        spellings: Vec::new(),
    };
    let because = || parameter("because", "text", Count::One);
    let (args, options) = match name {
        ADJUDICATE => (vec![], vec![parameter("set", "text", Count::Any), because()]),
        AMEND | VOID => (vec![parameter("ID", "number", Count::Any)], vec![because()]),
        UNDO | REDO => (vec![parameter("N", "number", Count::Optional)], vec![]),
        REVEAL => (vec![parameter("SECRET", "text", Count::One)], vec![]),
        RESUME | DROP => (vec![parameter("PLAYER", "text", Count::Any)], vec![]),
        _ => return None,
    };
    Some(ActionRule { name: name.to_owned(), args, options, ..ActionRule::default() })
}

/// Reads `POINTER=VALUE`, the value in YAML.
fn setting(written: &str) -> Result<(String, Value), Refusal> {
    let (pointer, value) = written.split_once('=').ok_or_else(|| usage(format!("`{written}` is not POINTER=VALUE")))?;
    let read = Document::parse(&format!("value: {value}\n"));
    let read = read.map_err(|_| usage(format!("`{value}` is not a value in YAML")))?;
    Ok((pointer.to_owned(), read.root().get("value").map(Node::to_value).unwrap_or_default()))
}

impl Action {
    /// Reads an action, given as words.
    ///
    /// # Errors
    /// `no-such-rule` if the ruleset has no such action, `usage` if words are missing or too many, and
    /// `unknown-player`, `unknown-space`, `unknown-item` or `ambiguous` if a name is not one of the game's.
    pub fn read(ruleset: &Ruleset, game: &Game, words: &[String]) -> Result<Self, Refusal> {
        let (first, _) = words.split_first().ok_or_else(|| usage("an action is missing".into()))?;
        let rule = ruleset.declared.action_of(words).ok_or_else(|| unknown(&ruleset.declared, first))?;
        let name_words = rule.name.split(' ').count();
        let filled = fill(rule, &words[name_words..])?;
        let (mut args, mut arguments, mut options) = (Vec::new(), Vec::new(), Vec::new());
        for (own, words) in rule.args.iter().zip(filled.args) {
            let none_of_several = own.count == Count::Any && words.is_empty();
            let argument =
                if none_of_several { Argument::Texts(Vec::new()) } else { read(ruleset, game, own, &words)? };
            arguments.extend(spelled(game, &argument));
            args.push(argument);
        }
        // A file of people has become other options by now; the function knows nothing of it.
        let options_read = rule.options.iter().zip(filled.options);
        for (own, words) in options_read.filter(|(own, _)| own.kind != Parameter::PEOPLE_FILE) {
            let argument = read(ruleset, game, own, &words)?;
            options.extend(spelled(game, &argument).into_iter().flat_map(|word| [format!("--{}", own.name), word]));
            args.push(argument);
        }
        for ((flag, _), set) in rule.flags.iter().zip(filled.flags) {
            options.extend(set.then(|| format!("--{flag}")));
            args.push(if set { Argument::Set } else { Argument::None });
        }
        let mut what: Vec<String> = rule.name.split(' ').map(str::to_owned).collect();
        if arguments.iter().any(|word| word.starts_with("--")) {
            // An argument that looks like an option is read as one unless it comes after a separator.
            what.append(&mut options);
            what.push("--".into());
            what.append(&mut arguments);
        } else {
            what.append(&mut arguments);
            what.append(&mut options);
        }
        let what = shlex::try_join(what.iter().map(String::as_str)).map_err(|_| usage("a NUL in a word".into()))?;
        Ok(Self { name: rule.name.clone(), args, what, at: None, amended: Vec::new(), amends: Vec::new() })
    }

    /// Returns the player who acts: the first player among the arguments.
    pub fn player(&self) -> Option<PlayerId> {
        self.args.iter().find_map(|arg| match arg {
            Argument::Player(player) => Some(*player),
            _ => None,
        })
    }
}

fn unknown(declared: &Declarations, word: &str) -> Refusal {
    let names = declared.actions.iter().filter(|action| !action.hidden).map(|action| action.name.as_str());
    let help = format!("available: {}", names.collect::<Vec<_>>().join(", "));
    Refusal::new("no-such-rule", format!("unknown action `{word}`")).help(help)
}

/// Returns the words of an argument, with names as the game spells them.
fn spelled(game: &Game, argument: &Argument) -> Vec<String> {
    let word = match argument {
        Argument::Player(player) => game.player(*player).name.to_string(),
        Argument::Space(space) => space.to_string(),
        Argument::Item(item) => item.to_string(),
        Argument::Items(items) => {
            let one =
                |(name, amount): &(Name, i64)| if *amount == 1 { name.to_string() } else { format!("{amount} {name}") };
            items.iter().map(one).collect::<Vec<_>>().join(", ")
        }
        Argument::Number(number) => number.to_string(),
        Argument::Text(text) => text.clone(),
        Argument::Texts(texts) => return texts.clone(),
        Argument::Set | Argument::None => return Vec::new(),
    };
    vec![word]
}

/// Reads the words that were given for an argument or option; of an option given twice, the last counts.
fn read(ruleset: &Ruleset, game: &Game, own: &Parameter, words: &[&str]) -> Result<Argument, Refusal> {
    let Some(word) = words.last() else { return Ok(Argument::None) };
    if own.count != Count::Any {
        return argument(ruleset, game, &own.kind, word);
    }
    let mut texts = Vec::new();
    for word in words {
        // A word can name several people, with commas between them.
        let whole = !matches!(own.kind.as_str(), "person" | "name") || game.player_named(word).is_some();
        let parts: Vec<&str> = if whole { vec![word] } else { word.split(',').map(str::trim).collect() };
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            if let Argument::Text(text) = argument(ruleset, game, &own.kind, part)? {
                texts.push(text);
            }
        }
    }
    Ok(Argument::Texts(texts))
}

fn argument(ruleset: &Ruleset, game: &Game, kind: &str, word: &str) -> Result<Argument, Refusal> {
    match kind {
        "player" => find_player(game, word).map(Argument::Player),
        "space" => find_space(ruleset, game, word).map(Argument::Space),
        "item" => find_item(ruleset, game, word).map(Argument::Item),
        "items" => find_items(ruleset, game, word).map(Argument::Items),
        "person" => find_person(game, word).map(Argument::Text),
        "number" => number(word).map(Argument::Number),
        "time" => {
            let wrong = || usage(format!("`{word}` is not a time in UTC such as 2024-01-05T00:00:00Z"));
            time(word).map(|time| Argument::Text(time.to_string())).ok_or_else(wrong)
        }
        _ => Ok(Argument::Text(word.to_owned())),
    }
}

fn number(word: &str) -> Result<i64, Refusal> {
    word.trim_start_matches('#').parse().map_err(|_| usage(format!("`{word}` is not a whole number")))
}
