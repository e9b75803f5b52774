//! From rule texts to functions, each compiled when it is first used.

#![expect(clippy::disallowed_types, reason = "the script library takes a HashMap; nothing reads its order")]

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, OnceLock};

use starlark::environment::{FrozenModule, Globals, Module};
use starlark::eval::Evaluator;
use starlark::syntax::{AstModule, Dialect, DialectTypes};
use starlark::values::OwnedFrozenValue;

use super::lend;
use crate::problem::{Problem, Source};
use crate::yaml::{Data, Document};

/// What a single run of a rule may use: far above what any rule needs, far below what hurts.
pub(in crate::rulebook) mod limits {
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
    pub(super) fn of(error: &starlark::Error, entered: Option<&(String, usize)>) -> Self {
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
    pub fn problem(&self, sources: &[Arc<Source>]) -> Problem {
        let problem = Problem::new("bad-rule", self.message.clone());
        match sources.iter().find(|source| source.name == self.file) {
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
    /// Line of the text's first line, from 1.
    line: usize,
    /// The text's lines as they stand in the file, indentation and all.
    body: String,
    function: Compiled<OwnedFrozenValue>,
}

/// All rule texts of a ruleset.
#[derive(Debug)]
pub struct Scripts {
    sources: Vec<Arc<Source>>,
    /// For each source that is a `.star` file: its module.
    modules: BTreeMap<usize, Compiled<FrozenModule>>,
    /// Which source defines a name that other rules may use.
    exports: BTreeMap<String, usize>,
    effects: Vec<OnceLock<Result<Vec<Effect>, ScriptError>>>,
}

impl Scripts {
    pub(in crate::rulebook) fn new(sources: Vec<Arc<Source>>, paths: &[&str]) -> Self {
        let is_script = |path: &str| std::path::Path::new(path).extension().is_some_and(|end| end == "star");
        let scripts: Vec<usize> = (0..paths.len()).filter(|&place| is_script(paths[place])).collect();
        let mut exports = BTreeMap::new();
        for &file in &scripts {
            for line in sources[file].text.lines() {
                let word = line.strip_prefix("def ").unwrap_or(line);
                let end = word.find(|c: char| !is_word(c)).unwrap_or(word.len());
                let (name, rest) = word.split_at(end);
                let defines = word.len() < line.len() || rest.trim_start().starts_with('=');
                if defines && name.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    exports.entry(name.to_owned()).or_insert(file);
                }
            }
        }
        let effects = sources.iter().map(|_| OnceLock::new()).collect();
        let modules = scripts.into_iter().map(|file| (file, OnceLock::new())).collect();
        Self { sources, modules, exports, effects }
    }

    pub(in crate::rulebook) fn sources(&self) -> &[Arc<Source>] {
        &self.sources
    }

    /// The function of an effect.
    pub(super) fn effect(
        &self,
        file: usize,
        key: &str,
        params: &[String],
    ) -> Result<Option<&OwnedFrozenValue>, ScriptError> {
        let Some(effect) = self.effects_of(file)?.iter().find(|effect| effect.key == key) else { return Ok(None) };
        effect
            .function
            .get_or_init(|| self.compile_effect(file, effect, params))
            .as_ref()
            .map(Some)
            .map_err(Clone::clone)
    }

    /// The rule file of an effect and the line of its first words.
    pub(super) fn place(&self, file: usize, key: &str) -> (String, usize) {
        let effects = self.effects_of(file).unwrap_or_default();
        let line = effects.iter().find(|effect| effect.key == key).map_or(1, |effect| effect.line);
        (self.sources[file].name.clone(), line)
    }

    /// A function that one of the `.star` files defines.
    pub(super) fn function(&self, name: &str) -> Result<OwnedFrozenValue, ScriptError> {
        let missing = || ScriptError {
            file: "ruleset.yaml".into(),
            line: 1,
            column: 1,
            message: format!("no rule file defines the function `{name}`"),
        };
        let file = *self.exports.get(name).ok_or_else(missing)?;
        self.module(file, &mut Vec::new())?.get(name).map_err(|_| missing())
    }

    /// Compiles everything, for `rules check`.
    pub(in crate::rulebook) fn check(&self, hooks: &BTreeMap<String, Vec<String>>) -> Vec<ScriptError> {
        let mut errors: Vec<ScriptError> =
            self.modules.keys().filter_map(|&file| self.module(file, &mut Vec::new()).err()).collect();
        for file in 0..self.sources.len() {
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
        errors.dedup();
        errors
    }

    fn effects_of(&self, file: usize) -> Result<&[Effect], ScriptError> {
        let found = self.effects[file].get_or_init(|| effects(&self.sources[file]));
        found.as_deref().map_err(Clone::clone)
    }

    fn module(&self, file: usize, open: &mut Vec<usize>) -> Result<&FrozenModule, ScriptError> {
        if open.contains(&file) {
            let names: Vec<_> = open.iter().map(|&file| self.sources[file].name.as_str()).collect();
            return Err(ScriptError {
                file: self.sources[file].name.clone(),
                line: 1,
                column: 1,
                message: format!("rule files use each other in a circle: {}", names.join(", ")),
            });
        }
        let slot = &self.modules[&file];
        if let Some(done) = slot.get() {
            return done.as_ref().map_err(Clone::clone);
        }
        open.push(file);
        let source = &self.sources[file];
        let module = self.compile(&source.name, source.text.clone(), Some(file), open);
        open.pop();
        slot.get_or_init(|| module).as_ref().map_err(Clone::clone)
    }

    fn compile_effect(&self, file: usize, effect: &Effect, params: &[String]) -> Result<OwnedFrozenValue, ScriptError> {
        // Blank lines before it let every line of the function keep its number in the rule file.
        let before = "\n".repeat(effect.line.saturating_sub(2));
        let text = format!("{before}def effect({}):\n{}\n", params.join(", "), effect.body);
        let name = &self.sources[file].name;
        let module = self.compile(name, text, None, &mut Vec::new())?;
        module.get("effect").map_err(|error| ScriptError {
            file: name.clone(),
            line: effect.line,
            column: 1,
            message: error.to_string(),
        })
    }

    fn compile(
        &self,
        name: &str,
        text: String,
        own: Option<usize>,
        open: &mut Vec<usize>,
    ) -> Result<FrozenModule, ScriptError> {
        let mut imports = Vec::new();
        for word in words(&text) {
            if let Some(&file) = self.exports.get(word)
                && Some(file) != own
                && !imports.contains(&file)
            {
                imports.push(file);
            }
        }
        let imports = imports.into_iter().map(|file| self.module(file, open)).collect::<Result<Vec<_>, _>>()?;
        let failed = |error: starlark::Error| ScriptError::of(&error, Some(&(name.to_owned(), 1)));
        let dialect = Dialect {
            enable_types: DialectTypes::Enable,
            enable_load: false,
            enable_f_strings: true,
            ..Dialect::Standard
        };
        let mut ast = AstModule::parse(name, text, &dialect).map_err(failed)?;
        // Sums and products of lists and texts would grow without a bound between two looks at the heap.
        let bounded =
            [("+", "_plus"), ("*", "_times")].map(|(operator, function)| (operator.to_owned(), function.to_owned()));
        ast.replace_binary_operators(&HashMap::from(bounded));
        Module::with_temp_heap(|module| {
            for import in imports {
                module.import_public_symbols(import);
            }
            {
                let mut eval = Evaluator::new(&module);
                eval.set_max_tick_count(limits::STEPS).expect("set once, above zero");
                eval.eval_module(ast, globals()).map_err(failed)?;
            }
            module.freeze().map_err(|error| ScriptError {
                file: name.to_owned(),
                line: 1,
                column: 1,
                message: format!("{error:?}"),
            })
        })
    }
}

/// The words of a script outside its comments and texts.
fn words(script: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = script;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => text_length(rest, c),
            _ if is_word(c) => {
                let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                found.push(&rest[..end]);
                end
            }
            _ => c.len_utf8(),
        };
        rest = &rest[length..];
    }
    found
}

/// The bytes of the text in quotes with which `rest` begins.
fn text_length(rest: &str, quote: char) -> usize {
    let triple = quote.to_string().repeat(3);
    let (end, mut at) = if rest.starts_with(&triple) { (triple, 3) } else { (quote.to_string(), 1) };
    while at < rest.len() && !rest[at..].starts_with(&end) {
        let escaped = rest[at..].starts_with('\\');
        let step = rest[at..].chars().take(1 + usize::from(escaped)).map(char::len_utf8).sum::<usize>();
        at += step;
    }
    (at + end.len()).min(rest.len())
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn globals() -> &'static Globals {
    static GLOBALS: OnceLock<Globals> = OnceLock::new();
    GLOBALS.get_or_init(lend::globals)
}

/// Finds the effects in a rule file: every text under a top-level key, as far as its cases.
fn effects(source: &Source) -> Result<Vec<Effect>, ScriptError> {
    let text = source.text.split_inclusive("\ncases:").next().map_or("", |text| text.trim_end_matches("cases:"));
    let document = Document::parse(text).map_err(|problems| {
        let (line, column) = problems.first().map_or((1, 1), |problem| source.line_column(problem.span.start));
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
        found.push(Effect { key: entry.key.to_string(), line, body, function: OnceLock::new() });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_comments_and_texts_are_no_names() {
        let script = "def a(x):\n    \"\"\"land's end\"\"\"\n    # swap\n    b(x, 'it\\'s c', \"d\") # é\n    e('";
        assert_eq!(words(script), ["def", "a", "x", "b", "x", "e"]);
    }
}
