//! Slots: what a value is written into.

/// What a value is written into.
#[derive(Debug, Clone, Copy)]
pub(super) enum Slot {
    /// The whole document.
    Root,
    /// The value of a block map whose keys begin in this column.
    Under(usize),
    /// The item of a block list, beginning in this column beside its dash. The first entry or item of a block
    /// collection is there too.
    Beside(usize),
    /// The item of a block list, beginning in this column on the line below its dash.
    Below(usize),
    /// The value of a flow map; its key may have no colon yet.
    FlowEntry { colon: bool },
    /// The item of a flow list.
    FlowItem,
}
