//! Ranges, sums and products, bounded in length.

use starlark::environment::GlobalsBuilder;
use starlark::starlark_module;
use starlark::values::none::NoneOr;
use starlark::values::{Heap, UnpackValue, Value};

use super::super::cell::{at, spend};
use crate::engine::context::Context;
use crate::engine::limits;

/// Bytes of one element of a list, and more than those of a letter.
const PART: usize = 8;

fn longest(value: Value<'_>) -> usize {
    value.length().map_or(0, |length| usize::try_from(length).unwrap_or(usize::MAX))
}

fn bounded(length: usize) -> starlark::Result<()> {
    if length <= limits::LENGTH {
        return spend(length.saturating_mul(PART));
    }
    at(|_| {
        Err(Context::failed(&format!("a list or text of {length} parts is more than the {} allowed", limits::LENGTH)))
    })
}

/// Refuses a number beyond those that a file can hold: it would grow without a bound.
fn beyond<'v>() -> starlark::Result<Value<'v>> {
    at(|_| Err(Context::failed("the number is beyond 64 bits")))
}

fn is_number(value: Value<'_>) -> bool {
    value.get_type() == "int"
}

#[starlark_module]
pub(super) fn operators(builder: &mut GlobalsBuilder) {
    /// The whole numbers from `start` up to, but without, `end`; of one number, those from 0 on.
    fn range<'v>(
        start: i64,
        #[starlark(default = NoneOr::None)] end: NoneOr<i64>,
        heap: Heap<'v>,
    ) -> starlark::Result<Value<'v>> {
        let (start, end) = end.into_option().map_or((0, start), |end| (start, end));
        let length = usize::try_from(end.saturating_sub(start)).unwrap_or(0);
        bounded(length)?;
        Ok(heap.alloc((start..end).collect::<Vec<_>>()))
    }

    /// What `left + right` means, with a bound on lists and texts.
    fn _plus<'v>(left: Value<'v>, right: Value<'v>, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        if let (Ok(Some(left)), Ok(Some(right))) = (i64::unpack_value(left), i64::unpack_value(right))
            && let Some(sum) = left.checked_add(right)
        {
            return Ok(heap.alloc(sum));
        }
        if is_number(left) && is_number(right) {
            return beyond();
        }
        bounded(longest(left).saturating_add(longest(right)))?;
        left.add(right, heap)
    }

    /// What `left * right` means, with a bound on lists and texts.
    fn _times<'v>(left: Value<'v>, right: Value<'v>, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        if let (Ok(Some(left)), Ok(Some(right))) = (i64::unpack_value(left), i64::unpack_value(right))
            && let Some(product) = left.checked_mul(right)
        {
            return Ok(heap.alloc(product));
        }
        if is_number(left) && is_number(right) {
            return beyond();
        }
        let factor = |value| i64::unpack_value(value).ok().flatten().map_or(1, |n| usize::try_from(n).unwrap_or(0));
        let length =
            longest(left).max(1).saturating_mul(factor(right)).max(longest(right).max(1).saturating_mul(factor(left)));
        bounded(length)?;
        left.mul(right, heap)
    }
}
