//! `referee`: the command line of the library.

use std::alloc::System;
use std::panic;
use std::process::exit;

use nomic_referee::cli::{self, ExitCode};
use nomic_referee::engine::rule_count;

/// Counts the bytes that the program holds; what a rule may hold of them is limited while it is at work.
#[global_allocator]
static MEMORY: cap::Cap<System> = cap::Cap::new(System, usize::MAX);

fn main() {
    cli::set_meter(|| MEMORY.allocated());
    // An internal error: report it in a line, and leave the file as it is.
    panic::set_hook(Box::new(|info| {
        if rule_count() % 2 == 1 {
            // A rule was at work; the thread that looks on reports it.
            return;
        }
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
