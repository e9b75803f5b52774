//! Options that every command has.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Options that every command has.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Options of every command")]
pub(super) struct Global {
    /// The gamestate
    #[arg(short, long, global = true, default_value = "gamestate.yaml", value_name = "FILE")]
    pub file: PathBuf,
    /// Use this ruleset folder instead of the one named in the file
    #[arg(long, global = true, value_name = "DIR")]
    pub rules: Option<PathBuf>,
    /// Output format
    #[arg(long, global = true, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// Never ask at the terminal
    #[arg(long, global = true)]
    pub no_input: bool,
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
    /// Print only errors and open questions
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// Output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Tables for a terminal
    Table,
    /// Tables for a wiki or chat
    Markdown,
    /// One object for programs
    Json,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Global {
    /// Returns whether messages are coloured.
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
