//! One rule for people: its sentence first, then the readings and cases that cite it, and its code on request.

use serde_json::{Value as Json, json};

use super::rules::amendments;
use crate::data::Value;
use crate::diagnostic::Source;
use crate::game::Game;
use crate::ruleset::{LawText, Ruleset, Switch, find_item, same_id};
use crate::yaml::Document;

/// Columns of a line of text.
const WIDTH: usize = 100;

/// What a ruleset has under a name, a number or a catalogue ID.
#[derive(Debug, Default)]
pub struct Rule {
    /// The title, or the name of an item, a space type, a switch or a function, with the IDs it cites.
    heading: String,
    file: String,
    /// What it says, for players, and the ID under which it says so.
    law: Option<LawText>,
    /// What the rules do not say and play has: amended values, or that an added row has no effect.
    notes: Vec<String>,
    /// What a use asks for, at once and later.
    asks: Vec<(&'static str, Vec<String>)>,
    switches: Vec<SwitchInForce>,
    /// The file and the name of each case that cites it.
    cases: Vec<(String, String)>,
    /// The file, the name and the text of each function or effect.
    code: Vec<(String, String, String)>,
}

/// A switch with the value that a game has set.
#[derive(Debug)]
struct SwitchInForce {
    switch: Switch,
    value: String,
    set: bool,
}

/// Finds the rules that a name, a number, a catalogue ID, the key of a switch or the name of a function means. Of a name
/// there is mostly one.
pub fn rule(ruleset: &Ruleset, game: Option<&Game>, wanted: &str) -> Vec<Rule> {
    let finder = Finder { ruleset, game };
    if let Some(law) = ruleset.law_text(wanted).filter(|law| ruleset.law_ids().any(|id| id == law.id)) {
        return vec![finder.by_id(&law.id.clone(), Some(law))];
    }
    let files = finder.by_file(wanted, None);
    if !files.is_empty() {
        return files;
    }
    if let Some(switch) = ruleset.switch(wanted) {
        return vec![finder.by_id(&switch.ruling, ruleset.law_text(&switch.ruling))];
    }
    if let Some(function) = finder.function(wanted) {
        return vec![function];
    }
    // A number, or the beginning of a name, can mean an item.
    if let Some(item) = game.and_then(|game| find_item(ruleset, game, wanted).ok()) {
        let files = finder.by_file(wanted, Some(ruleset.plain(&item)));
        return if files.is_empty() { finder.added_row(&item).into_iter().collect() } else { files };
    }
    let unsaid = format!("{} has no sentence for it", ruleset.name);
    let cited = Some(finder.by_id(wanted, None)).filter(|rule| !rule.is_empty());
    cited.map(|rule| Rule { notes: [vec![unsaid], rule.notes].concat(), ..rule }).into_iter().collect()
}

struct Finder<'a> {
    ruleset: &'a Ruleset,
    game: Option<&'a Game>,
}

impl Finder<'_> {
    /// Collects what cites an ID.
    fn by_id(&self, id: &str, law: Option<LawText>) -> Rule {
        let title = law.as_ref().map_or("", |law| &law.title);
        let (heading, file) =
            (format!("{id}  {title}").trim_end().to_owned(), law.as_ref().map_or(String::new(), file));
        let mut code = Vec::new();
        for (source, top) in self.ruleset.rule_files() {
            if cites(&top).iter().any(|own| same_id(own, id)) {
                code.extend(self.effects(source, &top));
            }
        }
        code.extend(self.functions(id));
        let switches = self.switches(|switch| same_id(&switch.ruling, id) || switch.cites.iter().any(|own| own == id));
        Rule { heading, file, law, notes: self.amended(id), switches, cases: self.cases(id), code, ..Rule::default() }
    }

    /// Collects the space types and items of this name or ID, or else the item that it means.
    fn by_file(&self, wanted: &str, item: Option<&str>) -> Vec<Rule> {
        let by_id = self.ruleset.law_text(wanted).map(|law| law.place.source);
        let mut found = Vec::new();
        for (source, top) in self.ruleset.rule_files() {
            let name = top.get("name").map_or_else(String::new, ToString::to_string);
            let cites = cites(&top);
            let meant = by_id.as_ref() == Some(source)
                || name.eq_ignore_ascii_case(wanted)
                || item == Some(&*name)
                || cites.iter().any(|own| own.eq_ignore_ascii_case(wanted));
            if !meant || (by_id.is_some() && by_id.as_ref() != Some(source)) {
                continue;
            }
            let id = cites.first().map_or("", String::as_str);
            let wanted_id = cites.iter().find(|own| same_id(own, wanted)).map_or(id, String::as_str);
            let concerned = |switch: &Switch| {
                cites.contains(&switch.ruling) || switch.cites.iter().any(|own| own == id || own == wanted_id)
            };
            found.push(Rule {
                heading: format!("{name}  [{}]", cites.join(", ")),
                file: source.name.clone(),
                law: LawText::told_by(source, &top, wanted_id),
                notes: self.amended(id),
                asks: self.asks(&top),
                switches: self.switches(concerned),
                cases: self.cases(wanted_id),
                code: self.effects(source, &top).into_iter().chain(self.functions(id)).collect(),
            });
        }
        found
    }

    /// Describes a row that play has added (G-030).
    fn added_row(&self, kind: &str) -> Option<Rule> {
        let row = self.ruleset.added_row(self.game?, self.ruleset.plain(kind))?;
        let part = |key: &str| row.get(key).map_or_else(String::new, ToString::to_string);
        let nothing = "no effect is written for it: a use does nothing, unless the steward adjudicates (GB-3)";
        let heading = format!("{}  [row {}, added in play]", part("name"), part("id"));
        Some(Rule { heading, notes: vec![part("text"), nothing.to_owned()], ..Rule::default() })
    }

    /// Describes a function by what it says of itself and by the rules it names.
    fn function(&self, wanted: &str) -> Option<Rule> {
        let (name, source, code) = self.ruleset.definitions().find(|(name, _, _)| *name == wanted)?;
        let says = code.split("\"\"\"").nth(1).filter(|_| code.starts_with("def ")).unwrap_or_default();
        let mut notes: Vec<String> = Some(says.split_whitespace().collect::<Vec<_>>().join(" ")).into_iter().collect();
        notes.retain(|note| !note.is_empty());
        for id in named_ids(code) {
            notes.extend(self.ruleset.law_text(&id).map(|law| format!("{id}: {}", law.title)));
        }
        let code = vec![(source.name.clone(), name.to_owned(), code.trim_end().to_owned())];
        Some(Rule { heading: name.to_owned(), file: source.name.clone(), notes, code, ..Rule::default() })
    }

    /// Lists what a use of an item or a landing asks for.
    fn asks(&self, top: &Value) -> Vec<(&'static str, Vec<String>)> {
        let how = |key: &str| self.ruleset.declared.selections.iter().find(|(own, _)| own == key).map(|(_, how)| how);
        let each = |key: &Value| {
            let key = key.to_string();
            how(&key).map_or_else(|| key.clone(), |how| format!("{key} ({how})"))
        };
        [("asks", "it can ask for"), ("asks-later", "later it can ask for")]
            .into_iter()
            .filter_map(|(key, when)| Some((when, top.get(key)?.items().iter().map(each).collect())))
            .collect()
    }

    /// Lists what play has amended of a rule.
    fn amended(&self, id: &str) -> Vec<String> {
        let all = self.game.iter().flat_map(|game| amendments(self.ruleset, game));
        let own = all.filter(|(field, _)| names(&field.text, id));
        own.map(|(field, value)| format!("{}: {value} ({})", field.name, field.text)).collect()
    }

    fn switches(&self, concerned: impl Fn(&Switch) -> bool) -> Vec<SwitchInForce> {
        let in_force = |switch: &Switch| {
            let set = self.game.and_then(|game| game.ruling(&switch.key));
            let value = set.unwrap_or(switch.default()).to_owned();
            SwitchInForce { switch: switch.clone(), value, set: set.is_some() }
        };
        self.ruleset.switches.iter().filter(|switch| concerned(switch)).map(in_force).collect()
    }

    /// Lists the cases of rule files that cite an ID.
    fn cases(&self, id: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for source in self.ruleset.sources().files().filter(|source| source.text.contains("\ncases:")) {
            let Ok(document) = Document::parse(&source.text) else { continue };
            let all = document.root().get("cases").map(crate::yaml::Node::to_value).unwrap_or_default();
            for case in all.items().iter().filter(|case| cites(case).iter().any(|own| own == id)) {
                let name = case.get("case").map_or_else(String::new, ToString::to_string);
                found.push((source.name.clone(), name));
            }
        }
        found
    }

    /// Lists the effects of a rule file.
    fn effects(&self, source: &Source, top: &Value) -> Vec<(String, String, String)> {
        let hooks = &self.ruleset.declared.hooks;
        let effects = top.entries().iter().filter(|(key, _)| hooks.contains_key(&key.to_string()));
        effects
            .filter_map(|(key, text)| {
                Some((source.name.clone(), key.to_string(), text.as_text()?.trim_end().to_owned()))
            })
            .collect()
    }

    /// Lists the functions that name an ID in their texts or comments.
    fn functions(&self, id: &str) -> Vec<(String, String, String)> {
        let own = self.ruleset.definitions().filter(|(_, _, code)| names(code, id));
        own.map(|(name, source, code)| (source.name.clone(), name.to_owned(), code.trim_end().to_owned())).collect()
    }
}

impl Rule {
    /// Whether nothing cites it.
    fn is_empty(&self) -> bool {
        self.law.is_none() && self.switches.is_empty() && self.cases.is_empty() && self.code.is_empty()
    }

    /// Writes the rule for people, with the code of its functions and effects if that is wanted.
    pub fn text(&self, code: bool) -> String {
        let mut out = format!("{}  {}", self.heading, self.file).trim_end().to_owned() + "\n";
        let said = self.law.iter().map(|law| &law.text).chain(&self.notes);
        out.extend(said.map(|text| format!("\n{}", wrapped(text, "  "))));
        for (when, keys) in &self.asks {
            out.push_str(&format!("\n{}", wrapped(&format!("{when}: {}", keys.join(", ")), "  ")));
        }
        for SwitchInForce { switch, value, set } in &self.switches {
            let source = if *set { "set in this game" } else { "the default" };
            let values = switch.values.join(", ");
            out.push_str(&format!("\n{}", wrapped(&format!("{}: {}", switch.ruling, switch.question), "  ")));
            out.push_str(&format!("    {}: {value}, {source}; values: {values}\n", switch.key));
        }
        if !self.cases.is_empty() {
            out.push_str("\n  cases\n");
        }
        let mut last = "";
        for (file, case) in &self.cases {
            if file != last {
                out.push_str(&format!("    {file}\n"));
                last = file;
            }
            out.push_str(&wrapped(case, "      "));
        }
        if !code && !self.code.is_empty() {
            let parts = if self.code.len() == 1 { "function or effect" } else { "functions and effects" };
            out.push_str(&format!("\n  code: {} {parts}, shown with --code\n", self.code.len()));
        }
        for (file, name, text) in self.code.iter().filter(|_| code) {
            out.push_str(&format!("\n  {file}: {name}\n    {}\n", text.replace('\n', "\n    ")));
        }
        out
    }

    /// The rule as data, for programs.
    pub fn json(&self, code: bool) -> Json {
        let law = self.law.as_ref().map(|law| {
            let line = law.place.source.line_column(law.place.span.start).0;
            json!({"id": law.id, "title": law.title, "text": law.text, "file": law.place.source.name, "line": line})
        });
        let switch = |own: &SwitchInForce| {
            let SwitchInForce { switch, value, set } = own;
            json!({
                "key": switch.key, "ruling": switch.ruling, "question": switch.question, "values": switch.values,
                "default": switch.default(), "value": value, "set": set,
            })
        };
        let case = |(file, case): &(String, String)| json!({"file": file, "case": case});
        let mut object = json!({
            "law": law,
            "switch": self.switches.iter().map(switch).collect::<Vec<_>>(),
            "cases": self.cases.iter().map(case).collect::<Vec<_>>(),
        });
        if code {
            let each =
                |(file, name, text): &(String, String, String)| json!({"file": file, "name": name, "code": text});
            object["code"] = self.code.iter().map(each).collect();
        }
        object
    }
}

/// Returns the file of a text, with the line on which it begins.
fn file(law: &LawText) -> String {
    let (line, _) = law.place.source.line_column(law.place.span.start);
    format!("{}:{line}", law.place.source.name)
}

fn cites(top: &Value) -> Vec<String> {
    top.get("cites").map_or(&[][..], Value::items).iter().map(ToString::to_string).collect()
}

/// Whether a text names an ID: M-1, and not M-10.
fn names(text: &str, id: &str) -> bool {
    let is_id =
        id.split_once('-').is_some_and(|(_, number)| number.chars().all(|c| c.is_ascii_digit()) && !number.is_empty());
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_digit());
    let begins = |before: &str| !before.ends_with(|c: char| c.is_ascii_alphanumeric());
    is_id && text.match_indices(id).any(|(place, _)| begins(&text[..place]) && ends(&text[place + id.len()..]))
}

/// Returns the IDs that a text names, such as M-4, each once.
fn named_ids(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
        let is_id = word.split_once('-').is_some_and(|(group, number)| {
            let digits = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
            digits && !group.is_empty() && group.chars().all(|c| c.is_ascii_uppercase())
        });
        if is_id && !found.iter().any(|own| own == word) {
            found.push(word.to_owned());
        }
    }
    found
}

/// Breaks a text into lines that begin with `indent`.
fn wrapped(text: &str, indent: &str) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            out.push('\n');
            column = 0;
        }
        let before = if column == 0 { indent } else { " " };
        out.push_str(before);
        out.push_str(word);
        column += before.len() + width;
    }
    out + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_not_the_end_or_the_beginning_of_another() {
        assert!(names("as M-1 says", "M-1") && names("(M-1)", "M-1"));
        assert!(!names("M-10", "M-1") && !names("RM-1", "M-1") && !names("anything", "any"));
        assert_eq!(named_ids("# M-4, R-66 and M-4; x-1, -2, A-b, S-3."), ["M-4", "R-66", "S-3"]);
    }

    #[test]
    fn lines_are_broken_between_words() {
        let text = "word ".repeat(45);
        let lines = wrapped(&text, "  ");
        assert_eq!(lines.lines().count(), 3);
        assert!(lines.lines().all(|line| line.starts_with("  word") && line.chars().count() <= WIDTH));
        assert_eq!(lines.split_whitespace().count(), 45);
    }
}
