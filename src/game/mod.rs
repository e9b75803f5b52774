//! What is: players, spaces, items and the rest of the state of one game, ready to be played.
//!
//! Nothing here knows a rule, a file or a terminal. A [`Game`] is cheap to copy: its parts are shared until one changes.

mod board;
mod changes;
mod player;
mod record;

use std::sync::Arc;

use jiff::Timestamp;

pub use board::{Board, Space, SpaceId};
pub use changes::{Change, changes};
pub use player::{Player, PlayerId};
pub use record::{Commenced, LogEntry, Outcome};

use crate::value::Value;

/// A name of a type, an item, a field or a player, shared because it stands in many places.
pub type Name = Arc<str>;

/// One game at one moment.
///
/// Invariants, which only [`crate::gamestate`] and [`crate::play`] uphold: every player stands on a space of the board,
/// every successor is a space of the board, and the space the ruleset calls initial is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// The ruleset as the file names it: a built-in one, or a folder.
    pub ruleset: Name,
    /// The start of the round, UTC.
    pub started: Option<Timestamp>,
    /// The running phase, counted from the round's start, 1 being the first.
    pub phase: i64,
    /// Numbers that the ruleset declares as data and this game has changed.
    pub settings: Arc<Value>,
    /// What the ruleset declares beyond players and spaces.
    pub state: Arc<Value>,
    /// The switches of the rulings list that this game has set, as written: a value, or a map with its source.
    pub rulings: Arc<Value>,
    /// What play has changed in the rules.
    pub amendments: Arc<Value>,
    /// Actions commenced and not yet performed.
    pub pending: Arc<Vec<Commenced>>,
    /// Proposals by number, as written.
    pub proposals: Arc<Value>,
    /// One entry an action, newest last.
    pub log: Arc<Vec<Arc<LogEntry>>>,
    players: Arc<Vec<Arc<Player>>>,
    board: Arc<Board>,
}

impl Game {
    /// Makes a game of its parts; the caller has checked the invariants.
    pub fn new(ruleset: &str, players: Vec<Player>, board: Board) -> Self {
        Self {
            ruleset: ruleset.into(),
            started: None,
            phase: 1,
            settings: Arc::default(),
            state: Arc::default(),
            rulings: Arc::default(),
            amendments: Arc::default(),
            pending: Arc::default(),
            proposals: Arc::default(),
            log: Arc::default(),
            players: Arc::new(players.into_iter().map(Arc::new).collect()),
            board: Arc::new(board),
        }
    }

    /// The players in the order of the file.
    pub fn players(&self) -> impl Iterator<Item = (PlayerId, &Player)> + Clone {
        self.players.iter().enumerate().map(|(place, player)| (PlayerId::at(place), player.as_ref()))
    }

    /// The player with this id, which came from this game or one that it grew from.
    pub fn player(&self, id: PlayerId) -> &Player {
        &self.players[id.place()]
    }

    /// The same player, to be changed.
    pub fn player_mut(&mut self, id: PlayerId) -> &mut Player {
        Arc::make_mut(&mut Arc::make_mut(&mut self.players)[id.place()])
    }

    /// The player of exactly this name, compared without regard to case where that decides it (TA-7).
    pub fn player_named(&self, name: &str) -> Option<PlayerId> {
        let exact = self.players().find(|(_, player)| &*player.name == name);
        exact
            .or_else(|| {
                let folded = name.to_lowercase();
                let mut alike = self.players().filter(|(_, player)| player.name.to_lowercase() == folded);
                alike.next().filter(|_| alike.next().is_none())
            })
            .map(|(id, _)| id)
    }

    /// The spaces and their links.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The same board, to be changed.
    pub fn board_mut(&mut self) -> &mut Board {
        Arc::make_mut(&mut self.board)
    }

    /// The space with this identifier, if there is one.
    pub fn space(&self, id: SpaceId) -> Option<&Space> {
        self.board.get(id)
    }

    /// The players whose location is this space, in the order of the file.
    pub fn players_on(&self, id: SpaceId) -> impl Iterator<Item = PlayerId> {
        self.players().filter(move |(_, player)| player.location == id).map(|(player, _)| player)
    }

    /// The value that this game sets for a switch, without its source; `None` where it is not set.
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

    pub(crate) fn shared_player(&self, id: PlayerId) -> &Arc<Player> {
        &self.players[id.place()]
    }
}

impl Game {
    /// Whether two games say the same, the order of keys and of spaces aside.
    pub fn equivalent(&self, other: &Self) -> bool {
        let sections = |game: &Self| -> Vec<Value> {
            let maps = [&game.settings, &game.state, &game.rulings, &game.amendments, &game.proposals];
            maps.into_iter().map(|map| map.in_order()).collect()
        };
        let pending = |game: &Self| game.pending.iter().map(|action| action.to_value().in_order()).collect::<Vec<_>>();
        // Spaces are many and seldom differ, so they are put in order only where they do.
        let same_space =
            |a: &Space| other.space(a.id).is_some_and(|b| a == b || a.clone().in_order() == b.clone().in_order());
        let log = |game: &Self, from: usize| {
            game.log[from..].iter().map(|entry| entry.to_value().in_order()).collect::<Vec<_>>()
        };
        // Entries shared by both are equal; a log is long and its end is what grows.
        let same = self.log.iter().zip(other.log.iter()).take_while(|(a, b)| a == b).count();
        self.ruleset == other.ruleset
            && self.started == other.started
            && self.phase == other.phase
            && sections(self) == sections(other)
            && pending(self) == pending(other)
            && self.players.len() == other.players.len()
            && self.players().zip(other.players()).all(|((_, a), (_, b))| a.equivalent(b))
            && self.board().len() == other.board().len()
            && self.board().spaces().all(same_space)
            && log(self, same) == log(other, same)
    }
}
