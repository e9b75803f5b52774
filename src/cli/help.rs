//! Completions, the manual page, and the help of every command as Markdown.

use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use super::args::Cli;
use super::{ExitCode, Outcome};
use crate::diagnostic::Problem;
use crate::files;

/// Completions for a shell.
pub(super) fn completions(shell: Shell) -> Outcome {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "referee", &mut out);
    Outcome::done(String::from_utf8_lossy(&out).into_owned())
}

/// The manual page.
pub(super) fn man() -> Outcome {
    let mut out = Vec::new();
    let written = clap_mangen::Man::new(Cli::command()).render(&mut out);
    debug_assert!(written.is_ok(), "a Vec takes everything");
    Outcome::done(String::from_utf8_lossy(&out).into_owned())
}

/// A manual page for every command, in files.
pub(super) fn man_pages(folder: &Path) -> Result<Outcome, Vec<Problem>> {
    let mut command = Cli::command();
    command.build();
    let mut out = String::new();
    let mut open = vec![command];
    while let Some(command) = open.pop() {
        open.extend(command.get_subcommands().filter(|inner| inner.get_name() != "help").cloned());
        let page = clap_mangen::Man::new(command);
        let mut text = Vec::new();
        let written = page.render(&mut text);
        debug_assert!(written.is_ok(), "a Vec takes everything");
        let path = folder.join(page.get_filename());
        files::create(&path, &String::from_utf8_lossy(&text)).map_err(|problem| vec![problem])?;
        out.push_str(&format!("{}\n", path.display()));
    }
    Ok(Outcome::done(out))
}

/// The help of every command, and the exit codes; `docs/commands.md` is a copy of it.
pub fn markdown() -> String {
    let mut page = String::from("# Commands\n\nThis page is a copy of `referee --help` and of each command's help.\n");
    // A fixed width, so that the page does not hang on whose terminal made it.
    let mut command = Cli::command().term_width(100);
    command.build();
    section(&mut page, &mut command, "referee");
    page.push_str(&format!("\n## Exit codes\n\n{}", ExitCode::table()));
    page
}

fn section(page: &mut String, command: &mut clap::Command, name: &str) {
    // The options of every command stand once, under the first heading.
    let mut shown = command.clone();
    if name != "referee" {
        shown = shown.mut_args(|arg| if arg.is_global_set() { arg.hide(true) } else { arg });
    }
    let help = shown.render_long_help().to_string();
    let help = help.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    page.push_str(&format!("\n## `{name}`\n\n```text\n{}\n```\n", help.trim_end()));
    let inner: Vec<String> =
        command.get_subcommands().map(|inner| inner.get_name().to_owned()).filter(|name| name != "help").collect();
    for word in inner {
        if let Some(inner) = command.find_subcommand_mut(&word) {
            section(page, inner, &format!("{name} {word}"));
        }
    }
}
