//! Reading a ruleset folder. Only what every action needs is read; the rest of a rule file waits until it is used.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use include_dir::{Dir, include_dir};

use super::declare::{ActionRule, Field, ItemRule, Kind, Rows, Ruleset, TypeRule};
use super::script::Scripts;
use super::{Rulebook, Switch};
use crate::game::{Name, SpaceId};
use crate::problem::{Problem, Source};
use crate::value::{Key, Value};
use crate::yaml::{self, Document, Node};

static BUILT_IN: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/rules");

/// Parts of `ruleset.yaml` before which its first words stand.
const HEAVY: [&str; 4] = ["settings", "state", "players", "spaces"];

/// Keys of a rule file that come before its text and are read at once.
const HEAD_ENDS: [&str; 2] = ["text", "cases"];

/// The texts of a ruleset by their path in its folder, such as `spaces/geyser.yaml`.
#[derive(Debug, Clone, Default)]
pub struct Files {
    /// The folder as people know it, shown before each path.
    pub folder: String,
    /// The texts by path.
    pub texts: BTreeMap<String, Cow<'static, str>>,
    /// The ruleset on which this one builds, where that is a folder too.
    pub base: Option<Box<Files>>,
}

impl Files {
    /// The rulesets that come with the program.
    pub fn built_in_names() -> Vec<&'static str> {
        BUILT_IN.dirs().filter_map(|dir| dir.path().to_str()).collect()
    }

    /// A ruleset that comes with the program.
    pub fn built_in(name: &str) -> Option<Self> {
        let folder = BUILT_IN.get_dir(name)?;
        let mut texts = BTreeMap::new();
        gather(folder, folder, &mut texts);
        Some(Self { folder: format!("rules/{name}"), texts, base: None }.with_switches())
    }

    /// The folder on which the ruleset builds, relative to its own; `None` where that is built in, or nothing.
    pub fn base_folder(&self) -> Option<String> {
        let head = yaml::head(self.texts.get("ruleset.yaml")?, &HEAVY).ok()?;
        Value::Map(head).get("base").map(spelled).filter(|name| Self::built_in(name).is_none())
    }

    /// Adds the list of switches that all rulesets share, where the folder has none of its own.
    #[must_use]
    pub fn with_switches(mut self) -> Self {
        let shared = BUILT_IN.get_file("rulings.yaml").and_then(include_dir::File::contents_utf8);
        if let Some(shared) = shared {
            self.texts.entry("rulings.yaml".into()).or_insert(Cow::Borrowed(shared));
        }
        self
    }
}

fn gather(root: &Dir<'static>, dir: &Dir<'static>, texts: &mut BTreeMap<String, Cow<'static, str>>) {
    for file in dir.files() {
        let path = file.path().strip_prefix(root.path()).unwrap_or(file.path());
        if let (Some(path), Some(text)) = (path.to_str(), file.contents_utf8()) {
            texts.insert(path.to_owned(), Cow::Borrowed(text));
        }
    }
    for inner in dir.dirs() {
        gather(root, inner, texts);
    }
}

pub(super) fn load(own: &Files) -> Result<Rulebook, Vec<Problem>> {
    let (files, base) = with_base(own)?;
    let files = &files;
    let folder = |path: &str| base.folder_of(own, path);
    let sources: Vec<Arc<Source>> = files
        .texts
        .iter()
        .map(|(path, text)| Arc::new(Source { name: format!("{}/{path}", folder(path)), text: text.to_string() }))
        .collect();
    let place = |wanted: &str| files.texts.keys().position(|path| path == wanted);
    let Some(main) = place("ruleset.yaml") else {
        let problem = Problem::new("no-ruleset", format!("{} has no ruleset.yaml", files.folder));
        return Err(vec![problem.help("`referee rules eject` writes a whole ruleset folder to start from")]);
    };
    let mut reader = Reader::new(&sources[main], &base.root)?;
    let name = reader.text(&reader.root(), "name");
    let ruleset = reader.ruleset();
    let mut problems = Vec::new();
    let (types, items) = things(files, &sources, &mut reader, &ruleset, &mut problems);
    let switches = place("rulings.yaml").map(|place| switches(&sources[place])).transpose()?.unwrap_or_default();
    if !reader.problems.is_empty() {
        return Err(reader.problems);
    }
    let item_places = items.iter().enumerate().map(|(place, item)| (Arc::clone(&item.name), place)).collect();
    let paths: Vec<&str> = files.texts.keys().map(String::as_str).collect();
    let scripts = Scripts::new(sources, &paths);
    Ok(Rulebook { name, hash: OnceLock::new(), ruleset, switches, problems, types, items, item_places, scripts })
}

/// The rulesets on which another builds.
#[derive(Default)]
struct Base {
    /// The folders with the paths in each, the nearest first.
    folders: Vec<(String, Vec<String>)>,
    root: Value,
}

impl Base {
    /// The folder from which a path of the whole comes.
    fn folder_of(&self, own: &Files, path: &str) -> String {
        let below = self.folders.iter().find(|(_, paths)| paths.iter().any(|own| own == path));
        let folder = if own.texts.contains_key(path) { None } else { below };
        folder.map_or_else(|| own.folder.clone(), |(folder, _)| folder.clone())
    }
}

/// Adds the files of the ruleset that `ruleset.yaml` names as its `base`. A file of the folder itself stands
/// for the base's file of the same path; of `ruleset.yaml` itself, each key for the base's key.
fn with_base(own: &Files) -> Result<(Files, Base), Vec<Problem>> {
    let Some(text) = own.texts.get("ruleset.yaml") else { return Ok((own.clone(), Base::default())) };
    let source = Arc::new(Source { name: format!("{}/ruleset.yaml", own.folder), text: text.to_string() });
    let head = yaml::head(text, &HEAVY).map_err(|problems| placed(&source, problems))?;
    let Some(name) = Value::Map(head).get("base").map(spelled) else { return Ok((own.clone(), Base::default())) };
    let Some(base) = Files::built_in(&name).or_else(|| own.base.as_deref().cloned()) else {
        let built_in = Files::built_in_names().join(", ");
        let help = format!("built in are {built_in}; or a folder relative to this one, such as ../five-dice");
        return Err(vec![
            Problem::new("no-base", format!("there is no ruleset `{name}` to build on")).help(help).at(&source, 0..0),
        ]);
    };
    let (mut files, below) = with_base(&base)?;
    let root = files.texts.get("ruleset.yaml").map_or(Ok(Value::Null), |text| {
        let source = Arc::new(Source { name: format!("{}/ruleset.yaml", base.folder), text: text.to_string() });
        Document::parse(text).map(|document| document.root().to_value()).map_err(|problems| placed(&source, problems))
    })?;
    let own_root = Document::parse(text).map_err(|problems| placed(&source, problems))?.root().to_value();
    let mut root = merged(&below.root, &root);
    for gone in own_root.get("without").map_or(&[][..], Value::items).iter().map(spelled) {
        let before = files.texts.len();
        files.texts.retain(|path, _| *path != gone && !(gone.ends_with('/') && path.starts_with(&gone)));
        if files.texts.len() == before && !take_out(&mut root, &gone) {
            let problem = Problem::new("unknown-key", format!("{} has no `{gone}` to leave out", base.folder));
            let help =
                "a file such as `garbage/006-….yaml`, a folder such as `garbage/`, or keys such as `actions.shatter`";
            return Err(vec![problem.help(help).at(&source, 0..0)]);
        }
    }
    files.texts.extend(own.texts.clone());
    files.folder.clone_from(&own.folder);
    let nearest = (base.folder.clone(), base.texts.keys().cloned().collect());
    let folders = std::iter::once(nearest).chain(below.folders).collect();
    Ok((files, Base { folders, root }))
}

/// Takes out a value by the keys down to it, with dots between; `false` where there is none.
fn take_out(map: &mut Value, keys: &str) -> bool {
    // A key may have a space in it, and none has a dot.
    let Some((key, rest)) = keys.split_once('.') else {
        let known = map.get(keys).is_some();
        map.remove(keys);
        return known;
    };
    let Some(mut inner) = map.get(key).cloned() else { return false };
    let known = take_out(&mut inner, rest);
    map.set(Key::from(key), inner);
    known
}

/// Two maps as one, the second before the first; whatever is no map is taken whole.
fn merged(below: &Value, above: &Value) -> Value {
    if above.entries().is_empty() || below.entries().is_empty() {
        return if *above == Value::Null { below.clone() } else { above.clone() };
    }
    let mut both = below.clone();
    for (key, value) in above.entries() {
        let under = below.get(&key.to_string()).cloned().unwrap_or_default();
        both.set(key.clone(), merged(&under, value));
    }
    both
}

/// The eight digits that stand for the rules: all texts by path, each as far as its cases, which rule nothing.
pub(super) fn hash(sources: &[Arc<Source>]) -> String {
    let mut hasher = blake3::Hasher::new();
    for source in sources {
        let path = source.name.rsplit_once("rules/").map_or(source.name.as_str(), |(_, path)| path);
        let law = source.text.split("\ncases:").next().unwrap_or_default();
        for part in [path.rsplit('/').next().unwrap_or(path), law] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
    }
    hasher.finalize().to_hex()[..8].to_owned()
}

fn switches(source: &Arc<Source>) -> Result<Vec<Switch>, Vec<Problem>> {
    let document = Document::parse(&source.text).map_err(|problems| placed(source, problems))?;
    let mut found = Vec::new();
    let mut problems = Vec::new();
    for entry in document.root().entries() {
        match Switch::read(&entry.key.to_string(), &entry.value.to_value()) {
            Some(switch) => found.push(switch),
            None => problems.push(
                Problem::new("bad-switch", format!("`{}` needs `ruling`, `values` and `question`", entry.key)).at(
                    source,
                    {
                        let span = entry.key_span();
                        span.start..span.end
                    },
                ),
            ),
        }
    }
    found.sort_by(|a, b| a.key.cmp(&b.key));
    if problems.is_empty() { Ok(found) } else { Err(problems) }
}

/// Reads the heads of all files of space types and items.
fn things(
    files: &Files,
    sources: &[Arc<Source>],
    reader: &mut Reader,
    ruleset: &Ruleset,
    problems: &mut Vec<Problem>,
) -> (BTreeMap<Name, TypeRule>, Vec<ItemRule>) {
    let mut types: BTreeMap<Name, TypeRule> = BTreeMap::new();
    let mut rows: Vec<ItemRule> = Vec::new();
    let folders = [reader.optional_text("types"), reader.optional_text("rows")];
    for (file, path) in files.texts.keys().enumerate() {
        let Some((folder, base)) = path.rsplit_once('/') else { continue };
        let is_rule = std::path::Path::new(base).extension().is_some_and(|end| end == "yaml");
        let Some(kind) = folders.iter().position(|own| own.as_deref() == Some(folder)).filter(|_| is_rule) else {
            continue;
        };
        let source = &sources[file];
        let head = match yaml::head(&source.text, &HEAD_ENDS) {
            Ok(head) => Value::Map(head),
            Err(found) => {
                problems.extend(placed(source, found));
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
    rows.extend(reader.other_items(files.texts.keys().position(|path| path == "ruleset.yaml").unwrap_or_default()));
    reader.check_categories(ruleset, &types);
    (types, rows)
}

fn spelled(value: &Value) -> String {
    value.to_string()
}

fn texts(value: &Value) -> Vec<String> {
    value.items().iter().map(spelled).collect()
}

/// Turns problems of the YAML text into problems of the file.
pub(crate) fn placed(source: &Arc<Source>, problems: Vec<yaml::Problem>) -> Vec<Problem> {
    problems
        .into_iter()
        .map(|found| Problem {
            code: found.code,
            message: found.message,
            help: found.help,
            place: Some(crate::problem::Place { source: Arc::clone(source), span: found.span.start..found.span.end }),
            path: found.path,
            warning: false,
        })
        .collect()
}

/// Reads `ruleset.yaml`, collecting every problem.
struct Reader<'a> {
    source: &'a Arc<Source>,
    document: Arc<Document>,
    root: Value,
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    fn new(source: &'a Arc<Source>, base: &Value) -> Result<Self, Vec<Problem>> {
        let document = Document::parse(&source.text).map_err(|problems| placed(source, problems))?;
        let root = merged(base, &document.root().to_value());
        let mut reader = Self { source, document: Arc::new(document), root, problems: Vec::new() };
        reader.unknown_keys();
        Ok(reader)
    }

    fn root(&self) -> Value {
        self.root.clone()
    }

    fn problem(&mut self, key: &str, code: &'static str, message: String) {
        let span = self.span(key);
        self.problems.push(Problem::new(code, message).at(self.source, span));
    }

    /// Where a dotted path of keys stands; the nearest parent that exists, else the top.
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
        const KNOWN: [&str; 29] = [
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
            "calendar",
            "selections",
            "never-forced",
        ];
        let keys: Vec<String> = self.document.root().entries().iter().map(|entry| entry.key.to_string()).collect();
        for key in keys.iter().filter(|key| !KNOWN.contains(&key.as_str())) {
            let near = crate::problem::nearest(key, KNOWN);
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
        self.root().get(key).map(spelled)
    }

    fn ruleset(&mut self) -> Ruleset {
        let root = self.root();
        let part =
            |path: &[&str]| path.iter().try_fold(&root, |value, key| value.get(key)).cloned().unwrap_or_default();
        let actions = part(&["actions"]).entries().iter().map(|(key, value)| self.action(key, value)).collect();
        let calendar = part(&["calendar"]);
        let names_to_text = |value: Value| -> Vec<(Name, String)> {
            let each = |(key, value): &(Key, Value)| {
                let name: Name = key.to_string().into();
                value.items().iter().map(move |text| (Arc::clone(&name), spelled(text))).collect::<Vec<_>>()
            };
            value.entries().iter().flat_map(each).collect()
        };
        let categories = part(&["categories"]);
        Ruleset {
            title: self.text(&root, "title"),
            settings: self.fields("settings", &part(&["settings"])),
            state: self.fields("state", &part(&["state"])),
            player_fields: self.fields("players.fields", &part(&["players", "fields"])),
            marks: self.fields("players.marks", &part(&["players", "marks"])),
            space_fields: self.fields("spaces.fields", &part(&["spaces", "fields"])),
            amendments: self.fields("amendments", &part(&["amendments"])),
            proposals: self.fields("proposals", &part(&["proposals"])),
            initial_space: SpaceId::of(&part(&["spaces", "initial"])).unwrap_or(SpaceId(0)),
            default_type: self.text(&part(&["spaces"]), "default-type").into(),
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
            symbolic: texts(&part(&["symbolic-quantities"])),
            images: root.get("images").and_then(|images| {
                Some((spelled(images.get("mark")?).into(), images.get("gain").map(spelled).unwrap_or_default()))
            }),
            never_forced: part(&["never-forced"])
                .entries()
                .first()
                .map(|(key, value)| (key.to_string(), spelled(value))),
            selections: part(&["selections"])
                .entries()
                .iter()
                .map(|(key, made)| (key.to_string(), spelled(made)))
                .collect(),
            hooks: part(&["effects"]).entries().iter().map(|(key, value)| (key.to_string(), texts(value))).collect(),
            watches: names_to_text(part(&["watch"])),
            before_action: root.get("before-action").map(spelled),
            after_action: root.get("after-action").map(spelled),
            check: root.get("check").map(spelled),
            actions,
            calendar: calendar
                .entries()
                .iter()
                .filter_map(|(key, days)| Some((key.to_string(), days.as_int()?)))
                .collect(),
        }
    }

    fn action(&mut self, key: &Key, value: &Value) -> ActionRule {
        let run = value.get("run").map(spelled).unwrap_or_default();
        if run.is_empty() {
            self.problem(&format!("actions.{key}"), "missing", format!("`{key}` says no function to `run`"));
        }
        ActionRule {
            name: key.to_string(),
            args: value.get("args").map(texts).unwrap_or_default(),
            options: value
                .get("options")
                .map(|options| options.entries().iter().map(|(k, v)| (k.to_string(), spelled(v))).collect())
                .unwrap_or_default(),
            run,
            text: value.get("text").map(spelled).unwrap_or_default(),
            channel: value.get("channel").map_or_else(|| "#game-actions".into(), spelled),
            looks: value.get("looks") == Some(&Value::Bool(true)),
            moves: value.get("moves") == Some(&Value::Bool(true)),
        }
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
                }),
                None => self.problem(
                    &format!("{path}.{key}"),
                    "bad-kind",
                    format!("`{key}` has a kind nobody knows: {kind}"),
                ),
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

    fn check_categories(&mut self, ruleset: &Ruleset, types: &BTreeMap<Name, TypeRule>) {
        for (category, members) in &ruleset.categories {
            for member in members.iter().filter(|member| !types.contains_key(&***member)) {
                let near = crate::problem::nearest(member, types.keys().map(|name| &**name));
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
