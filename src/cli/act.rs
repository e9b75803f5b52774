//! Actions that the ruleset declares, from what was parsed to the outcome.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, FromArgMatches};

use super::actions;
use super::gate::submission;
use super::outcome::{Outcome, Problems};
use super::play_args::PlayArgs;
use super::reactions::people_in;
use super::session::Context;
use super::turn::act_until;
use crate::ruleset::{ActionRule, time};

/// Carries out an action with what was parsed for it.
pub(super) fn run(context: &Context, rule: &ActionRule, matches: &ArgMatches) -> Result<Outcome, Problems> {
    let mut play = PlayArgs::from_arg_matches(matches).expect("every action has the options of play");
    let mut preview = String::new();
    let words = actions::words(rule, matches, &|file| people_in(rule, Path::new(file)).map_err(Err), &mut |folder| {
        let submission = submission(context, Path::new(folder))?;
        preview.push_str(&submission.preview);
        Ok(submission.pin)
    });
    let words = match words {
        Ok(words) => words,
        Err(ended) => return ended,
    };
    let until = rule.until.as_deref().and_then(|option| actions::option(matches, option));
    play.post.at = play.post.at.or_else(|| until.and_then(time));
    let archive = actions::archive(rule, matches);
    let mut outcome = act_until(context, &play, words, until.is_some(), archive.map(PathBuf::as_path))?;
    outcome.out.insert_str(0, &preview);
    Ok(outcome)
}
