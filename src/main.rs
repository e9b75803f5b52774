//! `referee`: the command line of the library.

use std::panic;
use std::process::exit;

use nomic_referee::cli::{self, ExitCode};

fn main() {
    // An internal error: report it in a line, and leave the file as it is.
    panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |place| format!(" at {}:{}", place.file(), place.line()));
        #[expect(clippy::print_stderr, reason = "the last words of a program that cannot continue")]
        {
            eprintln!(
                "internal error{place}: {}\nPlease report this with the command you ran.",
                info.payload_as_str().unwrap_or("")
            );
        }
    }));
    let code = panic::catch_unwind(|| cli::main(std::env::args_os()));
    exit(code.unwrap_or(ExitCode::Bug as i32));
}
