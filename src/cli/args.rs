//! The arguments. Their doc comments are the help texts.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use jiff::Timestamp;

use crate::game::SpaceId;

/// A referee for Nomic: resolves posted actions on gamestate.yaml, with the rules in text files beside the game.
///
/// A command that plays prints the dice, how the action was resolved and what changed, and writes the file. A selection
/// that an action needs and that was not given is drawn if it is random; if somebody has to choose it, it is asked for on
/// a terminal, and left open (exit 4) elsewhere: what was drawn waits under `pending`, and `referee resume` goes on.
#[derive(Debug, Parser)]
#[command(name = "referee", version, max_term_width = 110, after_help = AFTER)]
pub struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const AFTER: &str = "\
Examples:
  referee move Nyhilo --roll 3,1            the dice were thrown in chat
  referee move Lime --dry-run               what a move might look like, with a sample throw
  referee legal Lime --roll 3,1             every legal way on
  referee resume Nyhilo --path 28,210       finish a move with a fork left open
  referee check                             is the file sound?

Exit codes: 0 done · 1 something wrong found · 2 wrong command line · 3 refused by the rules · 4 a selection is open
5 needs a ruling · 6 a file cannot be read, parsed or written · 70 a bug in the referee";

/// Options of every command.
#[derive(Debug, Clone, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
#[command(next_help_heading = "Options of every command")]
pub struct Global {
    /// The gamestate.
    #[arg(short, long, global = true, default_value = "gamestate.yaml", value_name = "FILE")]
    pub file: PathBuf,
    /// A ruleset folder to play by instead of the one that the file names.
    #[arg(long, global = true, value_name = "DIR")]
    pub rules: Option<PathBuf>,
    /// A selection, such as roll=3,1 or ping=yes; several values are used in order.
    #[arg(short, long = "select", global = true, value_name = "KEY=VALUE", value_parser = key_value)]
    pub select: Vec<String>,
    /// The dice of the movement roll, as they fell.
    #[arg(long, global = true, value_name = "DICE", allow_hyphen_values = true)]
    pub roll: Option<String>,
    /// The spaces of a move, the first step first, forced steps included.
    #[arg(long, global = true, value_name = "SPACES", allow_hyphen_values = true)]
    pub path: Option<String>,
    /// The player to select.
    #[arg(long = "player", global = true, value_name = "NAME", id = "selected-player")]
    pub player: Option<String>,
    /// The space to select.
    #[arg(long = "space", global = true, value_name = "ID", allow_hyphen_values = true, id = "selected-space")]
    pub space: Option<String>,
    /// The item to select.
    #[arg(long = "item", global = true, value_name = "NAME", id = "selected-item")]
    pub item: Option<String>,
    /// When the action was posted, such as 2024-02-02T18:22Z; default: now.
    #[arg(long, global = true, value_name = "TIME", value_parser = time)]
    pub at: Option<Timestamp>,
    /// The posted message.
    #[arg(long, global = true, value_name = "URL")]
    pub link: Option<String>,
    /// Show what would happen and write nothing.
    #[arg(short = 'n', long, global = true)]
    pub dry_run: bool,
    /// How to answer.
    #[arg(long, global = true, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// Never ask at the terminal.
    #[arg(long, global = true)]
    pub no_input: bool,
    /// Decline every optional effect that is not mentioned.
    #[arg(long, global = true)]
    pub decline: bool,
    /// Draw from this stream instead of the system's randomness: the same seed gives the same draws.
    #[arg(long, global = true, value_name = "N")]
    pub seed: Option<u64>,
    /// The secret of sealed dice, kept outside the game's repository.
    #[arg(long, global = true, value_name = "FILE", env = "REFEREE_SECRET", hide_env_values = true)]
    pub secret: Option<PathBuf>,
    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
    /// Say only what went wrong and what is open.
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// How to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables for a terminal.
    Table,
    /// Tables for a wiki or chat.
    Markdown,
    /// One object for programs.
    Json,
}

/// How findings are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Report {
    /// For people, or with `--format json` for programs.
    Text,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of a GitHub workflow.
    Github,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Global {
    /// Whether messages are coloured.
    pub fn colour(&self) -> bool {
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty())
            }
        }
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Take a player's move action.
    #[command(
        after_help = "Examples:\n  referee move Nyhilo --roll 3,1 --path -208,-207,-206,-205\n  referee move Lime -s ping=yes\n  referee move Lime --roll 3 --path North,East,East     on a map of places; or \"(0, 1),(1, 1),(2, 1)\""
    )]
    Move {
        /// The player, by name or a beginning that only one name has.
        player: String,
    },
    /// Target a space with the beam.
    #[command(after_help = "Example:\n  referee beam -210 --by Lime")]
    Beam {
        /// The space.
        #[arg(allow_negative_numbers = true)]
        space: SpaceId,
        /// Who fires it.
        #[arg(long)]
        by: Option<String>,
    },
    /// End the phase and begin the next: votes are counted, allowances return, unfinished actions lapse. In a game of rounds
    /// and turns a phase is a step of a turn.
    #[command(
        after_help = "Examples:\n  referee tick-phase --at 2024-02-05T00:00Z\n  referee tick-phase --to 2024-02-06T12:00Z     every boundary until then, and what is due after the last\n  referee tick-phase --dry-run                  what it would do"
    )]
    TickPhase {
        /// Do everything that is due until then: every boundary, and between them votes that end and players who become
        /// reputable.
        #[arg(long, value_name = "TIME", value_parser = time)]
        to: Option<Timestamp>,
        /// Move the entries of the log that the rules can no longer reach, those before the last phase, to this file.
        #[arg(long, value_name = "FILE")]
        archive: Option<PathBuf>,
    },
    /// Become a player.
    #[command(after_help = "Example:\n  referee join Lime --alias lime#1234 --at 2024-01-05T08:00Z")]
    Join {
        /// The name.
        name: String,
        /// Other names under which they are found.
        #[arg(long, value_name = "NAME", value_delimiter = ',')]
        alias: Vec<String>,
    },
    /// Stop being a player; their items are destroyed.
    #[command(after_help = "Example:\n  referee leave Lime --at 2024-02-05T08:00Z")]
    Leave {
        /// The player.
        player: String,
    },
    /// Give a player another name under which they are found.
    #[command(after_help = "Example:\n  referee alias Lime lime#1234")]
    Alias {
        /// The player.
        player: String,
        /// The other name.
        name: String,
    },
    /// Submit proposals, vote on them, and see how votes stand.
    #[command(
        after_help = "Examples:\n  referee proposal submit Lime \"More dice\"\n  referee proposal vote 3 --for Lime,Nyhilo --against Magnitech\n  referee proposal tally 3"
    )]
    Proposal {
        /// What to do.
        #[command(subcommand)]
        what: Proposal,
    },
    /// Requests for justice, rulings, votes of confidence, and who is Judge.
    #[command(
        after_help = "Examples:\n  referee judge request Lime \"Does a Geyser count glides?\"\n  referee judge rule Nyhilo --request 1 --set glide-may-end-on-its-geyser=yes"
    )]
    Judge {
        /// What to do.
        #[command(subcommand)]
        what: Judge,
    },
    /// Claim a combo.
    #[command(after_help = "Example:\n  referee combo Lime -s number=3")]
    Combo {
        /// The player who combos.
        player: String,
    },
    /// Draw a pseudo-type for a space whose type is a category.
    #[command(after_help = "Example:\n  referee reroll -210 -s pseudo-type=Geyser")]
    Reroll {
        /// The space.
        #[arg(allow_negative_numbers = true)]
        space: SpaceId,
    },
    /// Use an item.
    #[command(
        after_help = "Examples:\n  referee use-item Lime \"Mysterious Ontological Hole\" --player Nyhilo\n  referee use-item Lime G-007 -s die=1 -s sign=+      a Draught on the first die of Lime's roll\n  referee show rule G-007                             what it does, and what it will ask"
    )]
    UseItem {
        /// The player who uses it.
        player: String,
        /// The item, by name, by a beginning that only one name has, or by its number.
        item: String,
    },
    /// Give two different items of Garbage for a random one.
    #[command(name = "macgyver", after_help = "Example:\n  referee macgyver Lime Duck Fish -s garbage=Mauve")]
    MacGyver {
        /// The player.
        player: String,
        /// One item.
        first: String,
        /// The other.
        second: String,
    },
    /// Break a crystal into shards.
    #[command(after_help = "Example:\n  referee shatter Lime -s shards=7")]
    Shatter {
        /// The player.
        player: String,
    },
    /// Consent to a trade; the mirrored consent of the other within seven days carries it out.
    #[command(
        after_help = "Examples:\n  referee trade Lime Nyhilo --gives \"5 Shard\" --takes Duck\n  referee trade Nyhilo Lime --gives Duck --takes \"5 Shard\"\n  referee trade Lime Nyhilo --withdraw yes"
    )]
    Trade {
        /// Who consents.
        player: String,
        /// With whom.
        other: String,
        /// What the one who consents gives, such as `5 Shard, Duck`.
        #[arg(long, value_name = "ITEMS")]
        gives: Option<String>,
        /// What they take.
        #[arg(long, value_name = "ITEMS")]
        takes: Option<String>,
        /// Take back a consent instead.
        #[arg(long, value_name = "yes")]
        withdraw: Option<String>,
    },
    /// Set values by hand, as the steward declares them.
    #[command(
        after_help = "Example:\n  referee adjudicate --set /players/Lime/items/Praqueue=1 --because \"Praqueue nodded\""
    )]
    Adjudicate {
        /// A value by its place, a JSON Pointer; null takes it away.
        #[arg(long, value_name = "POINTER=VALUE")]
        set: Vec<String>,
        /// Who decided it, and where.
        #[arg(long, value_name = "TEXT")]
        because: Option<String>,
    },
    /// Take back the last entries of the log that count; their draws stay facts.
    #[command(after_help = "Examples:\n  referee undo\n  referee undo 3 --dry-run     what it would take back")]
    Undo {
        /// How many.
        #[arg(default_value_t = 1)]
        count: usize,
    },
    /// Let entries count again that were taken back last.
    #[command(after_help = "Example:\n  referee redo 3")]
    Redo {
        /// How many.
        #[arg(default_value_t = 1)]
        count: usize,
    },
    /// Give an entry of the log other selections, and play everything after it again.
    #[command(
        after_help = "Examples:\n  referee amend 42 --path 28,210 --dry-run     what everybody would have had\n  referee amend 42 --roll 3,1 --because \"the dice were typed wrongly\""
    )]
    Amend {
        /// The entry.
        id: i64,
        /// Why; a movement of a phase before the last one is amended with a ruling only.
        #[arg(long, value_name = "TEXT")]
        because: Option<String>,
    },
    /// Negate a player's move of this phase because their move of the last one was incomplete.
    #[command(
        after_help = "Examples:\n  referee negate-move Nyhilo\n  referee negate-move Nyhilo --because \"ruling 4\""
    )]
    NegateMove {
        /// The player.
        player: String,
        /// Who found the move of the last phase incomplete, if it is not in the log: the steward, or a ruling.
        #[arg(long, value_name = "TEXT")]
        because: Option<String>,
    },
    /// Reveal the secret of sealed dice, so that anyone can check every die.
    #[command(after_help = "Example:\n  referee reveal --secret ~/game.secret")]
    Reveal,
    /// Say that attempts of the log have not taken place, by consensus or a ruling; everything after them is played again.
    #[command(after_help = "Example:\n  referee void-attempts 42 43 --because \"ruling 3: second tries\"")]
    VoidAttempts {
        /// The entries.
        #[arg(required = true)]
        ids: Vec<i64>,
        /// The consensus or the ruling.
        #[arg(long, value_name = "TEXT")]
        because: Option<String>,
    },
    /// Go on with a pending action.
    #[command(
        after_help = "Examples:\n  referee resume Nyhilo -s path=28,210\n  referee resume Nyhilo chili -s path=28      the one of several whose command has that word"
    )]
    Resume {
        /// Whose action, and a word of its command where they have several; not needed if only one is pending.
        which: Vec<String>,
    },
    /// Give up a pending action; its draws stay.
    #[command(after_help = "Example:\n  referee drop Nyhilo")]
    Drop {
        /// Whose action, and a word of its command where they have several; not needed if only one is pending.
        which: Vec<String>,
    },
    /// Show a part of the game, or a rule.
    Show {
        /// What to show.
        #[command(subcommand)]
        what: Show,
    },
    /// List what a player may do, and every legal way on from the selections given.
    #[command(after_help = "Examples:\n  referee legal Lime\n  referee legal Lime move --roll 3,1")]
    Legal {
        /// The player.
        player: String,
        /// Only these actions.
        #[arg(value_name = "ACTION")]
        actions: Vec<String>,
    },
    /// Throw dice and write nothing.
    #[command(
        after_help = "Examples:\n  referee roll 2d4\n  referee roll 5d6 --target 3      how many show 3 or more (D-2)"
    )]
    Roll {
        /// The dice, such as 5d6.
        dice: String,
        /// Count the dice that show this or more.
        #[arg(long, allow_negative_numbers = true)]
        target: Option<i64>,
    },
    /// Check that the gamestate is sound; every problem at once.
    #[command(
        after_help = "Examples:\n  referee check --format json\n  referee check --fix          mend what is safe to mend"
    )]
    Check {
        /// Mend what is safe: links named twice, a pseudo-type where none belongs, a missing space 0.
        #[arg(long)]
        fix: bool,
    },
    /// Check that the log explains the file, an edit of it, or every commit of a range.
    #[command(
        after_help = "Examples:\n  referee verify\n  referee verify old.yaml gamestate.yaml        is this edit explained?\n  referee verify --git main..HEAD --report github"
    )]
    Verify {
        /// The file; or an older and a newer one. Default: the gamestate.
        #[arg(num_args = 0..=2, conflicts_with = "git")]
        versions: Vec<PathBuf>,
        /// A range of commits: the edit that each makes to the gamestate.
        #[arg(long, value_name = "BASE..HEAD", value_parser = range)]
        git: Option<String>,
        /// The archive of older entries (`tick-phase --archive`).
        #[arg(long, value_name = "FILE")]
        archive: Option<PathBuf>,
        /// How to report: as text or JSON (`--format json`), as SARIF, or as annotations of a GitHub workflow.
        #[arg(long, value_enum, default_value_t = Report::Text)]
        report: Report,
    },
    /// Join two branches that each appended actions: theirs are played on ours. A merge driver for git.
    #[command(
        after_help = "Examples:\n  referee merge base.yaml ours.yaml theirs.yaml     the outcome stands in ours.yaml\n  git config merge.referee.driver 'referee -f %P merge %O %A %B'\n  echo 'gamestate.yaml merge=referee' >> .gitattributes"
    )]
    Merge {
        /// The version from which both branches come.
        base: PathBuf,
        /// Ours, which is written.
        ours: PathBuf,
        /// Theirs.
        theirs: PathBuf,
    },
    /// Look at, test or write out the rules.
    Rules {
        /// What to do with them.
        #[command(subcommand)]
        what: Rules,
    },
    /// Move the game to another ruleset; what has no counterpart there is listed and taken out.
    #[command(after_help = "Example:\n  referee migrate cycle-15 --dry-run")]
    Migrate {
        /// A built-in ruleset, or a folder relative to the gamestate.
        ruleset: String,
    },
    /// Write a new gamestate.
    Init(Init),
    /// Print the JSON Schema of the gamestate.
    #[command(after_help = "Example:\n  referee schema > gamestate.schema.json")]
    Schema,
    /// Print completions for a shell.
    #[command(after_help = "Example:\n  referee completions bash > ~/.local/share/bash-completion/completions/referee")]
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page.
    #[command(after_help = "Examples:\n  referee man | man -l -\n  referee man --dir man1")]
    Man {
        /// As Markdown, with the help of every command.
        #[arg(long, conflicts_with = "dir")]
        markdown: bool,
        /// Write the pages of all commands into this folder.
        #[arg(long = "dir", value_name = "DIR", id = "dir")]
        folder: Option<PathBuf>,
    },
}

/// What `proposal` does.
#[derive(Debug, Subcommand)]
pub enum Proposal {
    /// Submit a proposal; with `--rules FOLDER` its rule files take effect with it.
    ///
    /// The folder is a ruleset, relative to where the command runs. It is loaded, its cases are run, the phase is played
    /// again under it, and what would come out differently is shown. If the proposal takes effect, the game is played by
    /// it from then on.
    #[command(
        after_help = "Examples:\n  referee proposal submit Lime \"More dice\" --at 2024-01-09T10:00Z\n  referee proposal submit Lime \"Mend the forge\" --class urgent\n  referee proposal submit Lime \"Five dice\" --rules rules/five-dice\n  referee proposal submit Lime \"No more dice\" --class \"repeal 203\""
    )]
    Submit {
        /// The author.
        who: String,
        /// The title.
        title: String,
        /// Urgent or standard, standard if nothing is said; where rules are numbered an enactment, `amend RULE` or `repeal RULE`.
        #[arg(long)]
        class: Option<String>,
        /// The text.
        #[arg(long)]
        text: Option<String>,
        /// Why it is no repetition of a Tune Up.
        #[arg(long, value_name = "TEXT")]
        because: Option<String>,
    },
    /// Record reactions.
    #[command(
        after_help = "Examples:\n  referee proposal vote 3 Lime for\n  referee proposal vote 3 Lime for rewrite      two reactions\n  referee proposal vote 3 Lime none             takes them back\n  referee proposal vote 3 --for Lime,Nyhilo --against Magnitech\n  referee proposal vote 3 --from reactions.csv"
    )]
    Vote {
        /// The proposal.
        number: i64,
        /// Whose reactions.
        who: Option<String>,
        /// For, against or rewrite; none takes them back.
        reactions: Vec<String>,
        /// Who is for it.
        #[arg(long = "for", value_name = "NAMES", value_delimiter = ',', id = "for")]
        pro: Vec<String>,
        /// Who is against it.
        #[arg(long, value_name = "NAMES", value_delimiter = ',')]
        against: Vec<String>,
        /// Who wants a rewrite.
        #[arg(long, value_name = "NAMES", value_delimiter = ',')]
        rewrite: Vec<String>,
        /// Who took every reaction back.
        #[arg(long, value_name = "NAMES", value_delimiter = ',')]
        none: Vec<String>,
        /// A file of reactions: CSV with a person and their reactions in a line, or YAML by person or by reaction.
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,
    },
    /// Give a Tune Up a new text, or record that the message of another proposal was edited.
    #[command(after_help = "Example:\n  referee proposal edit 3 Lime --text \"Three dice.\"")]
    Edit {
        /// The proposal.
        number: i64,
        /// Who edits it.
        who: Option<String>,
        /// The new text.
        #[arg(long)]
        text: Option<String>,
    },
    /// Record that the message was deleted.
    #[command(after_help = "Example:\n  referee proposal delete 3")]
    Delete {
        /// The proposal.
        number: i64,
    },
    /// Hold a Tune Up for one more phase.
    #[command(after_help = "Example:\n  referee proposal hold 3 Lime")]
    Hold {
        /// The proposal.
        number: i64,
        /// Its author.
        who: Option<String>,
    },
    /// Send a Tune Up to its Second Reading.
    #[command(after_help = "Example:\n  referee proposal approve 3 Lime --text \"Three dice.\"")]
    Approve {
        /// The proposal.
        number: i64,
        /// Its author.
        who: Option<String>,
        /// Its text now.
        #[arg(long)]
        text: Option<String>,
    },
    /// Say how a vote stands and what would change it.
    #[command(after_help = "Example:\n  referee proposal tally 3")]
    Tally {
        /// The proposal.
        number: i64,
    },
    /// List the proposals.
    #[command(after_help = "Example:\n  referee proposal list")]
    List,
    /// Show all that the file says of a proposal.
    #[command(after_help = "Example:\n  referee proposal show 3")]
    Show {
        /// The proposal.
        number: i64,
    },
}

/// What `judge` does.
#[derive(Debug, Subcommand)]
pub enum Judge {
    /// File a request for justice.
    #[command(after_help = "Example:\n  referee judge request Lime \"Does a Geyser count glides?\"")]
    Request {
        /// Who files it.
        who: String,
        /// The question or statement.
        text: String,
    },
    /// Answer a request as the Judge.
    #[command(
        after_help = "Example:\n  referee judge rule Lime --request 1 --text \"Always.\" --set pseudo-type-scope=always"
    )]
    Rule {
        /// The Judge.
        who: String,
        /// The request.
        #[arg(long, value_name = "N")]
        request: Option<i64>,
        /// The answer.
        #[arg(long)]
        text: Option<String>,
        /// A switch of the rulings list that it settles.
        #[arg(long, value_name = "KEY=VALUE")]
        set: Vec<String>,
    },
    /// Overturn one's own ruling.
    #[command(after_help = "Example:\n  referee judge overturn Lime 1")]
    Overturn {
        /// Who made it.
        who: String,
        /// The request that it answered.
        number: i64,
    },
    /// Open a vote of confidence on the ruling that answers a request.
    #[command(after_help = "Example:\n  referee judge poll 1 Nyhilo")]
    Poll {
        /// The request.
        number: i64,
        /// Who opens it.
        who: Option<String>,
    },
    /// Record reactions on a poll or a candidacy.
    #[command(
        after_help = "Examples:\n  referee judge vote poll-1 Nyhilo overturn\n  referee judge vote Lime Nyhilo up"
    )]
    Vote {
        /// `poll-N`, or a candidate.
        target: String,
        /// Whose reactions.
        who: String,
        /// Overturn or affirm on a poll, up or down on a candidacy; none takes them back.
        #[arg(required = true)]
        reactions: Vec<String>,
    },
    /// Become a candidate for Judge.
    #[command(after_help = "Example:\n  referee judge candidacy Lime")]
    Candidacy {
        /// The candidate.
        who: String,
    },
    /// Assent to the removal of the Judge.
    #[command(after_help = "Examples:\n  referee judge remove Nyhilo\n  referee judge remove Nyhilo --withdraw yes")]
    Remove {
        /// Who assents.
        who: String,
        /// Take the assent back instead.
        #[arg(long, value_name = "yes")]
        withdraw: Option<String>,
    },
    /// Stop being the Judge.
    #[command(after_help = "Example:\n  referee judge resign Lime")]
    Resign {
        /// The Judge.
        who: String,
    },
}

/// What `show` shows.
#[derive(Debug, Subcommand)]
pub enum Show {
    /// Players, where they stand and what they hold.
    Players,
    /// Spaces, their links, lines and loops.
    Board,
    /// Kinds of item and who holds them.
    Items,
    /// What was done.
    Log,
    /// Actions commenced and not yet performed.
    Pending,
    /// Proposals.
    Proposals,
    /// A rule in words, by name, number (G-006) or catalogue ID, with its readings and cases.
    #[command(after_help = "Examples:\n  referee show rule M-4\n  referee show rule Geyser --code")]
    Rule {
        /// A name, a number, a catalogue ID, the key of a switch, or a function.
        name: String,
        /// Also show the functions and effects that carry it out.
        #[arg(long)]
        code: bool,
    },
}

/// What `rules` does.
#[derive(Debug, Subcommand)]
pub enum Rules {
    /// List space types, categories, items and actions.
    List,
    /// Show a rule in words, with its readings and cases, or `rulings` for every switch.
    #[command(
        after_help = "Examples:\n  referee rules show R-61\n  referee rules show Geyser --code\n  referee rules show rulings"
    )]
    Show {
        /// A name, a number, a catalogue ID, the key of a switch, a function, or `rulings`.
        name: String,
        /// Also show the functions and effects that carry it out.
        #[arg(long)]
        code: bool,
    },
    /// Compile every rule and report what is wrong.
    Check,
    /// Run case files; without a path, the cases in the ruleset's own files.
    #[command(after_help = "Example:\n  referee rules test tests/cases rules")]
    Test {
        /// Files or folders.
        paths: Vec<PathBuf>,
    },
    /// Tell what is different between two rulesets, thing by thing.
    #[command(after_help = "Example:\n  referee rules diff cycle-15 rules/ours")]
    Diff {
        /// A built-in ruleset, or a folder relative to the gamestate.
        old: String,
        /// Another one.
        new: String,
    },
    /// Write the built-in ruleset out, to be changed.
    Eject {
        /// Where to; default: rules/NAME beside the gamestate.
        folder: Option<PathBuf>,
    },
}

/// A new gamestate.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  referee init --started 2024-01-05 --players Ann,Bob")]
pub struct Init {
    /// The ruleset: a built-in one, or a folder relative to the file.
    #[arg(long, default_value = "cycle-15")]
    pub ruleset: String,
    /// The round's start, UTC; default: now.
    #[arg(long, value_parser = time)]
    pub started: Option<Timestamp>,
    /// Seal the dice: a new secret is written to this file, outside the game's repository, and its hash to the gamestate.
    #[arg(long, value_name = "SECRET-FILE")]
    pub sealed: Option<PathBuf>,
    /// The players, with commas between them.
    #[arg(long, value_delimiter = ',')]
    pub players: Vec<String>,
}

fn range(written: &str) -> Result<String, String> {
    let begins = written.split_once("..").is_some_and(|(base, _)| !base.is_empty());
    if begins { Ok(written.to_owned()) } else { Err("a range of commits is written main..HEAD".into()) }
}

fn key_value(written: &str) -> Result<String, String> {
    match written.split_once('=') {
        Some((key, _)) if !key.trim().is_empty() => Ok(written.to_owned()),
        _ => Err("a selection is written KEY=VALUE".into()),
    }
}

/// Reads a time: with any offset, without one as UTC, or a day alone.
fn time(written: &str) -> Result<Timestamp, String> {
    if let Ok(time) = written.parse::<Timestamp>() {
        return Ok(time);
    }
    let civil = written.parse::<jiff::civil::DateTime>();
    let civil = civil.or_else(|_| written.parse::<jiff::civil::Date>().map(|day| day.at(0, 0, 0, 0)));
    let zoned = civil.ok().and_then(|civil| civil.to_zoned(jiff::tz::TimeZone::UTC).ok());
    zoned.map(|zoned| zoned.timestamp()).ok_or_else(|| "a time is written 2024-02-02T18:22Z, or 2024-02-02".into())
}
