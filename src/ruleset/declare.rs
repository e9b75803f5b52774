//! What a `ruleset.yaml` declares: the fields of the gamestate, the categories, the actions.

use std::collections::BTreeMap;

use crate::data::Value;
use crate::game::{Name, SpaceId};

/// What a field of the gamestate may hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Yes or no.
    YesNo,
    /// A whole number.
    Number,
    /// Any text.
    Text,
    /// A moment, UTC.
    Time,
    /// The number of a phase, from 1.
    Phase,
    /// Dice such as `2d4`.
    Dice,
    /// The identifier of an existing space.
    Space,
    /// The name of a player.
    Player,
    /// A space type that is not a category.
    PseudoType,
    /// One of these words.
    OneOf(Vec<String>),
    /// Several of the same kind.
    List(Box<Kind>),
    /// Whatever people or rules keep there.
    Any,
}

impl Kind {
    /// Reads a kind as `ruleset.yaml` writes it: a word, `list of` a word, or a list of the words allowed.
    pub(super) fn read(value: &Value) -> Option<Self> {
        match value {
            Value::List(words) => {
                words.iter().map(|word| word.as_text().map(str::to_owned)).collect::<Option<_>>().map(Self::OneOf)
            }
            Value::Text(word) => match word.strip_prefix("list of ") {
                Some(one) => Some(Self::List(Box::new(Self::read(&Value::from(one))?))),
                None => Some(match word.as_str() {
                    "yes-no" => Self::YesNo,
                    "number" => Self::Number,
                    "text" => Self::Text,
                    "time" => Self::Time,
                    "phase" => Self::Phase,
                    "dice" => Self::Dice,
                    "space" => Self::Space,
                    "player" => Self::Player,
                    "pseudo-type" => Self::PseudoType,
                    "any" => Self::Any,
                    _ => return None,
                }),
            },
            _ => None,
        }
    }

    /// The kind in words, for messages.
    pub fn describe(&self) -> String {
        match self {
            Self::YesNo => "true or false".into(),
            Self::Number => "a whole number".into(),
            Self::Text => "text".into(),
            Self::Time => "a time such as 2024-01-05T00:00:00Z".into(),
            Self::Phase => "the number of a phase, from 1".into(),
            Self::Dice => "dice such as 2d4".into(),
            Self::Space => "the identifier of a space".into(),
            Self::Player => "the name of a player".into(),
            Self::PseudoType => "a space type".into(),
            Self::OneOf(words) => format!("one of {}", words.join(", ")),
            Self::List(one) => format!("a list, each of it {}", one.describe()),
            Self::Any => "anything".into(),
        }
    }
}

/// A field that the ruleset declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its key in the file.
    pub name: Name,
    /// What it may hold.
    pub kind: Kind,
    /// The value if it is absent.
    pub default: Value,
    /// What it is for, with the catalogue IDs.
    pub text: String,
    /// Whether it only keeps count of what was done, so that cases leave it free.
    pub bookkeeping: bool,
    /// The switch and the only reading of it under which the field means something; `None` if it always does.
    pub under: Option<(String, String)>,
}

/// How many words an argument or option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// Exactly one.
    One,
    /// One or none.
    Optional,
    /// Any number.
    Any,
}

/// An argument or an option of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The name of an option, or what help calls an argument.
    pub name: String,
    /// What it holds: `player`, `space`, `item`, `items`, `person`, `name`, `number`, `time` or `text`; of options also
    /// [`Self::RULES`] and [`Self::PEOPLE_FILE`].
    pub kind: String,
    /// How often it can be given.
    pub count: Count,
    /// What it is for, as help says it.
    pub text: String,
    /// What help shows for the value, such as `KEY=VALUE`; without it, the kind.
    pub value: Option<String>,
    /// Other words for the option in a file that gives people for each option.
    pub spellings: Vec<String>,
}

impl Parameter {
    /// The kind of an option that takes a folder of rules; the log keeps the folder and its hash.
    pub const RULES: &'static str = "rules";
    /// The kind of an option that takes a file with people for the other options; only the command line reads it.
    pub const PEOPLE_FILE: &'static str = "people-file";
}

/// An action that a command can ask for.
#[expect(clippy::struct_excessive_bools, reason = "each is a key of its own in the rule file")]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ActionRule {
    /// The word or words of the command.
    pub name: String,
    /// Its arguments, in order.
    pub args: Vec<Parameter>,
    /// Its options, in the order in which its function gets them.
    pub options: Vec<Parameter>,
    /// Its flags with what they are for; its function gets them after the options.
    pub flags: Vec<(String, String)>,
    /// The function of a rule file that carries it out.
    pub run: String,
    /// What it does, in a line.
    pub text: String,
    /// What else its help says.
    pub details: String,
    /// Commands that show how it is used, without the name of the program.
    pub examples: Vec<String>,
    /// The channel in which it is posted (AC-1, AC-4).
    pub channel: String,
    /// Whether it only tells something, so that nothing of it is kept.
    pub looks: bool,
    /// Whether its items are the same in any order, so that it is the same action in any order of them (RC-2).
    pub any_order: bool,
    /// Whether it is a movement, which stays as it is after the end of the phase that follows (M-6, R-84).
    pub moves: bool,
    /// Whether help leaves it out.
    pub hidden: bool,
    /// Whether it ends a phase, so that entries of the log can be archived with it.
    pub ends_phase: bool,
    /// The option that gives the moment up to which it does everything that is due.
    pub until: Option<String>,
}

impl ActionRule {
    /// Returns the usage line: the name and the arguments.
    pub fn usage(&self) -> String {
        let shown = |arg: &Parameter| match arg.count {
            Count::One => format!(" <{}>", arg.name),
            Count::Optional => format!(" [{}]", arg.name),
            Count::Any => format!(" [{}…]", arg.name),
        };
        self.name.clone() + &self.args.iter().map(shown).collect::<String>()
    }

    /// Whether its one argument is a player: what a player can do alone.
    pub fn is_of_a_player(&self) -> bool {
        matches!(&self.args[..], [arg] if arg.kind == "player" && arg.count == Count::One)
    }
}

/// Where the numbered rows of items are amended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    /// The letter before a row's number, such as `G` in `G-006`.
    pub letter: String,
    /// The amendment that holds added rows.
    pub added: String,
    /// The amendment that holds the numbers of removed rows.
    pub removed: String,
}

/// What `ruleset.yaml` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declarations {
    /// What the ruleset is, in a line.
    pub title: String,
    /// Numbers that a game may change.
    pub settings: Vec<Field>,
    /// State of the game beyond players and spaces.
    pub state: Vec<Field>,
    /// Fields of players beyond location, items and marks.
    pub player_fields: Vec<Field>,
    /// Lasting marks on players.
    pub marks: Vec<Field>,
    /// Fields of spaces beyond type and successors.
    pub space_fields: Vec<Field>,
    /// What play can change in the rules.
    pub amendments: Vec<Field>,
    /// What the file says of a proposal (PR-1); people may keep more.
    pub proposals: Vec<Field>,
    /// The space that always exists and where players begin.
    pub initial_space: SpaceId,
    /// The type of a space that says none.
    pub default_type: Name,
    /// Categories with their members, in the order of the file.
    pub categories: Vec<(Name, Vec<Name>)>,
    /// The field of a space that holds the type shown by a category.
    pub shown_by: Option<Name>,
    /// The numbered rows, if the ruleset has any.
    pub rows: Option<Rows>,
    /// Words before the name of a kind of item that make another kind of it, such as `jumbo` (GB-7).
    pub derived: Vec<String>,
    /// Words that can replace the quantity of an item.
    pub symbolic: Vec<String>,
    /// The mark that holds where a player's images are, and the word for what they gain through them (G-054, R-129).
    pub images: Option<(Name, String)>,
    /// The switch, and its value, under which a choice with one legal answer has to be made anyway (PA-5, R-90).
    pub never_forced: Option<(String, String)>,
    /// The switch, and its value, under which an action with only optional selections left is performed when its phase
    /// ends, and what is open counts as declined (PA-3, R-193).
    pub declined_at_end: Option<(String, String)>,
    /// The keys of selections with how each is made: `dice`, `random` or `chosen`.
    pub selections: Vec<(String, String)>,
    /// Parameters of each kind of effect, by the key it has in rule files.
    pub hooks: BTreeMap<String, Vec<String>>,
    /// Functions that look at the game after a change of an item, by the item's name.
    pub watches: Vec<(Name, String)>,
    /// Functions called before and after each action.
    pub before_action: Vec<String>,
    /// See [`Self::before_action`].
    pub after_action: Vec<String>,
    /// The action that looks for what is odd about a game by the rules; what it tells is a warning of the check.
    pub check: Option<String>,
    /// What commands can ask for.
    pub actions: Vec<ActionRule>,
    /// The first words of actions of two words, with what their help says.
    pub groups: Vec<(String, String)>,
    /// Lengths of the phases in days from a Monday on, with their names.
    pub calendar: Vec<(String, i64)>,
}

impl Declarations {
    /// Whether selections of this key are dice.
    pub fn is_dice(&self, key: &str) -> bool {
        self.selections.iter().any(|(own, made)| own == key && made == "dice")
    }

    /// Whether selections of this key are drawn rather than chosen.
    pub fn is_random(&self, key: &str) -> bool {
        self.selections.iter().any(|(own, made)| own == key && made != "chosen")
    }

    /// Every field that the ruleset declares, in any section.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        let lists =
            [&self.settings, &self.state, &self.player_fields, &self.marks, &self.space_fields, &self.amendments];
        lists.into_iter().flatten()
    }

    /// The action of this name.
    pub fn action(&self, name: &str) -> Option<&ActionRule> {
        self.actions.iter().find(|action| action.name == name)
    }

    /// The action that the first words of a command name.
    pub fn action_of(&self, words: &[String]) -> Option<&ActionRule> {
        let begins = |action: &&ActionRule| {
            let own = action.name.split(' ').count();
            words.len() >= own && action.name.split(' ').eq(words[..own].iter().map(String::as_str))
        };
        self.actions.iter().filter(begins).max_by_key(|action| action.name.len())
    }
}

/// A space type.
#[derive(Debug)]
pub struct TypeRule {
    /// Its name.
    pub name: Name,
    /// The catalogue IDs behind it; the first is its cause in events.
    pub cites: Vec<String>,
    /// Whether only one space may have it (S-5).
    pub unique: bool,
    /// The rule file.
    pub(crate) file: usize,
}

impl TypeRule {
    /// The ID that events name as their cause.
    pub fn rule(&self) -> &str {
        self.cites.first().map_or("", String::as_str)
    }
}

/// A kind of item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemRule {
    /// Its name.
    pub name: Name,
    /// Its number, if it is a numbered row.
    pub number: Option<i64>,
    /// The least that a player can hold, if there is a floor.
    pub least: Option<i64>,
    /// The catalogue IDs behind it.
    pub cites: Vec<String>,
    /// What else its rule says in a word before its text, such as `usable: false`; rule files read it.
    pub says: Value,
    /// The rule file.
    pub(crate) file: usize,
}

impl ItemRule {
    /// The ID that events name as their cause.
    pub fn rule(&self) -> &str {
        self.cites.first().map_or("", String::as_str)
    }
}
