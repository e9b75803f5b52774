//! Plain data and how it is written: what files, fields and selections contain.

mod canonical;
mod dice;
mod pointer;
mod shown;
mod text;
mod value;

pub use canonical::canonical_json;
pub use dice::{Dice, NotDice};
pub use pointer::Pointer;
pub(crate) use pointer::set as set_at;
pub use shown::{looks, shown, shown_json, unseen};
pub use text::{folded, nearest};
pub use value::{Key, Map, Value};
