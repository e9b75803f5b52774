//! Finding what a name means: exactly, else as people write it, else by a beginning that only one name has.

/// A name without what people write now one way and now another: case, spacing, the style of quotes, and the marks that
/// join symbols (TA-4, TA-7).
fn folded(name: &str) -> String {
    let joins = |c: char| matches!(c, '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' | '\'' | '"' | '‘' | '’' | '“' | '”' | '`');
    crate::data::folded(&name.chars().filter(|c| !c.is_whitespace() && !joins(*c)).collect::<String>())
}

/// Whether two names are the same but for the way in which people write them (R-53, TA-7).
pub(super) fn same(a: &str, b: &str) -> bool {
    folded(a) == folded(b)
}

/// The one candidate that `word` names.
///
/// # Errors
/// The names that it could mean: none, or several.
#[expect(clippy::needless_pass_by_value, reason = "callers hand over an iterator made for this")]
pub(crate) fn find<'a, T>(
    word: &str,
    candidates: impl Iterator<Item = (T, &'a str)> + Clone,
) -> Result<T, Vec<&'a str>> {
    if let Some((found, _)) = candidates.clone().find(|(_, name)| *name == word) {
        return Ok(found);
    }
    let word = folded(word);
    let one = word.strip_suffix('s').unwrap_or(&word).to_owned();
    let fits: [&dyn Fn(&str) -> bool; 3] = [&|name| folded(name) == word, &|name| folded(name) == one, &|name| {
        !word.is_empty() && folded(name).starts_with(&word)
    }];
    for fits in fits {
        let mut found: Vec<(T, &str)> = candidates.clone().filter(|(_, name)| fits(name)).collect();
        if found.len() > 1 {
            return Err(found.into_iter().map(|(_, name)| name).collect());
        }
        if let Some((found, _)) = found.pop() {
            return Ok(found);
        }
    }
    Err(Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(word: &str) -> Result<usize, Vec<&'static str>> {
        let names = ["Time Bean Chili", "Don't Use This", "❤️🔥", "Duck", "duchess", "Glass", "Gla"];
        find(word, names.into_iter().enumerate())
    }

    #[test]
    fn a_name_is_found_as_people_write_it() {
        assert_eq!(found("time  bean chilis"), Ok(0));
        assert_eq!(found("don’t use this"), Ok(1));
        assert_eq!(found("❤\u{fe0f}\u{200d}🔥"), Ok(2));
        assert_eq!(found("DUCK"), Ok(3));
        assert_eq!(found("time"), Ok(0));
        assert_eq!(found("gla"), Ok(6));
        assert_eq!(found("glass"), Ok(5));
    }

    #[test]
    fn a_beginning_that_several_names_have_is_not_guessed() {
        assert_eq!(found("du"), Err(vec!["Duck", "duchess"]));
        assert_eq!(found(""), Err(vec![]));
        assert_eq!(found("goose"), Err(vec![]));
    }
}
