//! What is asked of the game: a command's words with everything that was given with it, and the secret of sealed dice.

use dialoguer::console::Term;
use jiff::Timestamp;

use super::global::{Format, Global};
use super::outcome::Problems;
use super::play_args::{PlayArgs, SecretArg};
use crate::data::Value;
use crate::diagnostic::Problem;
use crate::files;
use crate::game::Game;
use crate::play::{Request, hash_of};
use crate::view::Look;

/// The widest table that is easy to read, and the width without a terminal.
const WIDTH: u16 = 110;

/// Builds the request for a command.
///
/// # Errors
/// The beacon's answers beside the gamestate cannot be read.
pub(super) fn request(play: &PlayArgs, global: &Global, words: Vec<String>) -> Result<Request, Problems> {
    #[expect(clippy::disallowed_methods, reason = "an action without --at was posted now")]
    let at = play.post.at.unwrap_or_else(Timestamp::now);
    // Posts have no nanoseconds.
    let at = Timestamp::from_second(at.as_second()).unwrap_or(at);
    Ok(Request {
        words,
        given: play.selecting.given(),
        at: Some(at),
        link: play.post.link.clone(),
        decline: play.decline,
        seed: play.seed,
        secret: if play.post.dry_run { None } else { secret(&play.secret).ok() },
        dice: play.dice.supply(&global.file, play.post.dry_run).map_err(|problem| vec![problem])?,
    })
}

/// Reads the secret of sealed dice.
pub(super) fn secret(named: &SecretArg) -> Result<String, Problem> {
    let file = named.secret.as_ref().ok_or_else(|| {
        let problem = Problem::new("no-secret", "the dice of this game are sealed, and no secret was given");
        problem.help("name its file with --secret")
    })?;
    Ok(String::from_utf8_lossy(&files::read(file)?).trim().to_owned())
}

/// Returns whether draws are derived from the secret; it must be the one whose hash the file has.
pub(super) fn is_sealed(play: &PlayArgs, game: &Game) -> Result<bool, Problem> {
    let Some(hash) = game.dice.get("hash").and_then(Value::as_text) else { return Ok(false) };
    if game.dice.get("secret").is_some() || play.post.dry_run {
        return Ok(false);
    }
    if play.secret.secret.is_some() && hash_of(&secret(&play.secret)?) != hash {
        let problem = Problem::new("wrong-secret", "this secret does not match the hash in the file");
        return Err(problem.help("give the file that `init --sealed` wrote"));
    }
    Ok(true)
}

/// Returns how tables look: as Markdown, or as wide as the terminal.
pub(super) fn look(global: &Global) -> Look {
    match global.format {
        Format::Markdown => Look::Markdown,
        _ => {
            let columns = Term::stdout().size_checked().map_or(WIDTH, |(_, columns)| columns);
            Look::Drawn(columns.clamp(60, WIDTH))
        }
    }
}
