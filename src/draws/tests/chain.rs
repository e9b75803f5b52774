//! Which round a post gets, and which chains there are.

use super::super::{Chain, hex};
use crate::data::{Key, Value};

/// A key that no built-in chain has: that of drand's former fastnet.
const KEY: &str = "a0b862a7527fee3a731bcb59280ab6abd62d5c0b6ea03dc4ddf6612fdfc9d01f01c31542541771903475eb1ec6615f8d0df0b8b6\
                   dce385811d6dcf8cbefb8759e5e616a3dfd054c928940766d9a5b9db91e3b697e5d70a975181e007f87fca5e";
const SCHEME: &str = "bls-unchained-on-g1";
const QUICKNET_KEY: &str = "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451\
                            0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a";

fn code(chain: Result<Chain, super::super::DrawError>) -> &'static str {
    chain.expect_err("it is refused").code
}

/// Returns the first round at or after the post and the delay, by trying one after the other.
fn by_hand(chain: &Chain, post_ms: i64, delay: u32) -> u64 {
    let due = post_ms + i64::from(delay) * 1000;
    (1..1_000).find(|round| chain.time_of(*round).expect("a time") >= due).expect("there are enough rounds")
}

#[test]
fn a_post_gets_the_first_round_after_its_delay() {
    // A post exactly 30 s before round 1000 of quicknet gets that round, and one a millisecond later the next.
    let quicknet = Chain::quicknet();
    assert_eq!(quicknet.time_of(1000), Some(1_692_806_364_000));
    assert_eq!(quicknet.round_for(1_692_806_334_000, 30), Ok(1000));
    assert_eq!(quicknet.round_for(1_692_806_334_001, 30), Ok(1001));
    assert_eq!(quicknet.round_for(1_692_806_333_999, 30), Ok(1000));
    assert_eq!(quicknet.round_for(1_692_806_331_001, 30), Ok(1000));
    assert_eq!(quicknet.round_for(1_692_806_331_000, 30), Ok(999));
}

#[test]
fn every_boundary_is_that_of_brute_force() {
    let mut tried = 0;
    for (genesis, period) in [(1_692_803_367, 3), (1_000, 30), (0, 1), (-50, 7)] {
        let chain = Chain::custom(KEY, genesis, period, SCHEME).expect("its facts are good");
        let shortest = 2 * period;
        for delay in [shortest, shortest + 1, shortest + period, 97] {
            // From well before the genesis, every millisecond around every boundary of the first rounds.
            for second in -200..(i64::from(period) * 20) {
                for milli in [-1, 0, 1, 499] {
                    let post = (genesis + second) * 1000 + milli;
                    assert_eq!(
                        chain.round_for(post, delay),
                        Ok(by_hand(&chain, post, delay)),
                        "post {post}, delay {delay}, genesis {genesis}, period {period}"
                    );
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 10_000);
}

#[test]
fn before_the_genesis_it_is_round_1() {
    let chain = Chain::quicknet();
    for post in [i64::MIN, -1, 0, 1_692_803_336_999, 1_692_803_337_000] {
        assert_eq!(chain.round_for(post, 30), Ok(1), "{post}");
    }
    assert_eq!(chain.round_for(1_692_803_337_001, 30), Ok(2));
}

#[test]
fn the_ends_of_time_do_no_harm() {
    for genesis in [i64::MIN, 0, i64::MAX] {
        for period in [1, u32::MAX] {
            let chain = Chain::custom(KEY, genesis, period, SCHEME).expect("its facts are good");
            for post in [i64::MIN, 0, i64::MAX] {
                let round = chain.round_for(post, u32::MAX);
                assert!(period == u32::MAX || round.expect("long enough") >= 1);
            }
            for round in [1, u64::MAX] {
                let time = chain.time_of(round);
                assert!(time.is_none() || genesis == 0, "{time:?}");
            }
        }
    }
    assert_eq!(Chain::quicknet().time_of(0), None);
}

#[test]
fn a_delay_under_two_periods_is_refused() {
    let default = Chain::named("default").expect("it is built in");
    for (chain, least) in [(Chain::quicknet(), 6), (default, 60)] {
        assert_eq!(chain.shortest_delay(), u64::from(least));
        for delay in 0..least {
            assert_eq!(chain.round_for(1_700_000_000_000, delay).expect_err("too short").code, "short-delay");
        }
        assert!(chain.round_for(1_700_000_000_000, least).is_ok());
    }
}

#[test]
fn a_chain_of_its_own_needs_a_key_of_its_scheme() {
    let chain = Chain::custom(KEY, 1_677_685_200, 3, SCHEME).expect("its facts are good");
    assert!(chain.is_custom());
    assert_eq!((chain.name(), chain.address(5)), (None, None));
    assert_eq!(code(Chain::custom(KEY, 0, 0, SCHEME)), "bad-chain");
    assert_eq!(code(Chain::custom(KEY, 0, 3, "bls-bn254-unchained-on-g1")), "bad-chain");
    // A key on G2 is not one on G1, nor is half of it or another spelling.
    assert_eq!(code(Chain::custom(KEY, 0, 3, "pedersen-bls-unchained")), "bad-chain");
    assert_eq!(code(Chain::custom(&KEY[..96], 0, 3, "pedersen-bls-unchained")), "bad-chain");
    assert_eq!(code(Chain::custom(&KEY[2..], 0, 3, SCHEME)), "bad-chain");
    assert_eq!(code(Chain::custom(&KEY.to_uppercase(), 0, 3, SCHEME)), "bad-chain");
    assert_eq!(code(Chain::custom("", 0, 3, SCHEME)), "bad-chain");
    // Under the point at infinity anyone can sign.
    let infinity = hex::encode(&[vec![0xc0], vec![0; 95]].concat());
    assert_eq!(code(Chain::custom(&infinity, 0, 3, SCHEME)), "bad-chain");
    let infinity = hex::encode(&[vec![0xc0], vec![0; 47]].concat());
    assert_eq!(code(Chain::custom(&infinity, 0, 3, "pedersen-bls-unchained")), "bad-chain");
}

#[test]
fn each_fact_of_a_chain_changes_its_hash() {
    let hash = |genesis, period, scheme| {
        Chain::custom(KEY, genesis, period, scheme).expect("its facts are good").hash().to_owned()
    };
    let mut all = vec![
        hash(1, 3, SCHEME),
        hash(2, 3, SCHEME),
        hash(1, 4, SCHEME),
        hash(1, 3, "bls-unchained-g1-rfc9380"),
        hash(13, 3, SCHEME),
        hash(1, 33, SCHEME),
    ];
    assert!(all.iter().all(|hash| hash.len() == 64));
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 6);
}

#[test]
fn a_built_in_chain_has_one_timetable() {
    let rfc = "bls-unchained-g1-rfc9380";
    assert_eq!(Chain::custom(QUICKNET_KEY, 1_692_803_367, 3, rfc), Ok(Chain::quicknet()));
    // With an earlier round in its place, the die would be known before the post.
    assert_eq!(code(Chain::custom(QUICKNET_KEY, 1_692_803_367 + 3_000, 3, rfc)), "borrowed-key");
    assert_eq!(code(Chain::custom(QUICKNET_KEY, 1_692_803_367, 30, rfc)), "borrowed-key");
    assert_eq!(code(Chain::custom(QUICKNET_KEY, 1_692_803_367, 3, SCHEME)), "borrowed-key");
}

#[test]
fn a_game_takes_an_unchained_chain() {
    let text = |text: &str| Value::Text(text.into());
    assert_eq!(Chain::of_game(&text("quicknet")), Ok(Chain::quicknet()));
    assert_eq!(code(Chain::of_game(&text("default"))), "chained");
    assert_eq!(code(Chain::of_game(&text("Quicknet"))), "unknown-chain");
    assert_eq!(code(Chain::of_game(&Value::Null)), "bad-chain");
    let map = |entries: &[(&str, Value)]| {
        Value::Map(entries.iter().map(|(key, value)| (Key::from(*key), value.clone())).collect())
    };
    let good = [
        ("public-key", text(KEY)),
        ("genesis", Value::Int(1_677_685_200)),
        ("period", Value::Int(3)),
        ("scheme", text(SCHEME)),
    ];
    assert_eq!(Chain::of_game(&map(&good)), Chain::custom(KEY, 1_677_685_200, 3, SCHEME));
    for left_out in 0..4 {
        let mut rest = good.to_vec();
        rest.remove(left_out);
        assert_eq!(code(Chain::of_game(&map(&rest))), "bad-chain", "without {}", good[left_out].0);
    }
    let unknown = [&good[..], &[("hash", text("00"))]].concat();
    assert_eq!(code(Chain::of_game(&map(&unknown))), "bad-chain");
    for period in [-1, 0, i64::MAX] {
        let mut other = good.clone();
        other[2].1 = Value::Int(period);
        assert_eq!(code(Chain::of_game(&map(&other))), "bad-chain");
    }
    let key = "868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31";
    let chained = [
        ("public-key", text(key)),
        ("genesis", Value::Int(1_595_431_050)),
        ("period", Value::Int(30)),
        ("scheme", text("pedersen-bls-chained")),
    ];
    assert_eq!(code(Chain::of_game(&map(&chained))), "chained");
}

#[test]
fn a_round_has_a_public_address() {
    let address = "https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/public/123";
    assert_eq!(Chain::quicknet().address(123).as_deref(), Some(address));
}
