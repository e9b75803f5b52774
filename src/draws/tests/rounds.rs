//! Verification of rounds, with the public ones of `tests/data/drand-rounds.json`.

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::super::{Answer, Answers, Chain, hex};

#[derive(Deserialize)]
struct Facts {
    chains: std::collections::BTreeMap<String, ChainFacts>,
    rounds: Vec<Round>,
}

#[derive(Deserialize)]
struct ChainFacts {
    hash: String,
    scheme: String,
    period: u32,
    genesis: i64,
    public_key: String,
    group_hash: String,
}

#[derive(Deserialize)]
struct Round {
    chain: String,
    #[serde(rename = "round")]
    number: u64,
    time: String,
    signature: String,
    randomness: String,
    previous_signature: Option<String>,
}

impl Round {
    fn chain(&self) -> Chain {
        Chain::named(&self.chain).expect("it is built in")
    }

    fn answer(&self) -> Answer {
        Answer::new(self.number, &self.signature, self.previous_signature.as_deref()).expect("it is well formed")
    }

    /// Returns the code of what is wrong with this round if it has another signature.
    fn code_with(&self, signature: &[u8]) -> Option<&'static str> {
        let answer = Answer::new(self.number, &hex::encode(signature), self.previous_signature.as_deref());
        answer.and_then(|answer| answer.verify(&self.chain())).err().map(|error| error.code)
    }

    fn time_ms(&self) -> i64 {
        self.time.parse::<jiff::Timestamp>().expect("a time").as_millisecond()
    }

    fn bytes(&self) -> Vec<u8> {
        hex::decode(&self.signature).expect("hexadecimal")
    }
}

fn facts() -> Facts {
    serde_json::from_str(include_str!("../../../tests/data/drand-rounds.json")).expect("it is JSON of this shape")
}

#[test]
fn the_built_in_chains_are_those_of_the_public_facts() {
    for (name, facts) in facts().chains {
        let chain = Chain::named(&name).expect("it is built in");
        assert_eq!(chain.hash(), facts.hash);
        assert_eq!(chain.scheme().name(), facts.scheme);
        assert_eq!((chain.genesis(), chain.period()), (facts.genesis, facts.period));
        assert_eq!(hex::encode(chain.public_key()), facts.public_key);
        // A chain's hash is the fingerprint of these facts, so none of them can be mistyped.
        let mut fingerprint = Sha256::new();
        fingerprint.update(facts.period.to_be_bytes());
        fingerprint.update(facts.genesis.to_be_bytes());
        fingerprint.update(chain.public_key());
        fingerprint.update(hex::decode(&facts.group_hash).expect("hexadecimal"));
        fingerprint.update(if name == "default" { "" } else { &name });
        assert_eq!(hex::encode(&fingerprint.finalize()), facts.hash);
    }
}

#[test]
fn all_public_rounds_verify_and_have_their_randomness_and_time() {
    let rounds = facts().rounds;
    assert_eq!(rounds.len(), 74);
    for round in rounds {
        let beacon = round.answer().verify(&round.chain()).expect("it is the signature of its round");
        assert_eq!(hex::encode(&beacon.randomness()), round.randomness);
        assert_eq!(beacon.signature(), round.signature);
        assert_eq!((beacon.round(), beacon.chain_hash()), (round.number, round.chain().hash()));
        assert_eq!(round.chain().time_of(round.number), Some(round.time_ms()));
    }
}

#[test]
fn a_signature_is_of_one_round_and_one_chain() {
    let facts = facts();
    for (at, round) in facts.rounds.iter().enumerate() {
        let previous = round.previous_signature.as_deref();
        for other in [round.number + 1, round.number.wrapping_sub(1).max(2), u64::MAX] {
            if other != round.number {
                let answer = Answer::new(other, &round.signature, previous).expect("it is well formed");
                assert_eq!(answer.verify(&round.chain()).expect_err("another round").code, "wrong-signature");
            }
        }
        // The signatures of two rounds swapped.
        let next = &facts.rounds[(at + 1) % facts.rounds.len()];
        assert_eq!(round.code_with(&next.bytes()), Some("wrong-signature"), "round {}", round.number);
        for name in ["quicknet", "default"] {
            if name != round.chain {
                let other = Chain::named(name).expect("it is built in");
                assert_eq!(round.answer().verify(&other).expect_err("another chain").code, "wrong-signature");
            }
        }
    }
}

#[test]
fn a_flipped_bit_in_any_byte_is_refused() {
    let facts = facts();
    let of = |name: &'static str| facts.rounds.iter().filter(move |round| round.chain == name);
    for round in of("quicknet").take(3).chain(of("default").take(1)) {
        for byte in 0..round.bytes().len() {
            for bit in 0..8 {
                let mut flipped = round.bytes();
                flipped[byte] ^= 1 << bit;
                assert_eq!(round.code_with(&flipped), Some("wrong-signature"), "bit {bit} of byte {byte}");
            }
        }
    }
    // A chained signature covers the one before it.
    let round = of("default").next_back().expect("there are some");
    for byte in 0..96 {
        let mut previous = hex::decode(round.previous_signature.as_deref().expect("chained")).expect("hexadecimal");
        previous[byte] ^= 1;
        let answer = Answer::new(round.number, &round.signature, Some(&hex::encode(&previous))).expect("well formed");
        assert_eq!(answer.verify(&round.chain()).expect_err("flipped").code, "wrong-signature");
    }
    let bare = Answer::new(round.number, &round.signature, None).expect("well formed");
    assert_eq!(bare.verify(&round.chain()).expect_err("nothing before").code, "wrong-signature");
}

#[test]
fn a_signature_of_another_length_is_refused() {
    let facts = facts();
    for round in [&facts.rounds[0], facts.rounds.last().expect("there are some")] {
        let bytes = round.bytes();
        for length in 0..bytes.len() {
            assert!(round.code_with(&bytes[..length]).is_some(), "{length} bytes");
        }
        assert_eq!(round.code_with(&[bytes.clone(), vec![0]].concat()), Some("bad-beacon"));
        assert!(round.code_with(&[bytes.clone(), bytes.clone()].concat()).is_some());
        let (first, second) = bytes.split_at(bytes.len() / 2);
        assert_eq!(round.code_with(&[second, first].concat()), Some("wrong-signature"), "halves swapped");
        assert_eq!(round.code_with(&bytes.iter().rev().copied().collect::<Vec<_>>()), Some("wrong-signature"));
    }
}

/// The prime of the field of BLS12-381, the highest byte first.
const PRIME: &str = "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab";

#[test]
fn another_encoding_of_the_same_point_is_refused() {
    let prime = hex::decode(PRIME).expect("hexadecimal");
    let mut tried = 0;
    for round in facts().rounds.iter().filter(|round| round.chain == "quicknet") {
        // x + p names the same x, and fits into its 381 bits if x is small.
        let mut bytes = round.bytes();
        let flags = bytes[0] & 0xe0;
        bytes[0] &= 0x1f;
        let mut carry = 0;
        for at in (0..48).rev() {
            let sum = u16::from(bytes[at]) + u16::from(prime[at]) + carry;
            bytes[at] = u8::try_from(sum & 0xff).expect("masked");
            carry = sum >> 8;
        }
        if bytes[0] < 0x20 {
            bytes[0] |= flags;
            tried += 1;
            assert_eq!(round.code_with(&bytes), Some("wrong-signature"), "round {}", round.number);
        }
    }
    assert!(tried >= 5, "{tried} rounds have a small x");
}

#[test]
fn points_that_are_no_signature_are_refused() {
    let round = &facts().rounds[0];
    let infinity = [vec![0xc0], vec![0; 47]].concat();
    assert_eq!(round.code_with(&infinity), Some("wrong-signature"));
    assert_eq!(round.code_with(&[0; 48]), Some("wrong-signature"));
    assert_eq!(round.code_with(&[0xff; 48]), Some("wrong-signature"));
    // Half of the small numbers are the x of a point on the curve, hardly any of them in the right subgroup.
    for x in 0..=255 {
        for flags in [0x80, 0xa0, 0xc0, 0xe0] {
            let bytes = [vec![flags], vec![0; 46], vec![x]].concat();
            assert_eq!(round.code_with(&bytes), Some("wrong-signature"), "x = {x}, flags {flags:x}");
        }
    }
}

#[test]
fn a_round_is_spelled_in_one_way() {
    let round = &facts().rounds[4];
    let good = format!("{}:{}", round.number, round.signature);
    assert_eq!(Answer::read(&good), Ok(round.answer()));
    let upper = round.signature.to_uppercase();
    let signature = &round.signature;
    let spellings = [
        format!("+123:{signature}"),
        format!("0123:{signature}"),
        format!(" 123:{signature}"),
        format!("123 :{signature}"),
        format!("-123:{signature}"),
        format!("1e2:{signature}"),
        format!("18446744073709551616:{signature}"),
        format!(":{signature}"),
        format!("123:{upper}"),
        format!("123:0x{signature}"),
        format!("123:{signature} "),
        format!("123:{signature}:"),
        format!("123:{}", &signature[1..]),
        format!("123:{}", &signature[2..]),
        "123:".into(),
        "123".into(),
        String::new(),
        signature.clone(),
    ];
    for text in spellings {
        assert_eq!(Answer::read(&text).expect_err("another spelling").code, "bad-beacon", "{text}");
    }
    assert_eq!(Answer::read(&format!("0:{signature}")).expect_err("not a round").code, "round-zero");
}

#[test]
fn a_round_before_post_and_delay_is_refused() {
    let facts = facts();
    let chain = Chain::quicknet();
    for round in facts.rounds.iter().filter(|round| round.chain == "quicknet" && round.number > 20) {
        let time = round.time_ms();
        let due = chain.round_for(time - 30_000, 30).expect("the delay is long enough");
        assert_eq!(due, round.number);
        assert!(round.answer().verify_as(&chain, due).is_ok());
        let due = chain.round_for(time - 29_999, 30).expect("the delay is long enough");
        assert_eq!(due, round.number + 1);
        assert_eq!(round.answer().verify_as(&chain, due).expect_err("too early").code, "another-round");
        assert_eq!(round.answer().verify_as(&chain, due - 2).expect_err("too late").code, "another-round");
    }
}

/// One round each of two chains of drand that are no longer in use, as drand published them.
#[test]
fn the_other_unchained_schemes_verify_too() {
    let testnet = "8200fc249deb0148eb918d6e213980c5d01acd7fc251900d9260136da3b54836ce125172399ddc69c4e3e11429b62c11";
    let signed = "94f6b85df7cce7237e8e7df66d794ddad092de5d8bb6a791b97e905aa89852e506ac36a792eba7021e22eebf34891f8914bf9a8d\
                  d9233ea0a4c5ca00ef8404999f899073dd2eade61fe54077fee8168f83dcb61a758b6883b38904054e64a433";
    let fastnet = "a0b862a7527fee3a731bcb59280ab6abd62d5c0b6ea03dc4ddf6612fdfc9d01f01c31542541771903475eb1ec6615f8d0df0b8b6\
                   dce385811d6dcf8cbefb8759e5e616a3dfd054c928940766d9a5b9db91e3b697e5d70a975181e007f87fca5e";
    let signed_1 = "9544ddce2fdbe8688d6f5b4f98eed5d63eee3902e7e162050ac0f45905a55657714880adabe3c3096b92767d886567d0";
    let cases = [(testnet, "pedersen-bls-unchained", 223_344, signed), (fastnet, "bls-unchained-on-g1", 1, signed_1)];
    for (key, scheme, round, signature) in cases {
        let chain = Chain::custom(key, 1_651_677_099, 3, scheme).expect("its facts are good");
        let answer = Answer::new(round, signature, None).expect("well formed");
        let beacon = answer.verify(&chain).expect("it is the signature of its round");
        assert_eq!(beacon.chain_hash(), chain.hash());
        let next = Answer::new(round + 1, signature, None).expect("well formed");
        assert_eq!(next.verify(&chain).expect_err("another round").code, "wrong-signature");
        // What is said of the signature before has no part in an unchained one.
        let told = Answer::new(round, signature, Some(signature)).expect("well formed");
        assert_eq!(told.verify(&chain), Ok(beacon));
    }
    // The same key under the other scheme confirms nothing.
    let other = Chain::custom(fastnet, 1_677_685_200, 3, "bls-unchained-g1-rfc9380").expect("it is a key");
    let answer = Answer::new(1, signed_1, None).expect("well formed");
    assert_eq!(answer.verify(&other).expect_err("another scheme").code, "wrong-signature");
}

#[test]
fn a_file_of_answers_is_read_with_every_problem() {
    let facts = facts();
    let line = |round: &Round| {
        // What a relay says the randomness is has no part in anything.
        format!(r#"{{"round":{},"randomness":"00","signature":"{}"}}"#, round.number, round.signature)
    };
    let (first, second, third) = (&facts.rounds[4], &facts.rounds[5], &facts.rounds[6]);
    let lines = [
        line(first),
        String::new(),
        line(second).replace(r#""signature""#, r#""signatur""#),
        "not JSON".into(),
        line(second).replace("1000", "0"),
        line(second).replace("1000", "1000.0"),
        line(second).replace("1000", "-1"),
        line(second).replace(r#"{"round""#, r#"{"round":1,"round""#),
        line(second).replace(&second.signature, &second.signature.to_uppercase()),
        line(second).replace(&second.signature, &third.signature),
        line(second),
        line(second).replace(&second.signature, &first.signature),
        line(third).replace(&third.signature, &first.signature),
        "  ".into(),
    ];
    let answers = Answers::read(&lines.join("\r\n"));
    let codes: Vec<_> = answers.problems().iter().map(|problem| (problem.line, problem.error.code)).collect();
    let bad = "bad-beacon";
    assert_eq!(codes, [(3, bad), (4, bad), (5, "round-zero"), (6, bad), (7, bad), (8, bad), (9, bad)]);
    assert!(answers.problems().iter().all(|problem| !problem.error.message.contains("at line")));

    let quicknet = Chain::quicknet();
    let found = answers.find(&quicknet, 123).expect("it verifies").expect("it is there");
    assert_eq!(hex::encode(&found.randomness()), first.randomness, "computed, not believed");
    assert_eq!(answers.find(&quicknet, 124), Ok(None));
    // Wrong answers beside the right one do no harm, and are not believed if they are alone.
    assert!(answers.find(&quicknet, 1000).expect("one verifies").is_some());
    let wrong = answers.find(&quicknet, third.number).expect_err("none verifies");
    assert_eq!(
        wrong.iter().map(|problem| (problem.line, problem.error.code)).collect::<Vec<_>>(),
        [(13, "wrong-signature")]
    );
    let lines = |chains: &[Chain]| answers.verify(chains).iter().map(|problem| problem.line).collect::<Vec<_>>();
    assert_eq!(lines(std::slice::from_ref(&quicknet)), [10, 12, 13]);
    let default = Chain::named("default").expect("it is built in");
    assert_eq!(lines(&[default.clone(), quicknet]), [10, 12, 13]);
    assert_eq!(lines(&[default]), [1, 10, 11, 12, 13]);
}
