//! One command that plays, whatever it is.

use std::sync::Arc;

use super::driver::play;
use super::pending::{PendingState, dice_to_reuse, name_after};
use super::resume::{drop_pending, resume};
use super::turn::{Played, Request};
use super::{adjudicate, correct, dice, sealed, undo};
use crate::data::Value;
use crate::game::Game;
use crate::protocol::{AnswerSource, Refusal};
use crate::ruleset::{Command, Ruleset};

/// Carries out a posted command, or keeps what must be kept of it.
///
/// ```
/// use nomic_referee::{GamestateFile, Request, Ruleset, Status, Value, take_turn};
///
/// let ruleset = Ruleset::built_in("cycle-15").expect("built in");
/// let text = "{format: 1, ruleset: cycle-15, players: {Ann: {}}, spaces: {0: {successors: [1]}, 1: {successors: [0]}}}";
/// let game = GamestateFile::parse("gamestate.yaml", text.as_bytes()).expect("YAML").check(&ruleset).game.expect("valid");
///
/// let mut request = Request { words: vec!["move".into(), "ann".into()], ..Request::default() };
/// request.given.add("roll", [Value::Int(1), Value::Int(2)]);
/// let turn = take_turn(&ruleset, &game, &request, &mut ()).expect("a command of the game");
/// assert_eq!(turn.status, Status::Done);
/// assert_eq!(turn.next.log.len(), 1);
/// ```
///
/// # Errors
/// Refuses words that are not a command of this game, with nothing done. What a command of the game is refused for is in
/// [`Played::status`].
pub fn take_turn(
    ruleset: &Arc<Ruleset>,
    game: &Game,
    request: &Request,
    answers: &mut dyn AnswerSource,
) -> Result<Played, Refusal> {
    let words = &request.words[..];
    let what = shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "));
    let ended = |played| Ok(Played::or_refused(game, &what, played));
    let action = match Command::read(ruleset, game, words)? {
        Command::Act(action) => action,
        Command::Adjudicate(declaration) => return ended(adjudicate::declare(ruleset, game, request, &declaration)),
        Command::Amend(correction) => return ended(correct::correct(ruleset, game, request, &correction, answers)),
        Command::Reveal(secret) => return ended(sealed::reveal(ruleset, game, request, &secret)),
        Command::Undo(count) => return ended(undo::undo(game, words, count)),
        Command::Redo(count) => return ended(undo::redo(game, words, count)),
        Command::Resume(which) => return Ok(resume(ruleset, game, &which, request, answers)),
        Command::Drop(which) => return Ok(drop_pending(ruleset, game, &which)),
    };
    if let Some(pending) = game.pending.iter().find(|pending| pending.what == action.what) {
        let name = name_after(game, action.player());
        let refusal = Refusal::new("move-pending", format!("`{}` is already in progress", pending.what))
            .help(format!("`referee resume{name}` continues it, `referee drop{name}` abandons it"))
            .rule("PA-2");
        return Ok(Played::refused(game, action.what, refusal));
    }
    let reused = dice_to_reuse(game, &action);
    let chooses = request.decline || request.given.all().any(|(_, values)| !values.is_empty());
    let dice = match reused.map(|entry| dice::drawer::repeated(&entry.action, chooses)).transpose() {
        Ok(dice) => dice.unwrap_or_default(),
        Err(refusal) => return Ok(Played::refused(game, action.what, refusal)),
    };
    let known = PendingState {
        dice,
        random: reused.map_or(Value::Null, |entry| entry.action.random.clone()),
        reused: reused.map(|entry| entry.id),
        sealed: reused.map_or(Value::Null, |entry| entry.action.sealed.clone()),
        ..PendingState::default()
    };
    Ok(play(ruleset, game, &action, request, &known, answers))
}
