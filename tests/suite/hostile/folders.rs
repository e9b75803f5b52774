//! Folders of rules that lead elsewhere, loop, or are not files.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use super::{GAME, said, with_trap, write};
use crate::errors::folder;

const SECRET: &str = "the-secret-of-another-folder";

/// Expects that a game refuses to be read, with the words and without the secret.
fn refuses(folder: &Path, words: &[&str]) {
    let (code, said) = said(folder, "check");
    assert_eq!(code, 6, "{said}");
    let flat = said.split(|c: char| c.is_whitespace() || c == '│').filter(|word| !word.is_empty());
    let flat = flat.collect::<Vec<_>>().join(" ");
    for word in words {
        assert!(flat.contains(word), "{word}: {said}");
    }
    assert!(!said.contains(SECRET), "{said}");
}

#[test]
fn a_loop_of_links_is_refused_by_name() {
    let game = with_trap("  pass");
    symlink("..", game.path().join("rules/ours/spaces/again")).expect("a link");
    refuses(game.path(), &["rules/ours/spaces/again", "is a link to a folder that is read already"]);
    let game = with_trap("  pass");
    symlink("b.yaml", game.path().join("rules/ours/a.yaml")).expect("a link");
    symlink("a.yaml", game.path().join("rules/ours/b.yaml")).expect("a link");
    refuses(game.path(), &["rules/ours/", "cannot be read"]);
}

#[test]
fn what_is_no_regular_file_is_refused_by_name() {
    let game = with_trap("  pass");
    let pipe = game.path().join("rules/ours/pipe.star");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    refuses(game.path(), &["rules/ours/pipe.star is not a regular file"]);
    let game = with_trap("  pass");
    let _listens = std::os::unix::net::UnixListener::bind(game.path().join("rules/ours/talk.yaml")).expect("a socket");
    refuses(game.path(), &["rules/ours/talk.yaml is not a regular file"]);
    let game = with_trap("  pass");
    symlink("/dev/zero", game.path().join("rules/ours/zero.yaml")).expect("a link");
    refuses(game.path(), &["rules/ours/zero.yaml leads out of the game's repository"]);
}

#[test]
fn a_link_out_of_the_repository_is_refused_and_nothing_of_it_is_shown() {
    let other = tempfile::tempdir().expect("a folder");
    write(&other.path().join("private.yaml"), &format!("{SECRET}: [\n"));
    let game = with_trap("  pass");
    symlink(other.path().join("private.yaml"), game.path().join("rules/ours/spaces/private.yaml")).expect("a link");
    refuses(game.path(), &["rules/ours/spaces/private.yaml leads out of the game's repository"]);
    let game = with_trap("  pass");
    symlink(other.path(), game.path().join("rules/ours/more")).expect("a link");
    refuses(game.path(), &["rules/ours/more leads out of the game's repository"]);
}

#[test]
fn a_base_must_be_beside_and_not_the_ruleset_itself() {
    for (base, words) in [
        (".", "builds on `.`, which is not a folder beside it"),
        ("/etc", "builds on `/etc`, which is not a folder beside it"),
        ("../ours", "builds on folders without an end"),
        ("../../../..", "leads out of the game's repository"),
    ] {
        let game = with_trap("  pass");
        write(&game.path().join("rules/ours/ruleset.yaml"), &format!("base: {base}\nname: ours\n"));
        refuses(game.path(), &[words]);
    }
}

#[test]
fn a_ruleset_outside_is_refused_and_a_repository_widens_what_is_inside() {
    for (named, words) in
        [("/", "is not a path of the game's repository"), ("../..", "leads out of the game's repository")]
    {
        refuses(folder(GAME.replace("rules/ours", named)).path(), &[words]);
    }
    let outer = with_trap("  pass");
    let inner = outer.path().join("games/one");
    std::fs::create_dir_all(&inner).expect("a folder");
    write(&inner.join("gamestate.yaml"), &GAME.replace("rules/ours", "../../rules/ours"));
    refuses(&inner, &["leads out of the game's repository"]);
    std::fs::create_dir(outer.path().join(".git")).expect("a folder");
    let (code, said) = said(&inner, "check");
    assert_eq!(code, 0, "{said}");
}

#[test]
fn more_than_any_ruleset_needs_is_refused() {
    let game = with_trap("  pass");
    write(&game.path().join("rules/ours/long.star"), &"# a line of a long file\n".repeat(200_000));
    refuses(game.path(), &["rules/ours/long.star is larger than 4 MiB"]);
    let game = with_trap("  pass");
    let deep = (0..20).fold(game.path().join("rules/ours"), |path, _| path.join("a"));
    std::fs::create_dir_all(deep).expect("a folder");
    refuses(game.path(), &["has more than 16 folders within each other"]);
    let game = folder(GAME.replace("rules/ours", "."));
    refuses(game.path(), &["has no ruleset.yaml"]);
}
