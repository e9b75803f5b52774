//! Declining an optional effect.

use crate::data::Value;
use crate::protocol::{By, Options, Question, What};

/// Returns the answer that declines an optional effect, if the question is about one.
pub(super) fn decline(question: &Question) -> Option<Value> {
    if question.by == By::Random {
        return None;
    }
    let Options::OneOf(options) = &question.options else { return None };
    let no = match question.what {
        What::YesNo => Value::from("no"),
        What::Number => Value::Int(0),
        _ => Value::from("none"),
    };
    options.contains(&no).then_some(no)
}
