//! What was voted on is what is played by.

use nomic_referee::ruleset::{Files, Ruleset, is_short};

use super::{said, with_trap, write};

fn ours(more: &str) -> Ruleset {
    let mut files = Files { folder: "rules/ours".into(), ..Files::default() };
    files.texts.insert("ruleset.yaml".into(), "base: cycle-15\nname: ours\ntitle: ours\n".into());
    files.texts.insert("more.star".into(), more.to_owned().into());
    Ruleset::load(&files.with_switches()).expect("a sound ruleset")
}

#[test]
fn functions_after_a_line_that_begins_with_cases_are_other_rules() {
    let before = ours("def a():\n    pass\n\ncases: int = 0\n");
    let after = ours("def a():\n    pass\n\ncases: int = 0\n\ndef doubles(you, thrown):\n    pass\n");
    assert_ne!(before.pin(), after.pin());
    assert_eq!(before.old_pin(), after.old_pin(), "the older hash told them apart, and this test is for nothing");
    let digits = before.pin().split_once('@').expect("a hash").1.len();
    assert_eq!(digits, 32);
}

#[test]
fn a_pin_of_eight_digits_is_read_with_the_older_hash() {
    let ruleset = ours("def a():\n    pass\n");
    assert!(is_short(&ruleset.old_pin()) && !is_short(&ruleset.pin()));
    assert!(ruleset.is_pinned(&ruleset.old_pin()) && ruleset.is_pinned(&ruleset.pin()));
    assert!(!ruleset.is_pinned(&ours("def a():\n    return 1\n").old_pin()));
}

#[test]
fn a_log_with_short_pins_verifies_and_a_new_entry_with_one_does_not() {
    let game = with_trap("  pass");
    let path = game.path();
    let rules = Ruleset::load(&in_folder(path)).expect("a sound ruleset");
    let (code, told) = said(path, "move Ann --roll 1,1 --at 2024-01-05T10:00Z --no-input --decline");
    assert_eq!(code, 0, "{told}");
    let file = path.join("gamestate.yaml");
    let written = std::fs::read_to_string(&file).expect("the file is there");
    assert!(written.contains(&rules.pin()), "{written}");
    let short = written.replace(&rules.pin(), &rules.old_pin());
    write(&file, &short);
    let (code, told) = said(path, "verify");
    assert!(code == 0 && told.contains(" 0 findings"), "{told}");
    // After an entry with a long pin, a new one has no reason for a short one.
    write(&path.join("old.yaml"), &written);
    write(&file, &written);
    let (code, told) = said(path, "adjudicate --set /players/Ann/location=1 --because test --at 2024-01-05T11:00Z");
    assert_eq!(code, 0, "{told}");
    let (code, told) = said(path, "verify old.yaml gamestate.yaml");
    assert_eq!(code, 0, "{told}");
    let after = std::fs::read_to_string(&file).expect("the file is there");
    let last = after.rfind(&rules.pin()).expect("the new entry's");
    write(&file, &format!("{}{}{}", &after[..last], rules.old_pin(), &after[last + rules.pin().len()..]));
    let (code, told) = said(path, "verify old.yaml gamestate.yaml");
    assert!(code == 1 && told.contains("unknown-rules"), "{told}");
}

fn in_folder(path: &std::path::Path) -> Files {
    let mut files = Files { folder: "rules/ours".into(), ..Files::default() };
    for name in ["ruleset.yaml", "spaces/trap.yaml"] {
        let text = std::fs::read_to_string(path.join("rules/ours").join(name)).expect("a readable file");
        files.texts.insert(name.into(), text.into());
    }
    files.with_switches()
}
