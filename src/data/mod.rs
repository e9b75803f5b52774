//! Data without meaning of its own: what files, fields and selections hold.

mod value;

pub use value::{Key, Map, Value, folded};
