//! `man`: the manual pages, and the help of every command as Markdown.

use std::path::{Path, PathBuf};

use clap::{Arg, Args};

use super::run::Run;
use crate::cli::dice_args::HEADING as PLAY_HEADING;
use crate::cli::exit_code::ExitCode;
use crate::cli::outcome::{Outcome, Problems};
use crate::cli::play_args::PlayArgs;
use crate::cli::session::Context;
use crate::files;

/// Print the manual page
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  referee man | man -l -\n  referee man --dir man1")]
pub(super) struct Man {
    /// Print Markdown, with the help of every command
    #[arg(long, conflicts_with = "dir")]
    markdown: bool,
    /// Write the pages of all commands into this folder
    #[arg(long = "dir", value_name = "DIR", id = "dir")]
    folder: Option<PathBuf>,
}

impl Run for Man {
    fn run(self, context: &Context) -> Result<Outcome, Problems> {
        let whole = context.whole_parser();
        if self.markdown {
            return Ok(Outcome::done(page(whole)));
        }
        match &self.folder {
            Some(folder) => pages(whole, folder),
            None => Ok(Outcome::done(rendered(&clap_mangen::Man::new(whole)))),
        }
    }
}

fn rendered(page: &clap_mangen::Man) -> String {
    let mut out = Vec::new();
    let written = page.render(&mut out);
    debug_assert!(written.is_ok(), "a Vec takes everything");
    String::from_utf8_lossy(&out).into_owned()
}

/// Writes a manual page for every command.
fn pages(mut command: clap::Command, folder: &Path) -> Result<Outcome, Problems> {
    command.build();
    let mut out = String::new();
    let mut open = vec![command];
    while let Some(command) = open.pop() {
        open.extend(command.get_subcommands().filter(|inner| inner.get_name() != "help").cloned());
        let page = clap_mangen::Man::new(command);
        let path = folder.join(page.get_filename());
        files::create(&path, &rendered(&page)).map_err(|problem| vec![problem])?;
        out.push_str(&format!("{}\n", path.display()));
    }
    Ok(Outcome::done(out))
}

/// Formats the help of every command and the exit codes as a page.
pub(in crate::cli) fn page(whole: clap::Command) -> String {
    let mut page = String::from("# Commands\n\nThis page is a copy of `referee --help` and of each command's help.\n");
    // A fixed width, so that the page does not depend on a terminal.
    let mut command = whole.term_width(100);
    command.build();
    section(&mut page, &mut command, "referee");
    let mut play = PlayArgs::augment_args(clap::Command::new("play")).disable_help_flag(true).term_width(100);
    let options = plain(&play.render_long_help().to_string());
    let options = options.split_once(":\n").map_or("", |(_, options)| options.trim_start_matches('\n'));
    let options = options.split_once("Options of play:\n").map_or(options, |(_, options)| options);
    page.push_str(&format!(
        "\n## Options of play\n\nCommands that change the game or preview it have some or all of these; those of each \
         command are in its help.\n\n```text\n{options}\n```\n"
    ));
    page.push_str(&format!("\n## Exit codes\n\n{}", ExitCode::table()));
    page
}

/// Returns a text without blanks at the ends of its lines.
fn plain(help: &str) -> String {
    help.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

fn section(page: &mut String, command: &mut clap::Command, name: &str) {
    // The options of every command are listed once, under the first heading.
    let mut shown = command.clone();
    if name != "referee" {
        let listed_once = |arg: &Arg| arg.is_global_set() || arg.get_help_heading() == Some(PLAY_HEADING);
        shown = shown.mut_args(|arg| if listed_once(&arg) { arg.hide(true) } else { arg });
    }
    let help = plain(&shown.render_long_help().to_string());
    page.push_str(&format!("\n## `{name}`\n\n```text\n{help}\n```\n"));
    let inner: Vec<String> =
        command.get_subcommands().map(|inner| inner.get_name().to_owned()).filter(|name| name != "help").collect();
    for word in inner {
        if let Some(inner) = command.find_subcommand_mut(&word) {
            section(page, inner, &format!("{name} {word}"));
        }
    }
}
