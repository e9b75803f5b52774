//! Tables, for a terminal or as Markdown.

#[cfg(feature = "cli")]
use comfy_table::{ContentArrangement, Table, presets};

use crate::data::shown;

/// The format of tables.
#[cfg(feature = "cli")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// Drawn with lines, at most this many columns wide.
    Drawn(u16),
    /// Markdown.
    Markdown,
}

/// A table of texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    title: &'static str,
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Grid {
    /// Makes an empty table.
    pub fn new(title: &'static str, head: &[&str]) -> Self {
        Self { title, head: head.iter().map(ToString::to_string).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Tells whether the table is empty.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the rows as objects, with the cells under the column names.
    pub fn json(&self) -> serde_json::Value {
        let row = |cells: &Vec<String>| {
            let cell = |(head, cell): (&String, &String)| (head.replace(' ', "-"), cell.as_str().into());
            serde_json::Value::Object(self.head.iter().zip(cells).map(cell).collect())
        };
        self.rows.iter().map(row).collect()
    }

    /// Returns the title.
    pub fn title(&self) -> &'static str {
        self.title
    }

    /// Returns the table as text, with its title above it.
    #[cfg(feature = "cli")]
    pub fn render(&self, look: Look) -> String {
        let mut table = Table::new();
        let title = match look {
            Look::Drawn(width) => {
                table.load_preset(presets::UTF8_BORDERS_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
                table.set_width(width);
                self.title.to_owned()
            }
            Look::Markdown => {
                table.load_preset(presets::ASCII_MARKDOWN);
                format!("**{}**\n", self.title)
            }
        };
        table.set_header(&self.head);
        for row in &self.rows {
            let cells = row.iter().map(|cell| match look {
                Look::Drawn(_) => shown(cell).into_owned(),
                Look::Markdown => inert(&shown(cell)),
            });
            table.add_row(cells);
        }
        let body = table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n");
        format!("{title}\n{body}\n")
    }
}

/// Returns a text as Markdown that says it letter by letter: no markup, no link, no mention.
///
/// A comment without words after `@` keeps the name behind it from being a mention, and leaves no character in what is
/// copied from the page.
fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\\' | '|' | '`' | '*' | '_' | '~' | '[' | ']' | '$' => out.extend(['\\', c]),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '@' => out.push_str("@<!-- -->"),
            '#' => out.push_str("#<!-- -->"),
            '\n' => out.push_str("<br>"),
            c => out.push(c),
        }
    }
    out.replace("://", ":<!-- -->//").replace("www.", "www<!-- -->.")
}

#[cfg(test)]
#[cfg(feature = "cli")]
mod tests {
    use super::*;

    #[test]
    fn markdown_keeps_bars_within_their_cells() {
        let mut grid = Grid::new("T", &["a", "b"]);
        grid.row(["x|y".to_owned(), "z\nz".to_owned()]);
        assert_eq!(grid.render(Look::Markdown), "**T**\n\n| a    | b      |\n|------|--------|\n| x\\|y | z<br>z |\n");
    }
}
