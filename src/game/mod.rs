//! The state of one game: players, spaces, items and the rest.
//!
//! Nothing here knows a rule, a file or a terminal. A [`Game`] is cheap to copy: its parts are shared until one changes.

mod board;
mod diff;
mod log;
mod player;
mod revert;
mod space_id;

use std::sync::Arc;

use jiff::Timestamp;

pub use board::{Board, Space};
pub(crate) use diff::POSITION;
pub use diff::{Change, as_recorded, changes};
pub use log::{Alteration, Amended, Amendment, Amends, LogEntry, Outcome, PendingAction, Rolled, read_seed};
pub use player::{Player, PlayerId};
pub use revert::Conflict;
pub use space_id::{NotASpace, SpaceId};

use crate::data::{Key, Value, folded};

/// The name of a type, an item, a field or a player; shared, because it is used in many places.
pub type Name = Arc<str>;

/// One game at one moment.
///
/// Invariants: every player is on a space of the board, every successor is a space of the board, and the initial space of
/// the ruleset exists. Only [`crate::gamestate`] makes games, and only the engine and [`crate::play`] change them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// The ruleset as the file names it: a built-in one, or a folder.
    pub ruleset: Name,
    /// The start of the round, UTC.
    pub started: Option<Timestamp>,
    /// The running phase, counted from the round's start, 1 being the first.
    pub phase: i64,
    /// The settings of the ruleset that this game has changed.
    pub settings: Arc<Value>,
    /// What the ruleset declares beyond players and spaces.
    pub state: Arc<Value>,
    /// The switches of the rulings list that this game has set, as written: a value, or a map with its source.
    pub rulings: Arc<Value>,
    /// What play has changed in the rules.
    pub amendments: Arc<Value>,
    /// What tells this game from every other, fixed when it was made; empty if it has none. Draws of scheme 2 bind it.
    pub id: Name,
    /// Who throws the dice, as written ([`crate::draws::Thrower`] reads it).
    pub dice: Arc<Value>,
    /// Actions that have been started and not yet performed (PA-2).
    pub pending: Arc<Vec<PendingAction>>,
    /// Proposals by number, as written.
    pub proposals: Arc<Value>,
    /// One entry for each action, newest last.
    pub log: Arc<Vec<Arc<LogEntry>>>,
    players: Arc<Vec<Arc<Player>>>,
    board: Arc<Board>,
}

impl Game {
    /// Makes a game from its parts; the caller has checked the invariants.
    pub(crate) fn new(ruleset: &str, players: Vec<Player>, board: Board) -> Self {
        Self {
            ruleset: ruleset.into(),
            started: None,
            phase: 1,
            settings: Arc::default(),
            state: Arc::default(),
            rulings: Arc::default(),
            amendments: Arc::default(),
            id: "".into(),
            dice: Arc::default(),
            pending: Arc::default(),
            proposals: Arc::default(),
            log: Arc::default(),
            players: Arc::new(players.into_iter().map(Arc::new).collect()),
            board: Arc::new(board),
        }
    }

    /// Returns the players, in the order of the file.
    pub fn players(&self) -> impl Iterator<Item = (PlayerId, &Player)> + Clone {
        let all = self.players.iter().enumerate().map(|(index, player)| (PlayerId::at(index), player.as_ref()));
        all.filter(|(_, player)| !player.gone)
    }

    /// Adds a player at a position in the order of the file, counted from 0, or at its end.
    #[doc(hidden)]
    pub fn add_player(&mut self, player: Player, position: Option<usize>) {
        let players = Arc::make_mut(&mut self.players);
        players.insert(position.unwrap_or(players.len()).min(players.len()), Arc::new(player));
    }

    /// Removes the players who left the game. Ids from before are no longer valid.
    #[doc(hidden)]
    pub fn sweep(&mut self) {
        if self.players.iter().any(|player| player.gone) {
            Arc::make_mut(&mut self.players).retain(|player| !player.gone);
        }
    }

    /// Returns the player with this id, which is from this game or one that it grew from.
    pub fn player(&self, id: PlayerId) -> &Player {
        &self.players[id.index()]
    }

    /// Returns the player with this id, for changing it.
    #[doc(hidden)]
    pub fn player_mut(&mut self, id: PlayerId) -> &mut Player {
        Arc::make_mut(&mut Arc::make_mut(&mut self.players)[id.index()])
    }

    /// Returns the player of exactly this name, or of the only name that differs from it in case (TA-7).
    pub fn player_named(&self, name: &str) -> Option<PlayerId> {
        let exact = self.players().find(|(_, player)| &*player.name == name);
        exact
            .or_else(|| {
                let name = folded(name);
                let mut alike = self.players().filter(|(_, player)| folded(&player.name) == name);
                alike.next().filter(|_| alike.next().is_none())
            })
            .map(|(id, _)| id)
    }

    /// Returns the spaces and their links.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the board, for changing it.
    #[doc(hidden)]
    pub fn board_mut(&mut self) -> &mut Board {
        Arc::make_mut(&mut self.board)
    }

    /// Returns the space with this identifier, if it exists.
    pub fn space(&self, id: SpaceId) -> Option<&Space> {
        self.board.get(id)
    }

    /// Returns the players on this space, in the order of the file.
    pub fn players_on(&self, id: SpaceId) -> impl Iterator<Item = PlayerId> {
        self.players().filter(move |(_, player)| player.location == id).map(|(player, _)| player)
    }

    /// Tells whether an entry of the log was performed, and no later entry voids it.
    pub fn took_place(&self, entry: &LogEntry) -> bool {
        entry.counts()
            && !self.log.iter().rev().take_while(|later| later.id > entry.id).any(|later| later.voids(entry.id))
    }

    /// Returns the value that this game sets for a switch, without its source; `None` if it is not set.
    pub fn ruling(&self, key: &str) -> Option<&str> {
        let set = self.rulings.get(key)?;
        set.get("value").unwrap_or(set).as_text()
    }

    pub(crate) fn same_players(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.players, &other.players)
    }

    pub(crate) fn same_board(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.board, &other.board)
    }

    /// Returns all players in the order of the file, including those who left during the current action.
    fn all_players(&self) -> impl Iterator<Item = &Arc<Player>> + Clone {
        self.players.iter()
    }
}

impl Game {
    /// Returns the game as plain data with the keys of the file, without `format`.
    pub fn to_value(&self) -> Value {
        let text = |name: &str| Key::from(name);
        let mut players = Value::Map(Vec::new());
        for (_, player) in self.players() {
            let mut map = player.fields.clone();
            map.set(text("location"), player.location.into());
            map.set(text("items"), player.items_value());
            map.set(text("marks"), player.marks.clone());
            players.set(Key::from(&*player.name), map);
        }
        let spaces = self.board().spaces().map(|space| {
            let mut map = space.fields.clone();
            map.set(text("type"), Value::from(&*space.kind));
            map.set(text("successors"), Value::from(space.successors.clone()));
            (Key::from(space.id), map)
        });
        let mut state = Value::Map(vec![(text("ruleset"), Value::from(&*self.ruleset))]);
        if let Some(started) = self.started {
            state.set(text("started"), Value::Text(started.to_string()));
        }
        let sections = [
            ("phase", Value::Int(self.phase)),
            ("settings", Value::clone(&self.settings)),
            ("state", Value::clone(&self.state)),
            ("rulings", Value::clone(&self.rulings)),
            ("players", players),
            ("spaces", Value::Map(spaces.collect())),
            ("amendments", Value::clone(&self.amendments)),
            ("pending", Value::List(self.pending.iter().map(PendingAction::to_value).collect())),
            ("proposals", Value::clone(&self.proposals)),
            ("log", Value::List(self.log.iter().map(|entry| entry.to_value()).collect())),
        ];
        if !self.id.is_empty() {
            state.set(text("id"), Value::from(&*self.id));
        }
        if !self.dice.is_empty() {
            state.set(text("dice"), Value::clone(&self.dice));
        }
        for (section, value) in sections {
            state.set(text(section), if value == Value::Null { Value::Map(Vec::new()) } else { value });
        }
        state
    }

    /// Returns the id as plain data, null if the game has none.
    pub(crate) fn id_value(&self) -> Value {
        if self.id.is_empty() { Value::Null } else { Value::from(&*self.id) }
    }

    /// Tells whether two games say the same, apart from the order of keys and of spaces.
    pub fn equivalent(&self, other: &Self) -> bool {
        let sections = |game: &Self| -> Vec<Value> {
            let maps = [&game.settings, &game.state, &game.rulings, &game.amendments, &game.proposals, &game.dice];
            maps.into_iter().map(|map| map.in_order()).collect()
        };
        let pending = |game: &Self| game.pending.iter().map(|action| action.to_value().in_order()).collect::<Vec<_>>();
        // Spaces are many and seldom differ, so they are put in order only if they do.
        let same_space =
            |a: &Space| other.space(a.id).is_some_and(|b| a == b || a.clone().in_order() == b.clone().in_order());
        let log = |game: &Self, from: usize| {
            game.log[from..].iter().map(|entry| entry.to_value().in_order()).collect::<Vec<_>>()
        };
        // Entries shared by both are equal; a log is long and its end is what grows.
        let same = self.log.iter().zip(other.log.iter()).take_while(|(a, b)| a == b).count();
        let count = |game: &Self| game.players().count();
        self.ruleset == other.ruleset
            && self.id == other.id
            && self.started == other.started
            && self.phase == other.phase
            && sections(self) == sections(other)
            && pending(self) == pending(other)
            && count(self) == count(other)
            && self.players().zip(other.players()).all(|((_, a), (_, b))| a.equivalent(b))
            && self.board().len() == other.board().len()
            && self.board().spaces().all(same_space)
            && log(self, same) == log(other, same)
    }
}
