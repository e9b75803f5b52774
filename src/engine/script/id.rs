//! Identifiers of spaces as scripts hold them: a number, or a pair of coordinates.

use std::convert::Infallible;

use starlark::typing::Ty;
use starlark::values::tuple::TupleRef;
use starlark::values::type_repr::StarlarkTypeRepr;
use starlark::values::{AllocValue, Heap, UnpackValue, Value};

use crate::game::SpaceId;

/// The identifier of a space: `3` for a number (B-4), `(2, -1)` for a place on a map (L-1).
#[derive(Debug, Clone, Copy)]
pub(super) struct Id(pub SpaceId);

impl StarlarkTypeRepr for Id {
    type Canonical = Self;

    fn starlark_type_repr() -> Ty {
        Ty::union2(i64::starlark_type_repr(), <(i64, i64)>::starlark_type_repr())
    }
}

impl<'v> UnpackValue<'v> for Id {
    type Error = Infallible;

    fn unpack_value_impl(value: Value<'v>) -> Result<Option<Self>, Infallible> {
        let number = |value: Value<'v>| i64::unpack_value(value).ok().flatten();
        if let Some(number) = number(value) {
            return Ok(Some(Self(SpaceId::Number(number))));
        }
        Ok(TupleRef::from_value(value).and_then(|pair| match pair.content() {
            [x, y] => SpaceId::at(number(*x)?, number(*y)?).map(Self),
            _ => None,
        }))
    }
}

impl<'v> AllocValue<'v> for Id {
    fn alloc_value(self, heap: Heap<'v>) -> Value<'v> {
        match self.0 {
            SpaceId::Number(number) => heap.alloc(number),
            SpaceId::Place { x, y } => heap.alloc((x, y)),
        }
    }
}
