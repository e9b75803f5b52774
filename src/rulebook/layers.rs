//! A ruleset and the rulesets on which it builds, put together file by file.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::load::{Files, placed, spelled};
use super::script::definitions;
use crate::problem::{Problem, Source};
use crate::value::{Key, Value};
use crate::yaml::{self, Document, Node};

/// Keys of a rule file that come before its text and are read at once.
const HEAD_ENDS: [&str; 2] = ["text", "cases"];

/// One text of a rule file.
#[derive(Debug, Clone)]
pub(super) struct Text {
    pub source: Arc<Source>,
    /// Definitions of a `.star` file that do not hold: a nearer ruleset has its own of that name, or leaves them out.
    pub without: BTreeSet<String>,
    /// The definitions of a `.star` file: the bytes of each name, and those of the whole.
    pub definitions: Arc<[(Range<usize>, Range<usize>)]>,
}

impl Text {
    fn new(name: String, text: &str, is_script: bool) -> Self {
        let definitions = if is_script { definitions(text) } else { Vec::new() };
        let source = Arc::new(Source { name, text: text.to_owned() });
        Self { source, without: BTreeSet::new(), definitions: definitions.into() }
    }

    /// The definitions that hold, with the bytes that each takes.
    pub fn holds(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        let named = self.definitions.iter().map(|(name, span)| (&self.source.text[name.clone()], span.clone()));
        named.filter(|(name, _)| !self.without.contains(*name))
    }
}

/// A rule file: its own text, and then those of which it takes what it does not say itself.
pub(super) type Part = Vec<Text>;

/// The words before the text of a rule file, with those that it takes over.
pub(super) fn head(part: &Part) -> Result<Value, Vec<Problem>> {
    let mut whole = Value::Null;
    for text in part.iter().rev() {
        let own = yaml::head(&text.source.text, &HEAD_ENDS).map_err(|problems| placed(&text.source, problems))?;
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
}

impl Layers {
    /// Puts a ruleset together with the one that its `ruleset.yaml` names as its `base`.
    ///
    /// A file of the folder stands for the base's file of the same path, but of `ruleset.yaml` only each key for the
    /// base's key, and of a `.star` file each definition for the base's definition. A file that says `like: PATH`
    /// takes what it does not say itself from the base's file of that path.
    ///
    /// # Errors
    /// What is wrong with `ruleset.yaml`, `no-base`, `unknown-key` for what cannot be left out.
    pub fn of(own: &Files) -> Result<Self, Vec<Problem>> {
        let mut whole = Self::default();
        let mut below = BTreeMap::new();
        if let Some(main) = own.texts.get("ruleset.yaml") {
            let main = Text::new(format!("{}/ruleset.yaml", own.folder), main, false).source;
            let document = Document::parse(&main.text).map_err(|problems| placed(&main, problems))?;
            let root = document.root().to_value();
            whole = base(own, &root, &main)?;
            below.clone_from(&whole.parts);
            let gone = document.root().get("without").map_or(&[][..], Node::items);
            let problems: Vec<_> = gone.iter().filter_map(|gone| whole.leave_out(gone, &main)).collect();
            if !problems.is_empty() {
                return Err(problems);
            }
            whole.root = merged(&whole.root, &root);
            whole.document = Some(document);
        }
        for (path, text) in &own.texts {
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
                    let near = crate::problem::nearest(&like, below.keys().map(String::as_str));
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
        let before = self.parts.len();
        self.parts.retain(|path, _| *path != gone && !(gone.ends_with('/') && path.starts_with(gone)));
        if self.parts.len() < before || take_out(&mut self.root, gone) {
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
                    `movement.star/doubles`, or keys such as `actions.shatter`";
        let problem = Problem::new("unknown-key", format!("the base has no `{gone}` to leave out"));
        let span = node.span();
        Some(problem.help(help).at(main, span.start..span.end))
    }
}

/// The ruleset on which another builds; nothing where it builds on none.
fn base(own: &Files, root: &Value, main: &Arc<Source>) -> Result<Layers, Vec<Problem>> {
    let Some(name) = root.get("base").map(spelled) else { return Ok(Layers::default()) };
    let Some(base) = Files::built_in(&name).or_else(|| own.base.as_deref().cloned()) else {
        let built_in = Files::built_in_names().join(", ");
        let help = format!("built in are {built_in}; or a folder relative to this one, such as ../five-dice");
        let problem = Problem::new("no-base", format!("there is no ruleset `{name}` to build on"));
        return Err(vec![problem.help(help).at(main, 0..0)]);
    };
    Layers::of(&base)
}

/// A definition of a `.star` file holds no longer.
fn forget(part: &mut Part, name: &str) {
    for text in part {
        text.without.insert(name.to_owned());
    }
}

/// Whether a path is that of a file of functions.
pub(super) fn is_script(path: &str) -> bool {
    std::path::Path::new(path).extension().is_some_and(|end| end == "star")
}

/// The path of the base's file that a rule file is like, and where it says so.
fn like(source: &Source) -> Option<(String, Range<usize>)> {
    let at = source.text.find("\nlike:")?;
    let head = Value::Map(yaml::head(&source.text, &HEAD_ENDS).ok()?);
    head.get("like").map(|path| (spelled(path), at + 1..at + 5))
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
