//! Data without meaning of its own: what files, fields and selections hold.

mod canonical;
mod shown;
mod value;

pub use canonical::canonical_json;
pub use shown::{looks, shown, shown_json, unseen};
pub use value::{Key, Map, Value, folded};
