//! A command that plays, as data: its word, its arguments, checked against what the ruleset offers.

use super::declare::ActionRule;
use super::names::{self, find};
use super::rules::Ruleset;
use jiff::Timestamp;

use crate::data::{Value, nearest};
use crate::game::{Amendment, Amends, Game, Name, Player, PlayerId, SpaceId};
use crate::protocol::Refusal;

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
    /// What was left out.
    None,
}

/// An action that was posted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// The word or words of the command, such as `move` or `proposal submit`.
    pub name: String,
    /// The arguments, then the options, in the order in which the ruleset declares them.
    pub args: Vec<Argument>,
    /// The command with every name as the game spells it; the log keeps it.
    pub what: String,
    /// When it was posted, UTC.
    pub at: Option<Timestamp>,
    /// Changes of its rolls, in order of time (D-4).
    pub amended: Vec<Amendment>,
    /// The changes of other rolls that it is known to make and that the game it is resolved on holds already.
    pub amends: Vec<Amends>,
}

impl Action {
    /// Reads a command, given as words.
    ///
    /// # Errors
    /// Refuses with `no-such-rule` an action that the ruleset does not have, with `usage` words that are missing or too many,
    /// and with `unknown-player`, `unknown-space`, `unknown-item` or `ambiguous` a name that is not one of the game's.
    pub fn read(ruleset: &Ruleset, game: &Game, words: &[String]) -> Result<Self, Refusal> {
        let (first, _) = words.split_first().ok_or_else(|| usage("an action is missing".into()))?;
        let rule = ruleset.declared.action_of(words).ok_or_else(|| {
            let message = format!("unknown action `{first}`");
            Refusal::new("no-such-rule", message).help(format!("available: {}", listed(&ruleset.declared.actions)))
        })?;
        let name = &rule.name;
        let mut positional = Vec::new();
        let mut options = vec![Vec::new(); rule.options.len()];
        let mut words = words[name.split(' ').count()..].iter();
        while let Some(word) = words.next() {
            let Some(option) = word.strip_prefix("--") else {
                positional.push(word.as_str());
                continue;
            };
            let (option, value) = match option.split_once('=') {
                Some((option, value)) => (option, Some(value)),
                None => (option, words.next().map(String::as_str)),
            };
            let place = rule.options.iter().position(|(own, _)| own == option);
            let place = place.ok_or_else(|| usage(format!("`{name}` has no option --{option}")))?;
            options[place].push(value.ok_or_else(|| usage(format!("--{option} needs a value")))?);
        }
        let least = rule.args.iter().filter(|arg| !arg.ends_with(['?', '*'])).count();
        let most = if rule.args.iter().any(|arg| arg.ends_with('*')) { usize::MAX } else { rule.args.len() };
        if positional.len() < least || positional.len() > most {
            let wanted = rule.args.iter().map(|arg| shown(arg)).collect::<Vec<_>>().join(" ");
            return Err(usage(format!("it is `{name} {wanted}`")));
        }
        let mut args = Vec::new();
        let mut what: Vec<String> = name.split(' ').map(str::to_owned).collect();
        let mut positional = positional.into_iter();
        for kind in &rule.args {
            let argument = match kind.strip_suffix('*') {
                Some(kind) => several(ruleset, game, kind, positional.by_ref())?,
                None => match positional.next() {
                    Some(word) => argument(ruleset, game, kind.trim_end_matches('?'), word)?,
                    None => Argument::None,
                },
            };
            what.extend(spelled(game, &argument));
            args.push(argument);
        }
        for ((option, kind), words) in rule.options.iter().zip(options) {
            let argument = match (kind.strip_suffix('*'), words.last()) {
                (_, None) => Argument::None,
                (Some(kind), _) => several(ruleset, game, kind, words.into_iter())?,
                (None, Some(word)) => argument(ruleset, game, kind, word)?,
            };
            what.extend(spelled(game, &argument).into_iter().flat_map(|word| [format!("--{option}"), word]));
            args.push(argument);
        }
        let what = shlex::try_join(what.iter().map(String::as_str)).map_err(|_| usage("a NUL in a word".into()))?;
        Ok(Self { name: name.clone(), args, what, at: None, amended: Vec::new(), amends: Vec::new() })
    }

    /// Returns the player who acts: the first player among the arguments.
    pub fn player(&self) -> Option<PlayerId> {
        self.args.iter().find_map(|arg| match arg {
            Argument::Player(player) => Some(*player),
            _ => None,
        })
    }
}

fn usage(message: String) -> Refusal {
    Refusal::new("usage", message)
}

fn listed(actions: &[ActionRule]) -> String {
    actions.iter().map(|action| action.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// Shows an argument as a usage line does.
fn shown(arg: &str) -> String {
    match (arg.strip_suffix('?'), arg.strip_suffix('*')) {
        (Some(one), _) => format!("[{one}]"),
        (_, Some(one)) => format!("[{one}…]"),
        _ => format!("<{arg}>"),
    }
}

/// Spells an argument in words, with names as the game spells them.
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
        Argument::None => return Vec::new(),
    };
    vec![word]
}

/// Reads words that each may name several, with commas between them.
fn several<'a>(
    ruleset: &Ruleset,
    game: &Game,
    kind: &str,
    words: impl Iterator<Item = &'a str>,
) -> Result<Argument, Refusal> {
    let mut texts = Vec::new();
    for word in words {
        let whole = !matches!(kind, "person" | "name") || game.player_named(word).is_some();
        let parts: Vec<&str> = if whole { vec![word] } else { word.split(',').map(str::trim).collect() };
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            if let Argument::Text(text) = argument(ruleset, game, kind, part)? {
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
        "number" => {
            let number = word.trim_start_matches('#').parse();
            number.map(Argument::Number).map_err(|_| usage(format!("`{word}` is no whole number")))
        }
        "time" => {
            let time: Result<Timestamp, _> = word.parse();
            let help = "a time in UTC such as 2024-01-05T00:00:00Z";
            time.map(|time| Argument::Text(time.to_string())).map_err(|_| usage(format!("`{word}` is not {help}")))
        }
        _ => Ok(Argument::Text(word.to_owned())),
    }
}

/// Finds a person who need not be a player: the player whom the word names, else the word itself.
fn find_person(game: &Game, word: &str) -> Result<String, Refusal> {
    match find_player(game, word) {
        Ok(player) => Ok(game.player(player).name.to_string()),
        Err(error) if error.code == "ambiguous" => Err(error),
        Err(_) => Ok(word.trim().to_owned()),
    }
}

/// Finds a player by exact name, else without regard to case, else by a beginning that only one name has (TA-7).
///
/// # Errors
/// Refuses with `unknown-player` and the nearest name, or with `ambiguous` and the names that fit.
pub fn find_player(game: &Game, word: &str) -> Result<PlayerId, Refusal> {
    if let Some(player) = called(game, word) {
        return Ok(player);
    }
    let found = find(word, game.players().map(|(id, player)| (id, &*player.name)));
    found.map_err(|fitting| unknown("player", word, &fitting, game.players().map(|(_, player)| &*player.name)))
}

/// Returns the player who has this name in full, or as an alias.
pub(crate) fn called(game: &Game, name: &str) -> Option<PlayerId> {
    let also = |player: &Player| {
        let aliases = player.fields.get("aliases").map_or(&[][..], Value::items);
        aliases.iter().filter_map(Value::as_text).any(|alias| names::same(alias, name))
    };
    let named = game.player_named(name);
    let alike = || game.players().find(|(_, player)| names::same(&player.name, name)).map(|(id, _)| id);
    named.or_else(alike).or_else(|| game.players().find(|(_, player)| also(player)).map(|(id, _)| id))
}

fn find_space(ruleset: &Ruleset, game: &Game, word: &str) -> Result<SpaceId, Refusal> {
    // The initial space exists even if the file has left it out: the action makes it first (B-5).
    let exists = |id: &SpaceId| game.space(*id).is_some() || *id == ruleset.declared.initial_space;
    let id = word.parse::<SpaceId>().ok().filter(exists);
    id.ok_or_else(|| {
        let help = format!("the board has {} spaces; `referee show board` lists them", game.board().len());
        Refusal::new("unknown-space", format!("there is no space {word}")).help(help)
    })
}

/// Finds a kind of item by exact name, number (`G-006` or `6`), or a beginning that only one name has.
///
/// # Errors
/// Refuses with `unknown-item` and the nearest name, or with `ambiguous` and the names that fit.
pub fn find_item(ruleset: &Ruleset, game: &Game, word: &str) -> Result<Name, Refusal> {
    let rows = ruleset.rows(game);
    let letter = ruleset.declared.rows.as_ref().map_or("", |rows| rows.letter.as_str());
    let digits = word.strip_prefix(letter).and_then(|rest| rest.strip_prefix('-')).unwrap_or(word);
    if let Some((_, name)) = digits.parse::<i64>().ok().and_then(|number| rows.iter().find(|(own, _)| *own == number)) {
        return Ok(name.clone());
    }
    for made in &ruleset.declared.derived {
        // A kind that is made of another kind (GB-7).
        let Some((first, rest)) = word.split_once(' ').filter(|(first, _)| first.eq_ignore_ascii_case(made)) else {
            continue;
        };
        debug_assert_eq!(first.len(), made.len());
        return find_item(ruleset, game, rest.trim()).map(|plain| format!("{made} {plain}").into());
    }
    let names = ruleset.item_names(game);
    find(word, names.iter().map(|name| (name.clone(), &**name)))
        .map_err(|fitting| unknown("item", word, &fitting, names.iter().map(|name| &**name)))
}

/// Reads kinds of item with amounts, such as `5 Shard, Duck`.
fn find_items(ruleset: &Ruleset, game: &Game, words: &str) -> Result<Vec<(Name, i64)>, Refusal> {
    let mut found: Vec<(Name, i64)> = Vec::new();
    for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let amount = word.split_once(' ').and_then(|(amount, name)| Some((amount.parse::<i64>().ok()?, name.trim())));
        // A name may begin with a number itself.
        let (item, amount) = match (find_item(ruleset, game, word), amount) {
            (Ok(item), _) => (item, 1),
            (Err(_), Some((amount, name))) => (find_item(ruleset, game, name)?, amount),
            (Err(error), None) => return Err(error),
        };
        match found.iter_mut().find(|(own, _)| *own == item) {
            Some((_, own)) => *own = own.saturating_add(amount),
            None => found.push((item, amount)),
        }
    }
    Ok(found)
}

fn unknown<'a>(thing: &str, word: &str, fitting: &[&str], all: impl Iterator<Item = &'a str>) -> Refusal {
    if !fitting.is_empty() {
        let message = format!("`{word}` is ambiguous: {}", fitting.join(", "));
        return Refusal::new("ambiguous", message).help("type more of the name");
    }
    let code = if thing == "player" { "unknown-player" } else { "unknown-item" };
    let refusal = Refusal::new(code, format!("there is no {thing} called `{word}`"));
    match nearest(word, all) {
        Some(name) => refusal.help(format!("did you mean `{name}`?")),
        None => refusal,
    }
}
