//! A bot in thirty lines: plays a posted command on a game's file and prints the file as it is then, or what is open.
//!
//! `cargo run --example embed -- gamestate.yaml move Nyhilo roll=3,1`

use nomic_referee::{GamestateFile, Request, Ruleset, Selections, Status, take_turn};

#[expect(clippy::disallowed_methods, clippy::print_stdout, reason = "a program reads files and prints")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: embed FILE WORD... [KEY=VALUE...]")?;
    let (selected, words): (Vec<String>, Vec<String>) = arguments.partition(|argument| argument.contains('='));
    let mut given = Selections::default();
    for selection in selected {
        given.add_written(&selection)?;
    }

    let file = GamestateFile::parse(&path, &std::fs::read(&path)?)?;
    let ruleset = file.ruleset()?;
    let ruleset = Ruleset::built_in(&ruleset).ok_or("the game is not played by a built-in ruleset")?;
    let checked = file.check(&ruleset);
    let game = checked.game.ok_or(nomic_referee::Problems::from(checked.problems))?;

    let turn = take_turn(&ruleset, &game, &Request { words, given, ..Request::default() }, &mut ())?;
    match turn.status {
        Status::Done => print!("{}", file.updated(&ruleset, &game, &turn.next)?),
        Status::Asks(question) => println!("{} (`{}`)", question.text, question.key),
        Status::Refused(refusal) => return Err(refusal.into()),
        Status::NeedsRuling(ruling) => println!("{ruling}"),
    }
    Ok(())
}
