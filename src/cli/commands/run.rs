//! What a command of the program's own is: arguments that can be carried out.

use clap::{ArgMatches, Args, Command};

use crate::cli::outcome::{Outcome, Problems};
use crate::cli::session::Context;

/// A command of the program's own, as its arguments.
pub(in crate::cli) trait Run: Args {
    /// Carries it out.
    fn run(self, context: &Context) -> Result<Outcome, Problems>;
}

/// A command of the program's own, by name.
pub(in crate::cli) struct Own {
    /// One word, or two for a command of a group.
    pub name: &'static str,
    build: fn(Command) -> Command,
    run: fn(&Context, &ArgMatches) -> Result<Outcome, Problems>,
}

impl Own {
    pub const fn new<A: Run>(name: &'static str) -> Self {
        Self { name, build: A::augment_args, run: run::<A> }
    }

    /// Builds the command for the argument parser.
    pub fn command(&self) -> Command {
        let name = self.name.rsplit(' ').next().unwrap_or(self.name);
        (self.build)(Command::new(name))
    }

    /// Carries the command out.
    pub fn run(&self, context: &Context, matches: &ArgMatches) -> Result<Outcome, Problems> {
        (self.run)(context, matches)
    }
}

fn run<A: Run>(context: &Context, matches: &ArgMatches) -> Result<Outcome, Problems> {
    let args = A::from_arg_matches(matches).expect("the argument parser has accepted them for this command");
    args.run(context)
}
