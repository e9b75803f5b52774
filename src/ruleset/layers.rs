//! A ruleset and the rulesets on which it builds, put together file by file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use include_dir::{Dir, include_dir};

use super::law::LawFile;
use super::sources::{Part, Text, is_script};
use crate::data::{Key, Value};
use crate::diagnostic::{Problem, Problems, Source};
use crate::yaml::{self, Document, Node};

static BUILT_IN: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/rules");

/// Parts of `ruleset.yaml` that come after its first words.
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
    /// The ruleset on which this one builds, if that is a folder too.
    pub base: Option<Box<Files>>,
}

impl Files {
    /// The rulesets that come with the program.
    pub fn built_in_names() -> Vec<&'static str> {
        let whole = |dir: &&Dir| dir.get_file(dir.path().join("ruleset.yaml")).is_some();
        BUILT_IN.dirs().filter(whole).filter_map(|dir| dir.path().to_str()).collect()
    }

    /// A ruleset that comes with the program.
    pub fn built_in(name: &str) -> Option<Self> {
        let folder = BUILT_IN.get_dir(name)?;
        let mut texts = BTreeMap::new();
        gather(folder, folder, &mut texts);
        Some(Self { folder: format!("rules/{name}"), texts, base: None }.with_switches())
    }

    /// The folder on which the ruleset builds, relative to its own; `None` if that is built in, or absent.
    pub fn base_folder(&self) -> Option<String> {
        let source = Source::new("ruleset.yaml", self.texts.get("ruleset.yaml")?.as_ref());
        let head = yaml::parse_head(&Arc::new(source), &HEAVY).ok()?;
        Value::Map(head).get("base").map(spelled).filter(|name| Self::built_in(name).is_none())
    }

    /// Adds the list of switches that all rulesets share, unless the folder has its own.
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

/// The words before the text of a rule file, with those that it takes over.
pub(super) fn head(part: &Part) -> Result<Value, Problems> {
    let mut whole = Value::Null;
    for text in part.iter().rev() {
        let own = yaml::parse_head(&text.source, &HEAD_ENDS)?;
        whole = merged(&whole, &Value::Map(own));
    }
    Ok(whole)
}

/// All files of a ruleset.
#[derive(Default)]
pub(super) struct Layers {
    pub parts: BTreeMap<String, Part>,
    /// `ruleset.yaml` with what it takes over from the rulesets below.
    pub root: Value,
    /// The folder's own `ruleset.yaml`.
    pub document: Option<Document>,
    /// `unknown-file` for each rule file that is like none.
    pub problems: Vec<Problem>,
    /// The files of the law in words, those of the rulesets below first.
    pub law: Vec<LawFile>,
    /// How many rulesets are below.
    depth: usize,
}

impl Layers {
    /// Puts a ruleset together with the one that its `ruleset.yaml` names as its `base`.
    ///
    /// A file of the folder replaces the base's file of the same path, but of `ruleset.yaml` only each key for the
    /// base's key, and of a `.star` file each definition for the base's definition. A file that says `like: PATH`
    /// takes what it does not say itself from the base's file of that path. Files of the law in words add to those of
    /// the base, and the nearest ruleset has the last word on each ID.
    ///
    /// # Errors
    /// What is wrong with `ruleset.yaml`, `no-base`, `unknown-key` for what cannot be left out.
    pub fn of(own: &Files) -> Result<Self, Problems> {
        let mut whole = Self::default();
        let mut below = BTreeMap::new();
        if let Some(main) = own.texts.get("ruleset.yaml") {
            let main = Text::new(format!("{}/ruleset.yaml", own.folder), main, false).source;
            let document = Document::parse_source(Arc::clone(&main))?;
            let root = document.root().to_value();
            whole = base(own, &root, &main)?;
            below.clone_from(&whole.parts);
            let gone = document.root().get("without").map_or(&[][..], Node::items);
            let problems: Vec<_> = gone.iter().filter_map(|gone| whole.leave_out(gone, &main)).collect();
            if !problems.is_empty() {
                return Err(problems.into());
            }
            whole.root = merged(&whole.root, &root);
            whole.document = Some(document);
            whole.depth += 1;
        }
        for (path, text) in &own.texts {
            if LawFile::is_one(path) {
                whole.law.push(LawFile::new(&own.folder, path, text.clone(), whole.depth));
                continue;
            }
            let text = Text::new(format!("{}/{path}", own.folder), text, is_script(path));
            let source = Arc::clone(&text.source);
            let mut part = vec![text];
            if is_script(path) {
                let mut under = whole.parts.remove(path).unwrap_or_default();
                for (name, _) in part[0].holds() {
                    forget(&mut under, name);
                }
                part.append(&mut under);
            } else if path == "ruleset.yaml" {
                part.append(&mut whole.parts.remove(path).unwrap_or_default());
            } else if let Some((like, at)) = like(&source) {
                part.extend(below.get(&like).into_iter().flatten().cloned());
                if part.len() == 1 {
                    let near = crate::data::nearest(&like, below.keys().map(String::as_str));
                    let mut problem = Problem::new("unknown-file", format!("the base has no `{like}` to be like"));
                    problem.help = near.map(|near| format!("did you mean `{near}`?"));
                    whole.problems.push(problem.at(&source, at));
                }
            }
            whole.parts.insert(path.clone(), part);
        }
        Ok(whole)
    }

    /// Takes out what the base has and the ruleset has not: a file, a folder, a definition of a `.star` file, or keys of
    /// `ruleset.yaml`. Says what is wrong if it has no such thing.
    fn leave_out(&mut self, node: &Node, main: &Arc<Source>) -> Option<Problem> {
        let gone = &*node.to_value().to_string();
        let stays = |path: &str| path != gone && !(gone.ends_with('/') && path.starts_with(gone));
        let is_known = if LawFile::is_one(gone) {
            let before = self.law.len();
            self.law.retain(|file| stays(&file.path));
            self.law.len() < before || self.leave_out_text(gone)
        } else {
            let before = self.parts.len();
            self.parts.retain(|path, _| stays(path));
            self.parts.len() < before || take_out(&mut self.root, gone)
        };
        if is_known {
            return None;
        }
        if let Some((path, name)) = gone.rsplit_once('/')
            && let Some(part) = self.parts.get_mut(path).filter(|_| is_script(path))
            && part.iter().any(|text| text.holds().any(|(own, _)| own == name))
        {
            forget(part, name);
            return None;
        }
        let help = "a file such as `garbage/006-….yaml`, a folder such as `garbage/`, a function such as \
                    `trade.star/trade_action`, the text of an ID such as `law/ours.yaml/X-1`, or keys such as `actions.shatter`";
        let problem = Problem::new("unknown-key", format!("the base has no `{gone}` to leave out"));
        let span = node.span();
        Some(problem.help(help).at(main, span.start..span.end))
    }

    /// Leaves out the text of one ID, such as `law/ours.yaml/X-1`; `false` if no file below has it.
    fn leave_out_text(&mut self, gone: &str) -> bool {
        let Some((path, id)) = gone.rsplit_once('/') else { return false };
        // Several rulesets below can have a file of this path.
        let own = self.law.iter_mut().filter(|file| file.path == path);
        own.map(|file| file.leave_out(id)).filter(|is_known| *is_known).count() > 0
    }
}

/// The ruleset on which another builds; nothing if it has no base.
fn base(own: &Files, root: &Value, main: &Arc<Source>) -> Result<Layers, Problems> {
    let Some(name) = root.get("base").map(spelled) else { return Ok(Layers::default()) };
    let Some(base) = Files::built_in(&name).or_else(|| own.base.as_deref().cloned()) else {
        let built_in = Files::built_in_names().join(", ");
        let help = format!("built in are {built_in}; or a folder relative to this one, such as ../five-dice");
        let problem = Problem::new("no-base", format!("unknown ruleset `{name}` under `base`"));
        return Err(problem.help(help).at(main, 0..0).into());
    };
    Layers::of(&base)
}

/// A definition of a `.star` file holds no longer.
fn forget(part: &mut Part, name: &str) {
    for text in part {
        text.without.insert(name.to_owned());
    }
}

/// The path of the base's file that a rule file is like, and the place that says so.
fn like(source: &Arc<Source>) -> Option<(String, Range<usize>)> {
    let at = source.text.find("\nlike:")?;
    let head = Value::Map(yaml::parse_head(source, &HEAD_ENDS).ok()?);
    head.get("like").map(|path| (spelled(path), at + 1..at + 5))
}

/// Takes out a value by the keys down to it, with dots between; `false` if it is absent.
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

/// Merges two maps, the second before the first; any other value is taken whole.
pub(super) fn merged(below: &Value, above: &Value) -> Value {
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

pub(super) fn spelled(value: &Value) -> String {
    value.to_string()
}
