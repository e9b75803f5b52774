//! The program's own commands, one file each: the arguments, whose doc comments are the help, and what it does.

mod adjudicate;
mod amend;
mod beacon;
mod check;
mod completions;
mod drop;
mod init;
mod legal;
mod man;
mod merge;
mod migrate;
mod proposal;
mod redo;
mod resume;
mod reveal;
mod roll;
mod rules;
mod run;
mod schema;
mod show;
mod undo;
mod verify;
mod void_attempts;

pub(super) use man::page;
pub(super) use run::Own;

/// The program's own commands, in the order in which help lists them.
pub(super) static OWN: [Own; 23] = [
    Own::new::<resume::Resume>("resume"),
    Own::new::<drop::Drop>("drop"),
    Own::new::<proposal::List>("proposal list"),
    Own::new::<proposal::Show>("proposal show"),
    Own::new::<legal::Legal>("legal"),
    Own::new::<show::Show>("show"),
    Own::new::<roll::Roll>("roll"),
    Own::new::<undo::Undo>("undo"),
    Own::new::<redo::Redo>("redo"),
    Own::new::<amend::Amend>("amend"),
    Own::new::<void_attempts::VoidAttempts>("void-attempts"),
    Own::new::<adjudicate::Adjudicate>("adjudicate"),
    Own::new::<reveal::Reveal>("reveal"),
    Own::new::<beacon::Beacon>("beacon"),
    Own::new::<check::Check>("check"),
    Own::new::<verify::Verify>("verify"),
    Own::new::<merge::Merge>("merge"),
    Own::new::<rules::Rules>("rules"),
    Own::new::<migrate::Migrate>("migrate"),
    Own::new::<init::Init>("init"),
    Own::new::<schema::Schema>("schema"),
    Own::new::<completions::Completions>("completions"),
    Own::new::<man::Man>("man"),
];

#[cfg(test)]
mod tests {
    use clap::{Args, Command};

    use super::*;
    use crate::ruleset::reserved;

    #[test]
    fn every_command_and_option_of_the_program_is_reserved() {
        let mut names: Vec<&str> = OWN.iter().map(|own| own.name).chain(["help"]).collect();
        names.sort_unstable();
        assert_eq!(names, reserved::COMMANDS);
        // Help and the version come from the argument parser, the archive with actions that end a phase.
        let mut options: Vec<(String, bool)> =
            vec![("help".into(), false), ("version".into(), false), ("archive".into(), true)];
        let play = crate::cli::play_args::PlayArgs::augment_args(Command::new("play"));
        let all = [crate::cli::global::Global::augment_args(Command::new("all")), play];
        for arg in all.iter().flat_map(Command::get_arguments) {
            options.extend(arg.get_long().map(|long| (long.to_owned(), arg.get_action().takes_values())));
        }
        options.sort();
        let reserved: Vec<(String, bool)> =
            reserved::OPTIONS.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        assert_eq!(options, reserved);
    }
}
