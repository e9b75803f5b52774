//! Reading who throws the dice of a game.

use super::super::{BeaconDice, Thrower};
use crate::data::{Key, Value};

const HASH: &str = "8d969eef6ecad3c29a3a629280e686cf0c3f5d5a86aff3ca12020c923adc6c92";

fn dice(parts: &[(&str, Value)]) -> Value {
    Value::Map(parts.iter().map(|(key, value)| (Key::from(*key), value.clone())).collect())
}

/// Returns the part that is wrong, and the code.
fn wrong(parts: &[(&str, Value)]) -> (&'static str, &'static str) {
    let wrong = Thrower::read(&dice(parts)).expect_err("something is wrong with it");
    (wrong.part, wrong.error.code)
}

#[test]
fn nothing_is_the_referee_and_a_beacon_is_quicknet() {
    assert_eq!(Thrower::read(&Value::Null), Ok(Thrower::Referee));
    assert_eq!(Thrower::read(&dice(&[("by", "posted".into())])), Ok(Thrower::Posted));
    let beacon = Thrower::read(&dice(&[("by", "beacon".into())]));
    assert_eq!(beacon, Ok(Thrower::Beacon(Box::default())));
    assert_eq!(BeaconDice::default().delay, 30);
}

#[test]
fn a_seal_needs_a_hash_and_a_time_for_words_unless_it_is_older() {
    let by = ("by", Value::from("sealed"));
    let hash = ("hash", Value::from(HASH));
    let until = ("words-until", Value::from("2024-01-06T00:00:00Z"));
    assert_eq!(wrong(std::slice::from_ref(&by)), ("hash", "bad-dice"));
    assert_eq!(wrong(&[by.clone(), ("hash", HASH.to_uppercase().as_str().into())]), ("hash", "bad-dice"));
    assert_eq!(wrong(&[by.clone(), hash.clone()]), ("words-until", "bad-dice"));
    let words = ("words", dice(&[("Ann", "heron".into())]));
    let Ok(Thrower::Sealed(seal)) = Thrower::read(&dice(&[by.clone(), hash.clone(), until.clone(), words])) else {
        panic!("a seal");
    };
    assert_eq!((seal.words.iter().collect::<Vec<_>>(), seal.scheme_1), (vec![("Ann", "heron")], false));
    let older = Thrower::read(&dice(&[by.clone(), hash.clone(), ("scheme", Value::Int(1))]));
    assert!(matches!(older, Ok(Thrower::Sealed(seal)) if seal.scheme_1 && seal.words_until.is_none()));
    assert_eq!(wrong(&[by.clone(), hash.clone(), until.clone(), ("scheme", Value::Int(2))]), ("scheme", "bad-dice"));
    for word in [Value::Int(7), Value::Null] {
        let words = ("words", dice(&[("Ann", word)]));
        assert_eq!(wrong(&[by.clone(), hash.clone(), until.clone(), words]), ("words", "bad-dice"));
    }
    let words = ("words", dice(&[("Ann", "two words".into())]));
    assert_eq!(wrong(&[by, hash, until, words]), ("words", "bad-word"));
}

#[test]
fn what_is_wrong_has_its_part() {
    let by = ("by", Value::from("beacon"));
    assert_eq!(wrong(&[("by", "luck".into())]), ("by", "bad-dice"));
    assert_eq!(wrong(&[("hash", HASH.into())]), ("by", "bad-dice"));
    assert_eq!(wrong(&[by.clone(), ("hash", HASH.into())]), ("", "bad-dice"));
    assert_eq!(wrong(&[by.clone(), ("delay", Value::Int(5))]), ("delay", "short-delay"));
    assert_eq!(wrong(&[by.clone(), ("delay", Value::Int(-30))]), ("delay", "bad-dice"));
    assert_eq!(wrong(&[by.clone(), ("chain", "default".into())]), ("chain", "chained"));
    assert_eq!(wrong(&[by, ("since", "soon".into())]), ("since", "bad-dice"));
}
