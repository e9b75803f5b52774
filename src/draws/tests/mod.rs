//! Tests of the draws that need public rounds, brute force or statistics.

mod chain;
mod derive;
mod post;
mod rounds;
mod thrower;
