//! From rule texts to functions, each compiled when it is first used.

#![expect(clippy::disallowed_types, reason = "the script library takes a HashMap; nothing reads its order")]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, OnceLock};

use starlark::environment::{FrozenModule, Globals, Module};
use starlark::eval::Evaluator;
use starlark::syntax::{AstModule, Dialect, DialectTypes};
use starlark::values::OwnedFrozenValue;

use super::cause::keep_causes;
use super::{lint, vocabulary};
use crate::diagnostic::{Problem, Source};
use crate::ruleset::{Ruleset, Sources, Text, words};
use crate::yaml::{Data, Document};

/// What a single run of a rule may use: far above what any rule needs, far below what hurts.
pub(in crate::engine) mod limits {
    /// Function calls and turns of loops.
    pub const STEPS: u64 = 400_000;
    /// Functions within functions.
    pub const DEPTH: usize = 200;
    /// Effects within effects; each takes several functions.
    pub const EFFECTS: usize = 20;
    /// Bytes of values.
    pub const HEAP: usize = 64 << 20;
    /// Elements of one list, letters of one text.
    pub const LENGTH: usize = 100_000;
}

/// A rule text that does not compile, or a rule that failed while it ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptError {
    /// The rule file.
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl ScriptError {
    /// What the library says, with its place, or with the line that was entered last where it says none.
    pub(in crate::engine) fn of(error: &starlark::Error, entered: Option<&(String, usize)>) -> Self {
        let message = error.without_diagnostic().to_string();
        let message = message.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        match error.span() {
            Some(span) => {
                let begin = span.resolve_span().begin;
                Self { file: span.filename().to_owned(), line: begin.line + 1, column: begin.column + 1, message }
            }
            None => {
                let (file, line) = entered.cloned().unwrap_or_else(|| ("ruleset.yaml".into(), 1));
                Self { file, line, column: 1, message }
            }
        }
    }

    /// The same as a problem of the rule file.
    pub fn problem<'a>(&self, mut sources: impl Iterator<Item = &'a Arc<Source>>) -> Problem {
        let problem = Problem::new("bad-rule", self.message.clone());
        match sources.find(|source| source.name == self.file) {
            Some(source) => {
                let line: usize = source.text.split_inclusive('\n').take(self.line - 1).map(str::len).sum();
                let offset = source.text[line..].char_indices().nth(self.column - 1).map_or(line, |(at, _)| line + at);
                problem.at(source, offset..offset + 1)
            }
            None => problem,
        }
    }
}

type Compiled<T> = OnceLock<Result<T, ScriptError>>;

/// One effect of a rule file: where its text lies, and the function once it is compiled.
#[derive(Debug)]
struct Effect {
    key: String,
    /// The file in which it is written.
    source: Arc<Source>,
    /// Line of the text's first line, from 1.
    line: usize,
    /// The text's lines as they stand in the file, indentation and all.
    body: String,
    function: Compiled<OwnedFrozenValue>,
}

impl Effect {
    /// Writes the effect as a function of these parameters. Blank lines before it let each line keep its number in the
    /// rule file.
    fn text(&self, params: &[String]) -> String {
        let before = "\n".repeat(self.line.saturating_sub(2));
        format!("{before}def effect({}):\n{}\n", params.join(", "), self.body)
    }
}

/// A `.star` file.
#[derive(Debug, Default)]
struct Script {
    /// The other files whose names it uses.
    uses: OnceLock<BTreeSet<usize>>,
    compiled: Compiled<FrozenModule>,
}

/// A walk through files and what they use.
#[derive(Default)]
struct Walk {
    /// In which order files were met.
    orders: BTreeMap<usize, usize>,
    /// Files whose circle is not known yet.
    open: Vec<usize>,
    circles: Vec<Vec<usize>>,
}

/// What has been compiled of a ruleset's texts.
#[derive(Debug)]
pub(in crate::engine) struct Scripts {
    sources: Arc<Sources>,
    /// For each `.star` file: its module.
    modules: BTreeMap<usize, Script>,
    effects: Vec<OnceLock<Result<Vec<Effect>, ScriptError>>>,
}

/// Returns the compiled rules of a ruleset.
pub(in crate::engine) fn scripts(ruleset: &Ruleset) -> &Scripts {
    ruleset.compiled(|| Scripts::new(ruleset.sources()))
}

/// Compiles every rule text and returns what is wrong with any of them, and with the ruleset itself.
pub fn check_scripts(ruleset: &Ruleset) -> Vec<Problem> {
    let errors = scripts(ruleset).check(&ruleset.declared.hooks);
    let found = errors.iter().map(|error| error.problem(ruleset.sources().texts()));
    ruleset.problems.iter().cloned().chain(found).collect()
}

impl Scripts {
    fn new(sources: &Arc<Sources>) -> Self {
        let effects = (0..sources.count()).map(|_| OnceLock::new()).collect();
        let modules = sources.scripts().iter().map(|&file| (file, Script::default())).collect();
        Self { sources: Arc::clone(sources), modules, effects }
    }

    /// The function of an effect.
    pub(in crate::engine) fn effect(
        &self,
        file: usize,
        key: &str,
        params: &[String],
    ) -> Result<Option<&OwnedFrozenValue>, ScriptError> {
        let Some(effect) = self.effects_of(file)?.iter().find(|effect| effect.key == key) else { return Ok(None) };
        effect.function.get_or_init(|| self.compile_effect(effect, params)).as_ref().map(Some).map_err(Clone::clone)
    }

    /// The rule file of an effect and the line of its first words.
    pub(in crate::engine) fn place(&self, file: usize, key: &str) -> (String, usize) {
        let effects = self.effects_of(file).unwrap_or_default();
        let effect = effects.iter().find(|effect| effect.key == key);
        effect.map_or_else(|| (self.name(file), 1), |effect| (effect.source.name.clone(), effect.line))
    }

    /// A function that one of the `.star` files defines.
    pub(in crate::engine) fn function(&self, name: &str) -> Result<OwnedFrozenValue, ScriptError> {
        let missing = || ScriptError {
            file: "ruleset.yaml".into(),
            line: 1,
            column: 1,
            message: format!("no rule file defines the function `{name}`"),
        };
        let file = *self.sources.exports().get(name).ok_or_else(missing)?;
        self.module(file)?.get(name).map_err(|_| missing())
    }

    /// Compiles everything, for `rules check`.
    fn check(&self, hooks: &BTreeMap<String, Vec<String>>) -> Vec<ScriptError> {
        let mut errors: Vec<ScriptError> = self.modules.keys().filter_map(|&file| self.module(file).err()).collect();
        for file in 0..self.sources.count() {
            if self.modules.contains_key(&file) {
                continue;
            }
            match self.effects_of(file) {
                Err(error) => errors.push(error),
                Ok(effects) => {
                    for effect in effects {
                        if let Some(params) = hooks.get(&effect.key) {
                            errors.extend(self.effect(file, &effect.key, params).err());
                        }
                    }
                }
            }
        }
        errors.extend(self.wrong_messages());
        errors.dedup();
        errors
    }

    /// Finds the messages whose values do not fit their places, in texts that can be read.
    fn wrong_messages(&self) -> Vec<ScriptError> {
        let mut errors = Vec::new();
        for file in 0..self.sources.count() {
            let part = self.sources.part(file);
            let scripts: Vec<(String, String)> = if self.modules.contains_key(&file) {
                part.iter().map(|text| (text.source.name.clone(), text.law().into_owned())).collect()
            } else {
                let effects = self.effects_of(file).unwrap_or_default().iter();
                effects.map(|effect| (effect.source.name.clone(), effect.text(&[]))).collect()
            };
            for (name, script) in scripts {
                let Ok(read) = parsed(&name, script) else { continue };
                errors.extend(lint::wrong_messages(&read).into_iter().map(|(span, message)| {
                    let begin = read.file_span(span).resolve_span().begin;
                    ScriptError { file: name.clone(), line: begin.line + 1, column: begin.column + 1, message }
                }));
            }
        }
        errors
    }

    /// The name of a file as people know it.
    fn name(&self, file: usize) -> String {
        self.sources.part(file)[0].source.name.clone()
    }

    fn effects_of(&self, file: usize) -> Result<&[Effect], ScriptError> {
        let found = self.effects[file].get_or_init(|| {
            let mut whole: Vec<Effect> = Vec::new();
            for text in self.sources.part(file) {
                let more = effects(&text.source)?;
                whole.extend(
                    more.into_iter().filter(|more| !whole.iter().any(|own| own.key == more.key)).collect::<Vec<_>>(),
                );
            }
            Ok(whole)
        });
        found.as_deref().map_err(Clone::clone)
    }

    /// The module with the functions of a file. Files that use each other share one.
    fn module(&self, file: usize) -> Result<&FrozenModule, ScriptError> {
        let compiled = &self.modules[&file].compiled;
        if compiled.get().is_none() {
            for circle in self.circles(file) {
                // The base's text first, so that what a nearer one computes from it is there.
                let parts = circle.iter().flat_map(|&file| self.sources.part(file).iter().rev());
                let texts: Vec<_> = parts.map(|text| (text.source.name.as_str(), text.law())).collect();
                let used = circle.iter().flat_map(|&file| self.uses(file)).copied().collect();
                let made = self.compile(&texts, &circle, &used);
                for file in circle {
                    self.modules[&file].compiled.get_or_init(|| made.clone());
                }
            }
        }
        compiled.get().expect("its circle is the last of them").as_ref().map_err(Clone::clone)
    }

    /// The files that `file` needs and itself, less those that are compiled: each with those that need it and that it
    /// needs, and after all others that it needs (Tarjan 1972).
    fn circles(&self, file: usize) -> Vec<Vec<usize>> {
        let mut walk = Walk::default();
        self.walk(file, &mut walk);
        walk.circles
    }

    fn walk(&self, file: usize, walk: &mut Walk) -> usize {
        let order = walk.orders.len();
        walk.orders.insert(file, order);
        walk.open.push(file);
        let mut lowest = order;
        for next in self.uses(file).iter().filter(|next| self.modules[next].compiled.get().is_none()) {
            match walk.orders.get(next) {
                None => lowest = lowest.min(self.walk(*next, walk)),
                Some(order) if walk.open.contains(next) => lowest = lowest.min(*order),
                Some(_) => {}
            }
        }
        if lowest == order {
            let place = walk.open.iter().position(|open| *open == file).expect("opened above");
            let mut circle = walk.open.split_off(place);
            circle.sort_unstable();
            walk.circles.push(circle);
        }
        lowest
    }

    /// The other files whose names a file uses.
    fn uses(&self, file: usize) -> &BTreeSet<usize> {
        self.modules[&file].uses.get_or_init(|| {
            let texts = self.sources.part(file).iter().map(Text::law);
            texts.flat_map(|text| self.used(&text).collect::<Vec<_>>()).filter(|other| *other != file).collect()
        })
    }

    /// The files whose names a text uses.
    fn used<'a>(&'a self, text: &'a str) -> impl Iterator<Item = usize> + 'a {
        words(text).into_iter().filter_map(|word| self.sources.exports().get(word).copied())
    }

    /// The functions of these files that say which rule is at work.
    fn naming_rules<'a>(&'a self, files: &'a [usize]) -> impl Iterator<Item = &'a str> {
        let texts = files.iter().flat_map(|&file| self.sources.part(file));
        let defined = texts.flat_map(|text| text.holds().map(move |(name, span)| (name, &text.source.text[span])));
        defined.filter(|(_, definition)| definition.contains("rule(")).map(|(name, _)| name)
    }

    fn compile_effect(&self, effect: &Effect, params: &[String]) -> Result<OwnedFrozenValue, ScriptError> {
        let text = effect.text(params);
        let name = effect.source.name.as_str();
        let used = self.used(&text).collect();
        let module = self.compile(&[(name, text.into())], &[], &used)?;
        module.get("effect").map_err(|error| ScriptError {
            file: name.to_owned(),
            line: effect.line,
            column: 1,
            message: error.to_string(),
        })
    }

    /// Makes one module of texts with their names, which are all those of the files `own`, or of none, and use others.
    fn compile(
        &self,
        texts: &[(&str, Cow<'_, str>)],
        own: &[usize],
        used: &BTreeSet<usize>,
    ) -> Result<FrozenModule, ScriptError> {
        let imports = used.iter().filter(|file| !own.contains(file));
        let imports = imports.map(|&file| self.module(file)).collect::<Result<Vec<_>, _>>()?;
        Module::with_temp_heap(|module| {
            for import in imports {
                module.import_public_symbols(import);
            }
            if texts.len() > 1 {
                // A text may use what a later one defines; a list of its own is never taken for a constant.
                for (name, _) in self.sources.exports().iter().filter(|(_, file)| own.contains(file)) {
                    module.set(name, module.heap().alloc(Vec::<i32>::new()));
                }
            }
            for (name, text) in texts {
                let failed = |error: starlark::Error| ScriptError::of(&error, Some(&((*name).to_owned(), 1)));
                let ast = parsed(name, text.clone().into_owned()).map_err(failed)?;
                let mut eval = Evaluator::new(&module);
                eval.set_max_tick_count(limits::STEPS).expect("set once, above zero");
                eval.eval_module(ast, globals()).map_err(failed)?;
            }
            keep_causes(&module, self.naming_rules(own));
            module.freeze().map_err(|error| ScriptError {
                file: texts.last().map_or_else(String::new, |(name, _)| (*name).to_owned()),
                line: 1,
                column: 1,
                message: format!("{error:?}"),
            })
        })
    }
}

fn parsed(name: &str, text: String) -> starlark::Result<AstModule> {
    let dialect =
        Dialect { enable_types: DialectTypes::Enable, enable_load: false, enable_f_strings: true, ..Dialect::Standard };
    let mut ast = AstModule::parse(name, text, &dialect)?;
    // Sums and products of lists and texts would grow without a bound between two looks at the heap.
    let bounded =
        [("+", "_plus"), ("*", "_times")].map(|(operator, function)| (operator.to_owned(), function.to_owned()));
    ast.replace_binary_operators(&HashMap::from(bounded));
    Ok(ast)
}

fn globals() -> &'static Globals {
    static GLOBALS: OnceLock<Globals> = OnceLock::new();
    GLOBALS.get_or_init(vocabulary::globals)
}

/// Finds the effects in a rule file: every text under a top-level key, as far as its cases.
fn effects(source: &Arc<Source>) -> Result<Vec<Effect>, ScriptError> {
    let text = source.text.split_inclusive("\ncases:").next().map_or("", |text| text.trim_end_matches("cases:"));
    let document = Document::parse(text).map_err(|problems| {
        let place = problems.first().and_then(|problem| problem.place.as_ref());
        let (line, column) = place.map_or((1, 1), |place| source.line_column(place.span.start));
        let message = problems.first().map_or_else(String::new, |problem| problem.message.clone());
        ScriptError { file: source.name.clone(), line, column, message }
    })?;
    let mut found = Vec::new();
    for entry in document.root().entries() {
        let Data::Text(one_line) = &entry.value.data else { continue };
        let (line, body) = match entry.value.literal_body(&document) {
            Some((start, indent)) => {
                let (line, _) = document.line_column(start);
                let margin = " ".repeat(indent.max(1));
                let rest = document.text()[start..].lines();
                let body =
                    rest.take_while(|line| line.trim().is_empty() || line.starts_with(&margin)).collect::<Vec<_>>();
                (line, body.join("\n"))
            }
            None => {
                let (line, column) = document.line_column(entry.value.span().start);
                (line, format!("{}{one_line}", " ".repeat(column - 1)))
            }
        };
        let body = if body.trim().is_empty() { " pass".to_owned() } else { body };
        found.push(Effect {
            key: entry.key.to_string(),
            source: Arc::clone(source),
            line,
            body,
            function: OnceLock::new(),
        });
    }
    Ok(found)
}
