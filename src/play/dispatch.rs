//! One command that plays, whatever it is.

use std::sync::Arc;

use super::identity::identity;
use super::pending::{PendingState, dice_to_reuse, name_after};
use super::resume::{drop_pending, resume};
use super::settle::{play_to_the_end, settle};
use super::turn::{Played, Request};
use super::{adjudicate, correct, names, sealed, undo};
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
    if let Some(refusal) = names::refused(game, request) {
        return Ok(Played::refused(game, request.words.join(" "), refusal));
    }
    Ok(names::checked(game, carry_out(ruleset, game, request, answers)?))
}

fn carry_out(
    ruleset: &Arc<Ruleset>,
    game: &Game,
    request: &Request,
    answers: &mut dyn AnswerSource,
) -> Result<Played, Refusal> {
    let words = &request.words[..];
    let what = shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "));
    let ended = |played| Ok(Played::or_refused(game, &what, played));
    let none = || without_selections(request);
    let action = match Command::read(ruleset, game, words)? {
        Command::Act(action) => action,
        Command::Adjudicate(declaration) => {
            let declared = none().and_then(|()| adjudicate::declare(ruleset, game, request, &declaration));
            return ended(declared.map(|played| settle(ruleset, game, played)));
        }
        Command::Amend(correction) => {
            let corrected = correct::correct(ruleset, game, request, &correction, answers);
            return ended(corrected.map(|played| settle(ruleset, game, played)));
        }
        Command::Reveal(secret) => return ended(none().and_then(|()| sealed::reveal(ruleset, game, request, &secret))),
        Command::Undo(count) => return ended(none().and_then(|()| undo::undo(game, words, count))),
        Command::Redo(count) => return ended(none().and_then(|()| undo::redo(game, words, count))),
        Command::Resume(which) => return Ok(resume(ruleset, game, &which, request, answers)),
        Command::Drop(which) => return ended(none().map(|()| drop_pending(ruleset, game, &which))),
    };
    let own = identity(ruleset, &game.log, &action.what);
    if let Some(pending) = game.pending.iter().find(|pending| identity(ruleset, &game.log, &pending.what) == own) {
        let name = name_after(game, action.player());
        let refusal = Refusal::new("move-pending", format!("`{}` is already in progress", pending.what))
            .help(format!("`referee resume{name}` continues it, `referee drop{name}` abandons it"))
            .rule("PA-2");
        return Ok(Played::refused(game, action.what, refusal));
    }
    let chooses = request.decline || request.given.all().any(|(_, values)| !values.is_empty());
    let known = match PendingState::of_reused(game, dice_to_reuse(ruleset, game, &action.what), chooses) {
        Ok(known) => known,
        Err(refusal) => return Ok(Played::refused(game, action.what, refusal)),
    };
    let played = play_to_the_end(ruleset, game, &action, request, known, answers);
    Ok(settle(ruleset, game, played))
}

/// Refuses selections given with a command that asks for none.
fn without_selections(request: &Request) -> Result<(), Refusal> {
    let Some((key, _)) = request.given.all().next() else { return Ok(()) };
    let message = format!("unused selection `{key}`: `{}` asks for nothing", request.words[0]);
    Err(Refusal::new("unused-selection", message).help("leave it out").rule("PA-2"))
}
