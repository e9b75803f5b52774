//! `init`: writes a new gamestate.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use jiff::{SignedDuration, Timestamp};
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
    /// The time until which players add words to a sealed secret; default: a day after the start
    #[arg(long, value_name = "TIME", value_parser = time, requires = "sealed")]
    words_until: Option<Timestamp>,
    /// What tells this game from others, from which derived draws follow; default: random
    #[arg(long, value_name = "ID", value_parser = id)]
    id: Option<String>,
    /// The time from which posts take rounds of the beacon; default: now
    #[arg(long, value_name = "TIME", value_parser = time)]
    since: Option<Timestamp>,
    /// Who throws the dice
    #[arg(long, value_enum, default_value_t = By::Referee, conflicts_with = "sealed")]
    dice: By,
    /// The players, with commas between them
    #[arg(long, value_delimiter = ',')]
    players: Vec<String>,
}

/// Who throws the dice of a new game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    /// The program
    Referee,
    /// The players, in their posts
    Posted,
    /// A public beacon
    Beacon,
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
    let id = match &args.id {
        Some(id) => id.clone(),
        None => format!("g{}", random::<8>()?),
    };
    let dice = dice(args, started)?;
    let initial = ruleset.declared.initial_space;
    let mut text = format!(
        "# {}\nformat: 1\nruleset: {}\nid: {id}              # fixed: draws that are derived depend on it\n{dice}started: {started}   # the round's start, UTC\nphase: 1                          # counted \
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

/// Returns the line that says who throws, empty if it is the program.
fn dice(args: &Init, started: Timestamp) -> Result<String, Problems> {
    if let Some(path) = &args.sealed {
        let until = args.words_until.unwrap_or_else(|| started + SignedDuration::from_hours(24));
        let hash = sealed(path)?;
        return Ok(format!(
            "dice: {{by: sealed, hash: {hash}, words-until: {until}}}   # players add words until then\n"
        ));
    }
    #[expect(clippy::disallowed_methods, reason = "posts from before this moment take no round")]
    let now = args.since.unwrap_or_else(Timestamp::now);
    let since = Timestamp::from_second(now.as_second()).unwrap_or(now);
    Ok(match args.dice {
        By::Referee => String::new(),
        By::Posted => "dice: {by: posted}\n".to_owned(),
        By::Beacon => format!("dice: {{by: beacon, chain: quicknet, delay: 30, since: {since}}}\n"),
    })
}

/// Reads an id that YAML reads back as a text.
fn id(written: &str) -> Result<String, String> {
    let plain = written.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    let fits = plain && written.len() <= 64 && written.starts_with(|c: char| c.is_ascii_lowercase());
    let misread = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    let kept = (fits && !misread.contains(&written)).then(|| written.to_owned());
    kept.ok_or_else(|| "an id is up to 64 small letters, digits and hyphens, a letter first".into())
}

/// Returns random bytes of the system in hexadecimal.
fn random<const N: usize>() -> Result<String, Problems> {
    let mut bytes = [0_u8; N];
    OsRng.try_fill_bytes(&mut bytes).map_err(|error| vec![Problem::new("no-randomness", error.to_string())])?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Writes a new secret and returns its hash.
fn sealed(path: &Path) -> Result<String, Problems> {
    let secret = random::<32>()?;
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
