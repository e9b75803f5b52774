//! `referee`: the command line of the library.

use std::panic;
use std::process::exit;

use nomic_referee::cli::{self, ExitCode};

fn main() {
    // What cannot happen has happened: say so in a line, and leave the file as it is.
    panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |place| format!(" at {}:{}", place.file(), place.line()));
        #[expect(clippy::print_stderr, reason = "the last word of a program that cannot go on")]
        {
            eprintln!(
                "a bug in the referee{place}: {}\nplease report it with the command",
                info.payload_as_str().unwrap_or("")
            );
        }
    }));
    let code = panic::catch_unwind(|| cli::main(std::env::args_os()));
    exit(code.unwrap_or(ExitCode::Bug as i32));
}
