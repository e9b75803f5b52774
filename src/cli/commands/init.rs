//! `init`: writes a new gamestate.

use std::path::{Path, PathBuf};

use clap::Args;
use jiff::Timestamp;
use rand::TryRngCore;
use rand::rngs::OsRng;
use serde_json::json;

use super::run::Run;
use crate::cli::exit_code::ExitCode;
use crate::cli::outcome::{Outcome, Problems};
use crate::cli::play_args::time;
use crate::cli::session::Context;
use crate::diagnostic::Problem;
use crate::files;
use crate::game::SpaceId;
use crate::play::{Refusal, hash_of};

/// Write a new gamestate
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  referee init --started 2024-01-05 --players Ann,Bob")]
pub(super) struct Init {
    /// The ruleset: a built-in one, or a folder relative to the file
    #[arg(long, default_value = "cycle-15")]
    ruleset: String,
    /// The round's start, UTC; default: now
    #[arg(long, value_parser = time)]
    started: Option<Timestamp>,
    /// Seal the dice: write a new secret to this file, outside the game's repository, and its hash to the gamestate
    #[arg(long, value_name = "SECRET-FILE")]
    sealed: Option<PathBuf>,
    /// The players, with commas between them
    #[arg(long, value_delimiter = ',')]
    players: Vec<String>,
}

impl Run for Init {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        init(context, &self)
    }
}

/// Writes a minimal game that can be played at once.
fn init(context: &Context, args: &Init) -> Result<Outcome, Problems> {
    let global = &context.global;
    let ruleset = context.ruleset(&args.ruleset)?;
    let players: Vec<&str> = args.players.iter().map(|player| player.trim()).filter(|name| !name.is_empty()).collect();
    if let Some(twice) =
        players.iter().enumerate().find_map(|(place, name)| players[..place].contains(name).then_some(name))
    {
        let message = format!("the player `{twice}` is named twice");
        let refusal = Refusal { code: "usage".into(), message, help: None, rule: String::new() };
        return Ok(Outcome::refused(global, ExitCode::Usage, &refusal));
    }
    #[expect(clippy::disallowed_methods, reason = "a round without --started starts now")]
    let started = args.started.unwrap_or_else(Timestamp::now);
    let started = Timestamp::from_second(started.as_second()).unwrap_or(started);
    let seal = match &args.sealed {
        Some(path) => format!("sealed: {{hash: {}}}   # the hash of the steward's secret\n", sealed(path)?),
        None => String::new(),
    };
    let initial = ruleset.declared.initial_space;
    let mut text = format!(
        "# {}\nformat: 1\nruleset: {}\n{seal}started: {started}   # the round's start, UTC\nphase: 1                          # counted \
         from the round's start\nsettings: {{}}\nstate: {{}}\nrulings: {{}}                       # see `referee rules show rulings`\n\n",
        ruleset.declared.title,
        quoted(&args.ruleset)
    );
    if players.is_empty() {
        text.push_str("players: {}\n");
    } else {
        text.push_str("players:\n");
        for player in players {
            // The place on a map is written with a comma; the initial location need not be written.
            let location = if initial.place().is_some() { String::new() } else { format!(", location: {initial}") };
            text.push_str(&format!("  {}: {{joined: {started}{location}}}\n", quoted(player)));
        }
    }
    if let SpaceId::Number(first) = initial {
        text.push_str("\n# A loop of ten spaces to begin with; `type` is left out if it is the default.\nspaces:\n");
        for id in 0..10 {
            text.push_str(&format!("  {}: {{successors: [{}]}}\n", first + id, first + (id + 1) % 10));
        }
    } else {
        text.push_str(&format!("\n# A map begins with its origin.\nspaces:\n  \"{initial}\": {{}}\n"));
    }
    text.push_str("\namendments: {}\npending: []\nproposals: {}\nlog: []\n");
    files::create(&global.file, &text).map_err(|problem| vec![problem])?;
    let file = global.file.display();
    Ok(Outcome::found(global, json!({"file": file.to_string(), "written": true}), || {
        if global.quiet { String::new() } else { format!("wrote {file}; run `referee check` to validate it\n") }
    }))
}

/// Writes a new secret and returns its hash.
fn sealed(path: &Path) -> Result<String, Problems> {
    let mut secret = [0_u8; 32];
    OsRng.try_fill_bytes(&mut secret).map_err(|error| vec![Problem::new("no-randomness", error.to_string())])?;
    let secret: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    files::create(path, &format!("{secret}\n")).map_err(|problem| vec![problem])?;
    Ok(hash_of(&secret))
}

/// Returns a word as YAML reads it back, whatever it holds.
fn quoted(word: &str) -> String {
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "-_/.".contains(c))
        && word.starts_with(|c: char| c.is_ascii_alphabetic());
    let misread = ["yes", "no", "on", "off", "y", "n", "true", "false", "null"];
    if plain && !misread.contains(&word.to_lowercase().as_str()) {
        word.to_owned()
    } else {
        serde_json::Value::from(word).to_string()
    }
}
