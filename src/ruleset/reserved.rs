//! The names that the program keeps for itself. A ruleset cannot declare them: an action or option of such a name could
//! not be told from the program's own.

/// The commands of the program, each in one word or two.
pub const COMMANDS: [&str; 23] = [
    "adjudicate",
    "amend",
    "check",
    "completions",
    "drop",
    "help",
    "init",
    "legal",
    "man",
    "merge",
    "migrate",
    "proposal list",
    "proposal show",
    "redo",
    "resume",
    "reveal",
    "roll",
    "rules",
    "schema",
    "show",
    "undo",
    "verify",
    "void-attempts",
];

/// The options of every command and of play, each with whether a value follows it.
pub const OPTIONS: [(&str, bool); 21] = [
    ("archive", true),
    ("at", true),
    ("color", true),
    ("decline", false),
    ("dry-run", false),
    ("file", true),
    ("format", true),
    ("help", false),
    ("item", true),
    ("link", true),
    ("no-input", false),
    ("path", true),
    ("player", true),
    ("quiet", false),
    ("roll", true),
    ("rules", true),
    ("secret", true),
    ("seed", true),
    ("select", true),
    ("space", true),
    ("version", false),
];
