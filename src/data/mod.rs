//! Data without meaning of its own: what files, fields and selections hold.

mod canonical;
mod value;

pub use canonical::canonical_json;
pub use value::{Key, Map, Value, folded};
