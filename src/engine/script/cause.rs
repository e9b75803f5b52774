//! The running rule belongs to the function that named it: when the function returns, its caller's rule is back.

#![expect(unsafe_code, reason = "the script library's own derives write `unsafe impl`; nothing here does by hand")]

use std::fmt;

use allocative::Allocative;
use starlark::coerce::Coerce;
use starlark::environment::Module;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_complex_value;
use starlark::values::{
    Freeze, NoSerialize, ProvidesStaticType, StarlarkPagable, StarlarkValue, Trace, Value, ValueLifetimeless, ValueLike,
};
use starlark_derive::starlark_value;

use super::cell::at;

/// A function of a rule file that names rules.
#[derive(Debug, Trace, Freeze, Coerce, ProvidesStaticType, NoSerialize, Allocative, StarlarkPagable)]
#[repr(C)]
pub(in crate::engine) struct NamesRulesGen<V: ValueLifetimeless> {
    function: V,
}
starlark_complex_value!(pub(in crate::engine) NamesRules);

impl<V: ValueLifetimeless + fmt::Display> fmt::Display for NamesRulesGen<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.function, f)
    }
}

#[starlark_value(type = "function")]
impl<'v, V: ValueLike<'v>> StarlarkValue<'v> for NamesRulesGen<V>
where
    Self: ProvidesStaticType<'v>,
{
    type Canonical = NamesRules<'v>;

    fn invoke(
        &self,
        _me: Value<'v>,
        args: &Arguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let cause = at(|context| Ok(context.cause.clone()))?;
        let result = self.function.invoke(args, eval)?;
        at(|context| {
            context.cause = cause;
            Ok(())
        })?;
        Ok(result)
    }
}

/// Lets the functions of these names give the cause back when they return.
pub(in crate::engine) fn keep_causes<'a>(module: &Module<'_>, names: impl Iterator<Item = &'a str>) {
    for name in names {
        if let Some(function) = module.get(name).filter(|value| value.get_type() == "function") {
            module.set(name, module.heap().alloc(NamesRulesGen { function }));
        }
    }
}
