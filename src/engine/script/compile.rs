//! Compiles rule texts to functions, each when it is first used.

#![expect(clippy::disallowed_types, reason = "the script library takes a HashMap; nothing reads its order")]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, OnceLock};

use starlark::ErrorKind;
use starlark::codemap::CodeMap;
use starlark::environment::{FrozenModule, Globals, Module};
use starlark::eval::Evaluator;
use starlark::syntax::{AstModule, Dialect, DialectTypes};
use starlark::values::OwnedFrozenValue;

use super::cause::keep_causes;
use super::depth::too_deep;
use super::effects::{Compiled, Effect, effects};
use super::failure::script_error;
use super::imports::circles;
use super::{lint, renamed};
use crate::engine::error::ScriptError;
use crate::engine::limits;
use crate::ruleset::{Ruleset, Sources, Text, words};

/// A `.star` file.
#[derive(Debug, Default)]
struct Script {
    /// The other files whose names it uses.
    uses: OnceLock<BTreeSet<usize>>,
    compiled: Compiled<FrozenModule>,
}

/// What has been compiled of a ruleset's texts.
#[derive(Debug)]
pub(in crate::engine) struct Scripts {
    sources: Arc<Sources>,
    /// The names that they can use.
    words: fn() -> &'static Globals,
    /// For each `.star` file: its module.
    modules: BTreeMap<usize, Script>,
    effects: Vec<OnceLock<Result<Vec<Effect>, ScriptError>>>,
}

/// Returns the compiled rules of a ruleset, which a run has prepared.
pub(in crate::engine) fn scripts(ruleset: &Ruleset) -> &Scripts {
    ruleset.compiled(|| unreachable!("a run prepares the rules before it calls one"))
}

/// Prepares the rules of a ruleset to be compiled, with the words that they can use.
pub(in crate::engine) fn prepare(ruleset: &Ruleset, words: fn() -> &'static Globals) -> &Scripts {
    ruleset.compiled(|| Scripts::new(ruleset.sources(), words))
}

impl Scripts {
    fn new(sources: &Arc<Sources>, words: fn() -> &'static Globals) -> Self {
        let effects = (0..sources.count()).map(|_| OnceLock::new()).collect();
        let modules = sources.scripts().iter().map(|&file| (file, Script::default())).collect();
        Self { sources: Arc::clone(sources), words, modules, effects }
    }

    /// Returns the function of an effect.
    pub(in crate::engine) fn effect(
        &self,
        file: usize,
        key: &str,
        params: &[String],
    ) -> Result<Option<&OwnedFrozenValue>, ScriptError> {
        let Some(effect) = self.effects_of(file)?.iter().find(|effect| effect.key == key) else { return Ok(None) };
        effect.function.get_or_init(|| self.compile_effect(effect, params)).as_ref().map(Some).map_err(Clone::clone)
    }

    /// Returns the rule file of an effect and the line of its first words.
    pub(in crate::engine) fn place(&self, file: usize, key: &str) -> (String, usize) {
        let effects = self.effects_of(file).unwrap_or_default();
        let effect = effects.iter().find(|effect| effect.key == key);
        effect.map_or_else(|| (self.name(file), 1), |effect| (effect.source.name.clone(), effect.line))
    }

    /// Returns a function that one of the `.star` files defines.
    pub(in crate::engine) fn function(&self, name: &str) -> Result<OwnedFrozenValue, ScriptError> {
        let missing = || ScriptError {
            file: "ruleset.yaml".into(),
            line: 1,
            column: 1,
            message: renamed::new_name(&self.sources, name)
                .unwrap_or_else(|| format!("no rule file defines the function `{name}`")),
        };
        let file = *self.sources.exports().get(name).ok_or_else(missing)?;
        self.module(file)?.get(name).map_err(|_| missing())
    }

    /// Compiles everything, for `rules check`.
    pub(in crate::engine) fn check(&self, hooks: &BTreeMap<String, Vec<String>>) -> Vec<ScriptError> {
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

    /// Returns the name of a file as people know it.
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

    /// Returns the module with the functions of a file. Files that use each other share one.
    fn module(&self, file: usize) -> Result<&FrozenModule, ScriptError> {
        let compiled = &self.modules[&file].compiled;
        if compiled.get().is_none() {
            for circle in circles(file, |file| self.uses(file), |file| self.modules[&file].compiled.get().is_some()) {
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

    /// Returns the other files whose names a file uses.
    fn uses(&self, file: usize) -> &BTreeSet<usize> {
        self.modules[&file].uses.get_or_init(|| {
            let texts = self.sources.part(file).iter().map(Text::law);
            texts.flat_map(|text| self.used(&text).collect::<Vec<_>>()).filter(|other| *other != file).collect()
        })
    }

    /// Returns the files whose names a text uses.
    fn used<'a>(&'a self, text: &'a str) -> impl Iterator<Item = usize> + 'a {
        words(text).into_iter().filter_map(|word| self.sources.exports().get(word).copied())
    }

    /// Returns the functions of these files that name the running rule.
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
                let failed = |error: starlark::Error| {
                    let mut error = script_error(&error, Some(&((*name).to_owned(), 1)));
                    renamed::explain(&self.sources, &mut error.message);
                    error
                };
                let ast = parsed(name, text.clone().into_owned()).map_err(failed)?;
                let mut eval = Evaluator::new(&module);
                eval.set_max_tick_count(limits::STEPS).expect("set once, above zero");
                eval.eval_module(ast, (self.words)()).map_err(failed)?;
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

/// A text that nests without an end.
#[derive(Debug)]
struct TooDeep;

impl fmt::Display for TooDeep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("brackets, operators or blocks nest too deep here")
    }
}

impl std::error::Error for TooDeep {}

fn parsed(name: &str, text: String) -> starlark::Result<AstModule> {
    if let Some(line) = too_deep(&text) {
        let file = CodeMap::new(name.to_owned(), text);
        let span = file.line_span(line - 1);
        return Err(starlark::Error::new_spanned(ErrorKind::Other(TooDeep.into()), span, &file));
    }
    let dialect =
        Dialect { enable_types: DialectTypes::Enable, enable_load: false, enable_f_strings: true, ..Dialect::Standard };
    let mut ast = AstModule::parse(name, text, &dialect)?;
    // Sums and products of lists and texts would grow without a bound between two looks at the heap.
    let bounded =
        [("+", "_plus"), ("*", "_times")].map(|(operator, function)| (operator.to_owned(), function.to_owned()));
    ast.replace_binary_operators(&HashMap::from(bounded));
    Ok(ast)
}
