//! The vocabulary of rules: what a script can ask, read, change and say. `docs/vocabulary.md` is made of it.

mod actions;
mod ask;
mod board;
mod dice;
mod flow;
mod items;
mod law;
mod operators;
mod players;
mod time;

use std::sync::OnceLock;

use starlark::environment::{Globals, GlobalsBuilder};

/// Returns the names that rules can use.
pub(in crate::engine) fn globals() -> &'static Globals {
    static GLOBALS: OnceLock<Globals> = OnceLock::new();
    GLOBALS.get_or_init(|| with_words(GlobalsBuilder::standard()).build())
}

/// Returns those of them that are not the script language's own.
pub(in crate::engine) fn own_words() -> Globals {
    with_words(GlobalsBuilder::new()).build()
}

fn with_words(builder: GlobalsBuilder) -> GlobalsBuilder {
    builder
        .with(actions::actions)
        .with(ask::ask)
        .with(board::board)
        .with(dice::dice)
        .with(flow::flow)
        .with(items::items)
        .with(law::law)
        .with(operators::operators)
        .with(players::players)
        .with(time::time)
}
