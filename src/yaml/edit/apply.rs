//! Makes edits: plans them, writes them, and returns the new text only if it is proven.

use std::sync::Arc;

use super::write::{Attempt, Writer};
use super::{CannotEdit, Edit, Style, plan, proof};
use crate::diagnostic::Source;
use crate::yaml::read::tree::Document;

impl Document {
    /// Makes all `edits` at once with as little change to the text as possible, and reads the new text again.
    ///
    /// An edit may reach into what another edit adds, but not into what another edit sets or removes.
    ///
    /// # Errors
    /// If the edits do not fit the document or each other; and if no text is found that is proven to say exactly what
    /// was asked for, with all comments of what stays.
    pub fn edit(&self, edits: &[Edit], style: &Style) -> Result<Self, CannotEdit> {
        let change = plan::plan(self, edits)?;
        if change.is_none() {
            return Ok(self.clone());
        }
        for attempt in [Attempt::Matching, Attempt::Quoted, Attempt::Dedented] {
            let Some((text, kept)) = Writer::new(self, style, attempt).write(&change) else { continue };
            let source = Source::new(self.source.name.clone(), text);
            let Ok(edited) = Self::parse_source(Arc::new(source)) else { continue };
            if proof::says(&self.root, &change, &edited.root) && proof::keeps_comments(self, &kept, &edited) {
                return Ok(edited);
            }
        }
        Err(CannotEdit::new("no way was found to write the change into the file without disturbing something else"))
    }
}
