//! Messages of rules: a text with places `{}`, filled in order with players, spaces, items, numbers and texts.

use std::fmt::Write;

use starlark::values::list::ListRef;
use starlark::values::tuple::TupleRef;
use starlark::values::{UnpackValue, Value, ValueLike};

use super::handles::{Player, Space};
use crate::engine::context::Context;
use crate::engine::interrupt::Interrupt;
use crate::engine::world::called;
use crate::game::{PlayerId, SpaceId};

/// What rules can say, with the position of the text among the arguments; after it come the values that fill it.
pub(in crate::engine) const SPOKEN: &[(&str, usize)] = &[
    ("ask_steward", 2),
    ("choose_item", 3),
    ("choose_item_or_none", 3),
    ("choose_number", 3),
    ("choose_place", 3),
    ("choose_player", 3),
    ("choose_roll", 3),
    ("choose_space", 3),
    ("choose_space_or_none", 3),
    ("choose_text", 2),
    ("choose_type", 3),
    ("choose_whole", 2),
    ("choose_word", 3),
    ("choose_yes_no", 2),
    ("needs_ruling", 1),
    ("random_item", 2),
    ("random_number", 2),
    ("random_player", 2),
    ("random_row", 1),
    ("random_space", 2),
    ("random_type", 2),
    ("refuse", 1),
    ("roll", 2),
    ("tell", 0),
];

/// A message that is being filled, and the players, spaces and items in it.
pub(in crate::engine) struct Message<'t, 'v> {
    context: &'t Context,
    values: &'t [Value<'v>],
    used: usize,
    mentions: Mentions,
}

/// The players, spaces and items that a message shows or is about, each once.
#[derive(Default)]
pub(super) struct Mentions {
    pub players: Vec<PlayerId>,
    pub spaces: Vec<SpaceId>,
    pub items: Vec<String>,
}

/// Fills one text with all of the values.
pub(in crate::engine) fn said(context: &Context, (text, values): (&str, &[Value<'_>])) -> Result<String, Interrupt> {
    let mut message = Message::new(context, values);
    let filled = message.fill(text)?;
    message.finish()?;
    Ok(filled)
}

impl<'t, 'v> Message<'t, 'v> {
    pub fn new(context: &'t Context, values: &'t [Value<'v>]) -> Self {
        Self { context, values, used: 0, mentions: Mentions::default() }
    }

    /// Fills the next text with the values that are left. What a value says is never read as a place.
    pub fn fill(&mut self, text: &str) -> Result<String, Interrupt> {
        let parts = parts(text).map_err(|wrong| Context::failed(&wrong))?;
        let mut filled = String::with_capacity(text.len());
        for part in parts {
            match part {
                Part::Text(text) => filled.push_str(text),
                Part::Place => {
                    let value = self.values.get(self.used).copied();
                    self.used += 1;
                    // Without a value the count is wrong, which `finish` says.
                    value.map_or(Ok(()), |value| self.show(value, &mut filled))?;
                }
            }
        }
        Ok(filled)
    }

    /// Ends the message: every place has its value, and every value its place.
    pub fn finish(self) -> Result<Mentions, Interrupt> {
        wrong_count(self.used, self.values.len()).map_or(Ok(()), |wrong| Err(Context::failed(&wrong)))?;
        Ok(self.mentions)
    }

    /// Notes the players, spaces and items of a value without showing it.
    pub fn note(&mut self, value: Value<'v>) -> Result<(), Interrupt> {
        self.show(value, &mut String::new())
    }

    fn show(&mut self, value: Value<'v>, shown: &mut String) -> Result<(), Interrupt> {
        if let Some(player) = value.downcast_ref::<Player>() {
            shown.push_str(&self.context.called(player.mover()));
            note(&mut self.mentions.players, player.id());
        } else if let Some(space) = value.downcast_ref::<Space>() {
            shown.push_str(&called(space.id()));
            note(&mut self.mentions.spaces, space.id());
        } else if let Some(text) = value.unpack_str() {
            shown.push_str(text);
            let ruleset = &self.context.ruleset;
            if ruleset.item(ruleset.plain(text)).is_some() {
                note(&mut self.mentions.items, text.to_owned());
            }
        } else if let Some(place) = place(value) {
            shown.push_str(&place);
        } else if let Some(values) = elements(value) {
            for (index, value) in values.into_iter().enumerate() {
                if index > 0 {
                    shown.push_str(", ");
                }
                self.show(value, shown)?;
            }
        } else if let Some(yes) = value.unpack_bool() {
            shown.push_str(if yes { "yes" } else { "no" });
        } else if value.is_none() {
            shown.push_str("none");
        } else if matches!(value.get_type(), "int" | "float") {
            // Writing to a text cannot fail.
            let _ = write!(shown, "{value}");
        } else {
            let wrong = format!("a message cannot show a {}", value.get_type());
            return Err(Context::failed(&wrong));
        }
        Ok(())
    }
}

fn note<T: PartialEq>(noted: &mut Vec<T>, new: T) {
    if !noted.contains(&new) {
        noted.push(new);
    }
}

/// The coordinates of a place on a map, if the value is a pair of numbers.
fn place(value: Value<'_>) -> Option<String> {
    let pair = TupleRef::from_value(value)?;
    match pair.content() {
        [x, y] => {
            let (x, y) = (i64::unpack_value(*x).ok()??, i64::unpack_value(*y).ok()??);
            Some(format!("({x}, {y})"))
        }
        _ => None,
    }
}

fn elements(value: Value<'_>) -> Option<Vec<Value<'_>>> {
    let list = ListRef::from_value(value).map(|list| list.iter().collect());
    list.or_else(|| TupleRef::from_value(value).map(|tuple| tuple.iter().collect()))
}

enum Part<'a> {
    Text(&'a str),
    Place,
}

/// Counts the places of a text.
///
/// # Errors
/// Says what is wrong with a brace that is neither a place nor doubled.
pub(in crate::engine) fn places(text: &str) -> Result<usize, String> {
    Ok(parts(text)?.iter().filter(|part| matches!(part, Part::Place)).count())
}

/// Says that the values of a message do not fit its places, if they do not.
pub(in crate::engine) fn wrong_count(places: usize, values: usize) -> Option<String> {
    let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let told = || format!("the message has {} `{{}}` and {}", plural(places, "place"), plural(values, "value"));
    (places != values).then(told)
}

/// Splits a text at its places `{}`; `{{` and `}}` are single braces.
fn parts(text: &str) -> Result<Vec<Part<'_>>, String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let brace = &rest[at..=at];
        let next = rest.get(at + 1..at + 2);
        let (kept, part) = match (brace, next) {
            (_, Some(doubled)) if doubled == brace => (at + 1, None),
            ("{", Some("}")) => (at, Some(Part::Place)),
            _ => {
                return Err(format!(
                    "`{brace}` alone in a message: a place is `{{}}`, and a brace is written twice: `{brace}{brace}`"
                ));
            }
        };
        if kept > 0 {
            found.push(Part::Text(&rest[..kept]));
        }
        found.extend(part);
        rest = &rest[at + 2..];
    }
    if !rest.is_empty() {
        found.push(Part::Text(rest));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_and_doubled_braces_are_not() {
        assert_eq!(places("{} leaves {}"), Ok(2));
        assert_eq!(places("a {{}} b {}}}"), Ok(1));
        assert_eq!(places("plain"), Ok(0));
    }

    #[test]
    fn a_brace_alone_is_wrong() {
        assert!(places("{0}").unwrap_err().contains("`{`"));
        assert!(places("a } b").unwrap_err().contains("`}}`"));
        assert!(places("ends {").is_err());
    }

    #[test]
    fn the_count_of_values_must_fit() {
        assert_eq!(wrong_count(2, 2), None);
        assert_eq!(wrong_count(1, 3).as_deref(), Some("the message has 1 place `{}` and 3 values"));
    }
}
