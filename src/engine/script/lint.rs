//! What is found in a rule text before it runs: messages whose values do not fit their places.

use starlark::codemap::Span;
use starlark::syntax::AstModule;
use starlark_syntax::syntax::ast::{ArgumentP, AstExprP, AstLiteral, AstNoPayload, ExprP};

use super::message::{SPOKEN, places, wrong_count};

/// Finds the messages of a text that are wrong whenever they are shown: the start of each, and what is wrong with it.
pub(in crate::engine) fn wrong_messages(text: &AstModule) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    text.statement().visit_expr(|expression| visit(expression, &mut found));
    found
}

fn visit(expression: &AstExprP<AstNoPayload>, found: &mut Vec<(Span, String)>) {
    if let ExprP::Call(function, call) = &expression.node
        && let ExprP::Identifier(name) = &function.node
        && let Some((_, position)) = SPOKEN.iter().find(|(spoken, _)| *spoken == name.node.ident)
        && let Some(wrong) = wrong(&call.args.iter().map(|argument| &argument.node).collect::<Vec<_>>(), *position)
    {
        found.push((expression.span, wrong));
    }
    expression.node.visit_expr(|inner| visit(inner, found));
}

/// Says what is wrong with the arguments of a message whose text is at `position`; a text or values that only running
/// the rule can tell are left to it.
fn wrong(arguments: &[&ArgumentP<AstNoPayload>], position: usize) -> Option<String> {
    let mut positional = Vec::new();
    let mut texts = Vec::new();
    for argument in arguments {
        match argument {
            ArgumentP::Positional(value) => positional.push(value),
            ArgumentP::Named(name, value) if name.node == "help" => texts.push(literal(&value.node)?),
            ArgumentP::Named(..) => {}
            ArgumentP::Args(_) | ArgumentP::KwArgs(_) => return None,
        }
    }
    texts.insert(0, literal(&positional.get(position)?.node)?);
    let mut count = 0;
    for text in texts {
        match places(text) {
            Ok(places) => count += places,
            Err(wrong) => return Some(wrong),
        }
    }
    wrong_count(count, positional.len() - position - 1)
}

fn literal(value: &ExprP<AstNoPayload>) -> Option<&str> {
    match value {
        ExprP::Literal(AstLiteral::String(text)) => Some(&text.node),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::docs::vocabulary;
    use super::SPOKEN;

    #[test]
    fn every_word_that_fills_a_text_is_checked() {
        let page = vocabulary();
        let words = page.lines().filter(|line| line.contains("*values"));
        let words: Vec<&str> = words.filter_map(|line| line.strip_prefix("| `")?.split('(').next()).collect();
        assert_eq!(words, SPOKEN.iter().map(|(word, _)| *word).collect::<Vec<_>>());
    }
}
