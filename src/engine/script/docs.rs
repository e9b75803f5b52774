//! Describes the vocabulary: `docs/vocabulary.md` is made of it.

use starlark::docs::{DocFunction, DocMember, DocType};

use super::handles::{Player, Roll, Space};
use super::vocabulary::own_words;

/// Writes the vocabulary as Markdown, from the same lists that scripts use.
pub fn vocabulary() -> String {
    let own = own_words().documentation();
    let functions = own
        .members
        .into_iter()
        .filter_map(|(name, item)| Some((name, item.try_as_member_with_collapsed_object().ok()?)));
    let mut page = section("Functions", "", functions);
    for (title, before, described) in [
        ("A player", "player.", DocType::from_starlark_value::<Player>()),
        ("A space", "space.", DocType::from_starlark_value::<Space>()),
        ("A roll", "roll.", DocType::from_starlark_value::<Roll>()),
    ] {
        page.push_str(&section(title, before, described.members.into_iter()));
    }
    page
}

fn section(title: &str, before: &str, members: impl Iterator<Item = (String, DocMember)>) -> String {
    let mut members: Vec<_> = members.filter(|(name, _)| !name.starts_with('_')).collect();
    members.sort_by(|a, b| a.0.cmp(&b.0));
    let mut page = format!("## {title}\n\n| | |\n|---|---|\n");
    for (name, member) in members {
        let (shape, docs) = match member {
            DocMember::Property(property) => (format!("{} → {}", name, property.typ), property.docs),
            DocMember::Function(function) => {
                let code = DocFunction { docs: None, ..function.clone() }.render_as_code(&name);
                let code =
                    code.trim_start_matches("def ").split(":\n").next().unwrap_or_default().replace(" -> ", " → ");
                let code = code.lines().map(str::trim).collect::<Vec<_>>().join(" ");
                (code.replace("( ", "(").replace(", )", ")").replace(",)", ")"), function.docs)
            }
        };
        let text = docs.map_or_else(String::new, |docs| {
            let details = docs.details.map_or_else(String::new, |details| format!(" {details}"));
            format!("{}{details}", docs.summary).split_whitespace().collect::<Vec<_>>().join(" ")
        });
        page.push_str(&format!("| `{before}{}` | {} |\n", shape.replace('|', "or"), text.replace('|', "or")));
    }
    page.push('\n');
    page
}
