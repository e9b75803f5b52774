//! Exit codes, each with its sentence: the one table that the help, the docs and the tests read.

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitCode {
    /// 0
    Done = 0,
    /// 1
    Found = 1,
    /// 2
    Usage = 2,
    /// 3
    Refused = 3,
    /// 4
    Open = 4,
    /// 5
    NeedsRuling = 5,
    /// 6
    File = 6,
    /// 70
    Bug = 70,
}

impl ExitCode {
    /// All of them, in order.
    pub const ALL: [Self; 8] =
        [Self::Done, Self::Found, Self::Usage, Self::Refused, Self::Open, Self::NeedsRuling, Self::File, Self::Bug];

    /// Returns what the code means.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Done => "done, or no problems found",
            Self::Found => "`check`, `verify` or `rules test` found something wrong",
            Self::Usage => "the command line itself is wrong",
            Self::Refused => "refused: the rules do not allow it",
            Self::Open => "a selection is missing",
            Self::NeedsRuling => "needs a ruling",
            Self::File => "a file cannot be read, parsed or written, or changed meanwhile",
            Self::Bug => "an internal error",
        }
    }

    /// Formats the codes as a table in Markdown.
    pub fn table() -> String {
        let row = |code: &Self| format!("| {} | {} |\n", *code as i32, code.sentence());
        format!("| code | meaning |\n|---|---|\n{}", Self::ALL.iter().map(row).collect::<String>())
    }
}
