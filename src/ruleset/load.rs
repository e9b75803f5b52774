//! Reads a ruleset folder. Only what every action needs is read; the rest of a rule file waits until it is used.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::actions;
use super::declare::{ActionRule, Declarations, Field, ItemRule, Kind, Rows, TypeRule};
use super::law::Law;
use super::layers::{self, Files, Layers, spelled};
use super::rules::Ruleset;
use super::sources::{Part, Sources};
use super::switches::Switch;
use crate::data::{Key, Value};
use crate::diagnostic::{Problem, Problems, Source};
use crate::game::{Name, SpaceId};
use crate::yaml::{Document, Node};

impl Ruleset {
    /// Reads a ruleset from its files.
    ///
    /// # Errors
    /// Reports what is wrong with `ruleset.yaml` or the list of switches. A rule file that does not load is among
    /// [`Self::problems`] instead, so that the rest of the game can continue.
    pub fn load(files: &Files) -> Result<Self, Problems> {
        load(files)
    }

    /// Returns a ruleset that the program contains, or `None` if there is none of this name.
    ///
    /// ```
    /// use nomic_referee::Ruleset;
    ///
    /// let ruleset = Ruleset::built_in("cycle-15").expect("built in");
    /// assert!(ruleset.item("Duck").is_some());
    /// assert!(Ruleset::built_in("cycle-99").is_none());
    /// ```
    pub fn built_in(name: &str) -> Option<Arc<Self>> {
        let loaded = load(&Files::built_in(name)?);
        Some(Arc::new(loaded.expect("a ruleset that the program contains loads")))
    }
}

fn load(own: &Files) -> Result<Ruleset, Problems> {
    let Layers { parts, root, document, mut problems, law, .. } = Layers::of(own)?;
    let (paths, parts): (Vec<String>, Vec<Part>) = parts.into_iter().unzip();
    let place = |wanted: &str| paths.iter().position(|path| path == wanted);
    let (Some(main), Some(document)) = (place("ruleset.yaml"), document) else {
        let problem = Problem::new("no-ruleset", format!("{} has no ruleset.yaml", own.folder));
        return Err(problem.help("`referee rules eject` writes a whole ruleset folder to start from").into());
    };
    let mut reader = Reader { source: &parts[main][0].source, document, root: Arc::new(root), problems: Vec::new() };
    reader.unknown_keys();
    let name = reader.text(&reader.root(), "name");
    let declared = reader.declarations();
    let renamed = reader.renamed();
    let (types, mut items) = things(&paths, &parts, &mut reader, &declared, &mut problems);
    items.extend(reader.other_items(main));
    let switches =
        place("rulings.yaml").map(|place| switches(&parts[place][0].source)).transpose()?.unwrap_or_default();
    if !reader.problems.is_empty() {
        return Err(reader.problems.into());
    }
    let item_places = items.iter().enumerate().map(|(place, item)| (Arc::clone(&item.name), place)).collect();
    let sources = Arc::new(Sources::new(&paths, parts, renamed, &mut problems));
    let (hashes, compiled) = (Default::default(), OnceLock::new());
    let law = Law::new(law);
    Ok(Ruleset { name, hashes, declared, switches, problems, types, items, item_places, sources, law, compiled })
}

fn switches(source: &Arc<Source>) -> Result<Vec<Switch>, Problems> {
    let document = Document::parse_source(Arc::clone(source))?;
    let mut found = Vec::new();
    let mut problems = Vec::new();
    for entry in document.root().entries() {
        match Switch::read(&entry.key.to_string(), &entry.value.to_value()) {
            Some(switch) => found.push(switch),
            None => problems.push(
                Problem::new("bad-switch", format!("`{}` needs `ruling`, `values` and `question`", entry.key))
                    .at(source, entry.key_span()),
            ),
        }
    }
    found.sort_by(|a, b| a.key.cmp(&b.key));
    if problems.is_empty() { Ok(found) } else { Err(problems.into()) }
}

/// Reads the heads of all files of space types and items.
fn things(
    paths: &[String],
    parts: &[Part],
    reader: &mut Reader,
    ruleset: &Declarations,
    problems: &mut Vec<Problem>,
) -> (BTreeMap<Name, TypeRule>, Vec<ItemRule>) {
    let mut types: BTreeMap<Name, TypeRule> = BTreeMap::new();
    let mut rows: Vec<ItemRule> = Vec::new();
    let folders = [reader.optional_text("types"), reader.optional_text("rows")];
    for (file, (path, part)) in paths.iter().zip(parts).enumerate() {
        let Some((folder, base)) = path.rsplit_once('/') else { continue };
        let is_rule = std::path::Path::new(base).extension().is_some_and(|end| end == "yaml");
        let Some(kind) = folders.iter().position(|own| own.as_deref() == Some(folder)).filter(|_| is_rule) else {
            continue;
        };
        let source = &part[0].source;
        let head = match layers::head(part) {
            Ok(head) => head,
            Err(found) => {
                problems.extend(found);
                continue;
            }
        };
        let Some(name) = head.get("name").map(spelled).filter(|name| !name.is_empty()) else {
            problems.push(Problem::new("no-name", "a rule file begins with its `name`").at(source, 0..0));
            continue;
        };
        let cites = head.get("cites").map(texts).unwrap_or_default();
        if kind == 0 {
            let unique = head.get("unique") == Some(&Value::Bool(true));
            let rule = TypeRule { name: name.as_str().into(), cites, unique, file };
            if types.insert(name.as_str().into(), rule).is_some()
                || ruleset.categories.iter().any(|(c, _)| **c == *name)
            {
                problems.push(Problem::new("two-of-a-name", format!("`{name}` is defined twice")).at(source, 0..0));
            }
        } else {
            let number = head.get("id").and_then(Value::as_int).filter(|number| *number > 0);
            if number.is_none() || rows.iter().any(|row| row.number == number) {
                let problem = Problem::new("bad-id", format!("`{name}` needs an `id`: a positive number of its own"));
                problems.push(problem.at(source, 0..0));
                continue;
            }
            rows.push(ItemRule { name: name.as_str().into(), number, least: None, cites, says: head, file });
        }
    }
    rows.sort_by_key(|row| row.number);
    reader.check_categories(ruleset, &types);
    (types, rows)
}

fn texts(value: &Value) -> Vec<String> {
    value.items().iter().map(spelled).collect()
}

/// Reads `ruleset.yaml`, collecting every problem.
struct Reader<'a> {
    source: &'a Arc<Source>,
    document: Document,
    root: Arc<Value>,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn root(&self) -> Arc<Value> {
        Arc::clone(&self.root)
    }

    fn problem(&mut self, key: &str, code: &'static str, message: String) {
        let span = self.span(key);
        self.problems.push(Problem::new(code, message).at(self.source, span));
    }

    /// The place of a dotted path of keys; the nearest parent that exists, else the top.
    fn span(&self, path: &str) -> std::ops::Range<usize> {
        let mut node: &Node = self.document.root();
        let mut span = 0..0;
        for key in path.split('.') {
            let Some(entry) = node.entries().iter().find(|entry| entry.key.is(key)) else { break };
            span = {
                let span = entry.key_span();
                span.start..span.end
            };
            node = &entry.value;
        }
        span
    }

    fn unknown_keys(&mut self) {
        const KNOWN: [&str; 32] = [
            "base",
            "without",
            "name",
            "title",
            "links",
            "settings",
            "state",
            "players",
            "spaces",
            "amendments",
            "proposals",
            "categories",
            "shown-by",
            "items",
            "derived-items",
            "symbolic-quantities",
            "images",
            "types",
            "rows",
            "rows-amended-by",
            "effects",
            "watch",
            "before-action",
            "after-action",
            "check",
            "actions",
            "groups",
            "calendar",
            "selections",
            "never-forced",
            "declined-at-phase-end",
            "renamed",
        ];
        let keys: Vec<String> = self.document.root().entries().iter().map(|entry| entry.key.to_string()).collect();
        for key in keys.iter().filter(|key| !KNOWN.contains(&key.as_str())) {
            let near = crate::data::nearest(key, KNOWN);
            let span = self.span(key);
            let mut problem = Problem::new("unknown-key", format!("a ruleset has no `{key}`")).at(self.source, span);
            problem.help = near.map(|near| format!("did you mean `{near}`?"));
            self.problems.push(problem);
        }
    }

    fn text(&mut self, map: &Value, key: &str) -> String {
        match map.get(key) {
            Some(value) if !value.is_empty() => spelled(value),
            _ => {
                self.problem(key, "missing", format!("`{key}` is missing"));
                String::new()
            }
        }
    }

    fn optional_text(&self, key: &str) -> Option<String> {
        self.root.get(key).map(spelled)
    }

    fn declarations(&mut self) -> Declarations {
        let root = self.root();
        let part = |path: &[&str]| path.iter().try_fold(&*root, |value, key| value.get(key)).unwrap_or(&Value::Null);
        let actions = self.actions(part(&["actions"]));
        let calendar = part(&["calendar"]);
        let names_to_text = |value: &Value| -> Vec<(Name, String)> {
            let each = |(key, value): &(Key, Value)| {
                let name: Name = key.to_string().into();
                value.items().iter().map(move |text| (Arc::clone(&name), spelled(text))).collect::<Vec<_>>()
            };
            value.entries().iter().flat_map(each).collect()
        };
        let categories = part(&["categories"]);
        Declarations {
            title: self.text(&root, "title"),
            settings: self.fields("settings", part(&["settings"])),
            state: self.fields("state", part(&["state"])),
            player_fields: self.fields("players.fields", part(&["players", "fields"])),
            marks: self.fields("players.marks", part(&["players", "marks"])),
            space_fields: self.fields("spaces.fields", part(&["spaces", "fields"])),
            amendments: self.fields("amendments", part(&["amendments"])),
            proposals: self.fields("proposals", part(&["proposals"])),
            initial_space: SpaceId::of(part(&["spaces", "initial"])).unwrap_or(SpaceId::Number(0)),
            default_type: self.text(part(&["spaces"]), "default-type").into(),
            categories: categories
                .entries()
                .iter()
                .map(|(key, members)| {
                    (key.to_string().into(), members.items().iter().map(|m| spelled(m).into()).collect())
                })
                .collect(),
            shown_by: root.get("shown-by").map(|field| spelled(field).into()),
            rows: root.get("rows-amended-by").map(|rows| Rows {
                letter: rows.get("letter").map(spelled).unwrap_or_default(),
                added: rows.get("added").map(spelled).unwrap_or_default(),
                removed: rows.get("removed").map(spelled).unwrap_or_default(),
            }),
            derived: part(&["derived-items"]).entries().iter().map(|(word, _)| word.to_string()).collect(),
            symbolic: texts(part(&["symbolic-quantities"])),
            images: root.get("images").and_then(|images| {
                Some((spelled(images.get("mark")?).into(), images.get("gain").map(spelled).unwrap_or_default()))
            }),
            never_forced: reading(part(&["never-forced"])),
            declined_at_end: reading(part(&["declined-at-phase-end"])),
            selections: part(&["selections"])
                .entries()
                .iter()
                .map(|(key, made)| (key.to_string(), spelled(made)))
                .collect(),
            hooks: part(&["effects"]).entries().iter().map(|(key, value)| (key.to_string(), texts(value))).collect(),
            watches: names_to_text(part(&["watch"])),
            before_action: texts(part(&["before-action"])),
            after_action: texts(part(&["after-action"])),
            check: root.get("check").map(spelled),
            actions,
            groups: part(&["groups"]).entries().iter().map(|(key, text)| (key.to_string(), spelled(text))).collect(),
            calendar: calendar
                .entries()
                .iter()
                .filter_map(|(key, days)| Some((key.to_string(), days.as_int()?)))
                .collect(),
        }
    }

    /// Returns the functions that the rule files have renamed: the new name by the old one.
    fn renamed(&self) -> BTreeMap<String, String> {
        let renamed = self.root.get("renamed").map_or(&[][..], Value::entries);
        renamed.iter().map(|(old, new)| (old.to_string(), spelled(new))).collect()
    }

    fn actions(&mut self, declared: &Value) -> Vec<ActionRule> {
        let mut actions: Vec<ActionRule> = Vec::new();
        for (key, value) in declared.entries() {
            let mut problems = Vec::new();
            let problem = &mut |inner: &str, code, message, help: Option<String>| {
                problems.push((inner.to_owned(), code, message, help));
            };
            actions.push(actions::read(key, value, problem));
            for (inner, code, message, help) in problems {
                let path = if inner.is_empty() { format!("actions.{key}") } else { format!("actions.{key}.{inner}") };
                self.problem(&path, code, message);
                if let Some(problem) = self.problems.last_mut() {
                    problem.help = help;
                }
            }
        }
        let groups =
            |name: &str| actions.iter().any(|own| own.name.split_once(' ').is_some_and(|(first, _)| first == name));
        let both: Vec<String> = actions.iter().map(|own| own.name.clone()).filter(|name| groups(name)).collect();
        for name in both {
            let message = format!("`{name}` cannot be a command and a group of commands");
            self.problem(&format!("actions.{name}"), "two-of-a-name", message);
        }
        actions
    }

    fn fields(&mut self, path: &str, value: &Value) -> Vec<Field> {
        let mut fields = Vec::new();
        for (key, declared) in value.entries() {
            let kind = declared.get("kind").unwrap_or(declared);
            match Kind::read(kind) {
                Some(kind) => fields.push(Field {
                    name: key.to_string().into(),
                    kind,
                    default: declared.get("default").cloned().unwrap_or_default(),
                    text: declared.get("text").map(spelled).unwrap_or_default(),
                    bookkeeping: declared.get("bookkeeping") == Some(&Value::Bool(true)),
                    under: declared
                        .get("under")
                        .and_then(|under| under.entries().first())
                        .map(|(switch, reading)| (switch.to_string(), spelled(reading))),
                }),
                None => {
                    self.problem(&format!("{path}.{key}"), "bad-kind", format!("unknown kind `{kind}` for `{key}`"));
                }
            }
        }
        fields
    }

    fn other_items(&self, file: usize) -> Vec<ItemRule> {
        let root = self.root();
        let entries = root.get("items").map_or(&[][..], Value::entries);
        let item = |(key, value): &(Key, Value)| ItemRule {
            name: key.to_string().into(),
            number: None,
            least: value.get("least").and_then(Value::as_int),
            cites: value.get("cites").map(texts).unwrap_or_default(),
            says: value.clone(),
            file,
        };
        entries.iter().map(item).collect()
    }

    fn check_categories(&mut self, ruleset: &Declarations, types: &BTreeMap<Name, TypeRule>) {
        for (category, members) in &ruleset.categories {
            for member in members.iter().filter(|member| !types.contains_key(&***member)) {
                let near = crate::data::nearest(member, types.keys().map(|name| &**name));
                let span = self.span(&format!("categories.{category}"));
                let mut problem =
                    Problem::new("unknown-type", format!("{category} holds `{member}`, which no file defines"))
                        .at(self.source, span);
                problem.help = near.map(|near| format!("did you mean `{near}`?"));
                self.problems.push(problem);
            }
        }
        if !ruleset.default_type.is_empty() && !types.contains_key(&ruleset.default_type) {
            let message = format!("the default type `{}` has no file", ruleset.default_type);
            self.problem("spaces.default-type", "unknown-type", message);
        }
    }
}

/// Reads a switch with one of its values, as `{auto-select: "off"}` has it.
fn reading(value: &Value) -> Option<(String, String)> {
    value.entries().first().map(|(key, value)| (key.to_string(), spelled(value)))
}
