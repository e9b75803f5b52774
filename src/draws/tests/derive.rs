//! The derivation: its published vectors, what it depends on, and that it is fair.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::{Bound, Chain, Source, Words, hex};

fn words(given: &[(&str, &str)]) -> Words {
    let mut words = Words::default();
    for (player, word) in given {
        words.add(player, word).expect("a word");
    }
    words
}

fn sealed(secret: &str) -> Source {
    Source::Sealed { secret: secret.into(), words: words(&[("Ann", "heron"), ("Bob", "7-lamps")]) }
}

fn beacon(round: u64, randomness: [u8; 32]) -> Source {
    Source::Beacon { chain_hash: Chain::quicknet().hash().to_owned(), round, randomness }
}

fn bound() -> Bound {
    Bound {
        game: "a1".into(),
        phase: 8,
        player: "Ann".into(),
        kind: "move".into(),
        nth: 0,
        key: "roll".into(),
        index: 0,
    }
}

/// Returns the stream as far as 64 draws of nearly all numbers show it.
fn stream(source: &Source, bound: &Bound) -> u64 {
    source.place(bound, u64::MAX).expect("a place")
}

#[test]
fn the_form_is_that_of_the_page() {
    let page = include_str!("../../../docs/dice.md");
    for (name, source) in [("sealed", sealed("x")), ("beacon", beacon(1000, [0; 32]))] {
        let form = hex::encode(&source.form(&bound()));
        let block = page.split(&format!("```form {name}\n")).nth(1).unwrap_or_else(|| panic!("no form {name}"));
        let block = block.split("```").next().expect("it ends");
        let printed: String =
            block.lines().map(|line| line.split('#').next().unwrap_or_default().replace(' ', "")).collect();
        assert_eq!(printed, form, "{name}");
    }
}

/// The secret of the published vectors.
const SECRET: &str = "00112233445566778899aabbccddeeff";

/// Returns the randomness of round 1000 of quicknet.
fn randomness() -> [u8; 32] {
    let round = "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd";
    hex::decode(round).and_then(|bytes| bytes.try_into().ok()).expect("32 bytes")
}

#[test]
fn the_worked_draws_are_those_of_the_page() {
    let page = include_str!("../../../docs/dice.md");
    for (source, material) in [(sealed(SECRET), SECRET.as_bytes()), (beacon(1000, randomness()), &randomness()[..])] {
        let (extracted, hkdf) = hkdf::Hkdf::<sha2::Sha256>::extract(None, material);
        let mut word = [0; 8];
        hkdf.expand(&source.form(&bound()), &mut word).expect("eight bytes");
        for value in [hex::encode(&extracted), hex::encode(&word)] {
            assert!(page.contains(&format!("`{value}`")), "{value} is not on the page");
        }
        assert_eq!((u64::from_be_bytes(word) % 4, source.die(&bound(), 4)), (3, Some(4)));
    }
}

#[test]
fn draws_are_those_of_the_published_scheme() {
    let page = include_str!("../../../docs/dice.md");
    let mut tried = 0;
    for line in page.lines().filter(|line| line.starts_with("| sealed |") || line.starts_with("| beacon |")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [from, phase, player, kind, nth, key, index, of, place] = cells[..] else { panic!("{line}") };
        let number = |text: &str| text.parse::<u64>().expect("a number");
        let bound = Bound {
            game: "a1".into(),
            phase: phase.parse().expect("a number"),
            player: player.into(),
            kind: kind.into(),
            nth: number(nth),
            key: key.into(),
            index: number(index),
        };
        let source = if from == "sealed" { sealed(SECRET) } else { beacon(1000, randomness()) };
        assert_eq!(source.place(&bound, number(of)), Some(number(place)), "{line}");
        tried += 1;
    }
    assert!(tried >= 12, "{tried} vectors");
}

#[test]
fn everything_bound_changes_the_stream() {
    let mut all = Vec::new();
    for source in [sealed("s"), beacon(5, [7; 32])] {
        all.push(stream(&source, &bound()));
        let changed = [
            Bound { game: "a2".into(), ..bound() },
            Bound { game: String::new(), ..bound() },
            Bound { phase: 9, ..bound() },
            Bound { phase: -8, ..bound() },
            Bound { player: "ann".into(), ..bound() },
            Bound { player: String::new(), ..bound() },
            Bound { kind: "use-item".into(), ..bound() },
            Bound { nth: 1, ..bound() },
            Bound { key: "slide".into(), ..bound() },
            Bound { index: 1, ..bound() },
            // The same letters, divided otherwise.
            Bound { player: "Annm".into(), kind: "ove".into(), ..bound() },
            Bound { player: "An".into(), kind: "nmove".into(), ..bound() },
            Bound { phase: 80, nth: 0, ..bound() },
            Bound { game: "a18".into(), phase: 8, ..bound() },
            Bound { key: "roll0".into(), ..bound() },
            Bound { key: "rol".into(), index: 10, ..bound() },
            Bound { key: "\0\0\0\u{1}0roll".into(), ..bound() },
        ];
        all.extend(changed.iter().map(|bound| stream(&source, bound)));
    }
    let hash = "0".repeat(64);
    all.extend([
        stream(&sealed("t"), &bound()),
        stream(&beacon(6, [7; 32]), &bound()),
        stream(&beacon(5, [8; 32]), &bound()),
        stream(&Source::Beacon { chain_hash: hash, round: 5, randomness: [7; 32] }, &bound()),
        // The bytes of a round's randomness as the secret of a sealed game give other dice.
        stream(&Source::Sealed { secret: "\u{7}".repeat(32), words: Words::default() }, &bound()),
    ]);
    for given in [
        &[][..],
        &[("Ann", "heron")],
        &[("Ann", "7-lamps"), ("Bob", "heron")],
        &[("Ann", "heron"), ("Cat", "7-lamps")],
        &[("Ann", "heron"), ("Bob", "7-lamps"), ("Cat", "x")],
        &[("Annh", "eron"), ("Bob", "7-lamps")],
    ] {
        all.push(stream(&Source::Sealed { secret: "s".into(), words: words(given) }, &bound()));
    }
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}

/// Every two draws of 20,000 with short, similar parts have different forms, so length prefixes do what they are for.
#[test]
fn no_two_draws_have_the_same_form() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let mut seen = std::collections::BTreeMap::new();
    let text = |rng: &mut ChaCha8Rng| -> String {
        let length = rng.random_range(0..2) + rng.random_range(0..3);
        (0..length).map(|_| ['a', 'b', '0', '1', '\0', '\u{1}', 'é'][rng.random_range(0..7)]).collect()
    };
    for _ in 0..20_000 {
        let bound = Bound {
            game: text(&mut rng),
            phase: rng.random_range(-2..12),
            player: text(&mut rng),
            kind: text(&mut rng),
            nth: rng.random_range(0..12),
            key: text(&mut rng),
            index: rng.random_range(0..12),
        };
        let source = match rng.random_range(0..3) {
            0 => Source::Sealed { secret: "s".into(), words: Words::default() },
            1 => Source::Sealed { secret: "s".into(), words: words(&[(&text(&mut rng), "a"), ("abab0", "1")]) },
            _ => Source::Beacon { chain_hash: text(&mut rng), round: rng.random_range(0..3), randomness: [0; 32] },
        };
        let draw = format!("{bound:?} {source:?}");
        if let Some(other) = seen.insert(source.form(&bound), draw.clone()) {
            assert_eq!(draw, other, "two draws have one form");
        }
    }
    assert!(seen.len() > 15_000, "{} draws", seen.len());
}

#[test]
fn white_space_around_the_secret_does_not_count() {
    assert_eq!(stream(&sealed("s"), &bound()), stream(&sealed(" s\n"), &bound()));
}

#[test]
fn words_have_one_spelling_and_one_order() {
    assert_eq!(words(&[("Bob", "LAMP"), ("Ann", "a-1")]), words(&[("Ann", "A-1"), ("Bob", "lamp")]));
    let order: Vec<_> =
        words(&[("é", "x"), ("b", "y"), ("a", "z"), ("B", "w")]).iter().map(|(player, _)| player.to_owned()).collect();
    assert_eq!(order, ["B".to_owned(), "a".into(), "b".into(), "é".into()]);
    let mut words = words(&[("Ann", "heron")]);
    for word in ["", " ", "two words", "straße", "a_b", "a\n", "a\u{200b}", &"x".repeat(65)] {
        assert_eq!(words.add("Bob", word).expect_err("not a word").code, "bad-word", "{word:?}");
    }
    assert_eq!(words.add("Ann", "crane").expect_err("a second one").code, "bad-word");
    assert!(words.add("Bob", &"x".repeat(64)).is_ok());
}

#[test]
fn a_draw_of_nothing_is_none() {
    let source = sealed("s");
    assert_eq!(source.die(&bound(), 0), None);
    assert_eq!(source.pick(&bound(), 0), None);
    assert_eq!(source.die(&bound(), 1), Some(1));
    assert_eq!(source.pick(&bound(), 1), Some(0));
    assert!(source.die(&bound(), u32::MAX).is_some_and(|die| die >= 1));
    assert!(source.pick(&bound(), usize::MAX).is_some());
    for index in 0..50 {
        let bound = Bound { index, ..bound() };
        let die = source.die(&bound, 6).expect("six faces");
        assert_eq!(source.pick(&bound, 6), usize::try_from(die - 1).ok(), "a pick is a die, counted from 0");
    }
}

/// Of 2⁶³ + 1 places nearly half of all words would favour the first ones, so draws depend on words being passed over.
#[test]
fn words_that_would_favour_a_place_are_passed_over() {
    let source = sealed("s");
    let of = (1 << 63) + 1;
    let (mut low, draws) = (0_u32, 2_000);
    for index in 0..draws {
        let place = source.place(&Bound { index, ..bound() }, of).expect("a place");
        assert!((1..=of).contains(&place));
        low += u32::from(place <= of / 2);
    }
    // Half of them, give or take five standard deviations (about 22).
    assert!((890..=1_110).contains(&low), "{low}");
    let first_word = |index| {
        let bound = Bound { index, ..bound() };
        let hkdf = hkdf::Hkdf::<sha2::Sha256>::new(None, b"s");
        let mut bytes = [0; 8];
        hkdf.expand(&source.form(&bound), &mut bytes).expect("eight bytes");
        u64::from_be_bytes(bytes)
    };
    let spare = of - 2;
    let mut passed = 0_u32;
    for index in 0..draws {
        let word = first_word(index);
        let place = source.place(&Bound { index, ..bound() }, of).expect("a place");
        if word > u64::MAX - spare {
            passed += 1;
            assert_ne!(place, word % of + 1);
        } else {
            assert_eq!(place, word % of + 1);
        }
    }
    assert!((890..=1_110).contains(&passed), "{passed} passed over");
}

/// Pearson's chi-square for dice of several sizes, over each of the numbers that count draws.
#[test]
fn every_face_falls_equally_often() {
    // Sizes with the chi-square that one in a hundred thousand fair series exceeds, for that many less one degrees.
    for (faces, limit) in [(2_u32, 19.6), (4, 26.0), (6, 30.9), (10, 38.0), (98, 167.0)] {
        for source in [sealed("chi-square"), beacon(123, [9; 32])] {
            for by in ["index", "nth", "phase"] {
                let rolls = 6_000_u64;
                let mut counts = vec![0_u32; usize::try_from(faces).expect("small")];
                for number in 0..rolls {
                    let bound = match by {
                        "index" => Bound { index: number, ..bound() },
                        "nth" => Bound { nth: number, ..bound() },
                        _ => Bound { phase: i64::try_from(number).expect("small"), ..bound() },
                    };
                    let die = source.die(&bound, faces).expect("it has faces");
                    counts[usize::try_from(die - 1).expect("small")] += 1;
                }
                let expected = 6_000.0 / f64::from(faces);
                let chi: f64 = counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum();
                assert!(chi < limit, "{faces} faces by {by}: chi-square {chi:.1}, {counts:?}");
                // A series that is too even is no more random than one that is too uneven.
                assert!(faces < 10 || chi > f64::from(faces) / 10.0, "{faces} faces by {by}: {chi:.1}");
            }
        }
    }
}
