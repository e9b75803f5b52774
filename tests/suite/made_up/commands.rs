//! Commands that play, of any action that the ruleset has.

use nomic_referee::data::{Key, Value};
use nomic_referee::game::{Game, Player};
use nomic_referee::ruleset::{ActionRule, Count, Kind, Parameter, Ruleset};
use rand::Rng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand_chacha::ChaCha8Rng;

use super::{NAMES, TEXTS, TIMES, setting};

/// A random line of a command that plays, as words.
pub fn command(ruleset: &Ruleset, game: &Game, rng: &mut ChaCha8Rng) -> Vec<String> {
    // Who is taken out of the game may have been the last.
    let Some(player) = whose(game, rng) else {
        return ["tick-phase", "join Ann"].choose(rng).expect("two").split(' ').map(str::to_owned).collect();
    };
    let name = &*player.name;
    match rng.random_range(0..12) {
        0 => return vec!["resume".to_owned(), name.to_owned()],
        1 if rng.random_ratio(1, 2) => return vec![if rng.random() { "resume" } else { "drop" }.to_owned()],
        _ => {}
    }
    let turns = ruleset.declared.calendar.is_empty();
    let action = ruleset.declared.actions.choose_weighted(rng, |action| weight(&action.name, turns));
    let action = action.expect("a ruleset has actions");
    if action.name == "trade" {
        return trade(ruleset, game, player, rng);
    }
    Caller { ruleset, game, player, rng, action }.words()
}

/// How often an action is tried, where the ruleset has it. Where a turn has phases of its own, they end more often.
fn weight(action: &str, turns: bool) -> u32 {
    match action {
        "move" => 30,
        "use-item" => 15,
        "tick-phase" if turns => 16,
        "beam" | "combo" | "tick-phase" => 6,
        "proposal submit" | "proposal vote" if turns => 8,
        "macgyver" | "shatter" | "trade" | "reroll" | "proposal submit" | "proposal vote" => 3,
        "judge request" | "judge rule" => 2,
        _ => 1,
    }
}

/// Any player, and where there are turns mostly the one whose turn it is.
fn whose<'a>(game: &'a Game, rng: &mut ChaCha8Rng) -> Option<&'a Player> {
    let turn = game.state.get("turn").and_then(Value::as_text).and_then(|name| game.player_named(name));
    match turn.filter(|_| !rng.random_ratio(1, 5)) {
        Some(id) => Some(game.player(id)),
        None => game.players().choose(rng).map(|(_, player)| player),
    }
}

/// An item, mostly one that the player holds.
fn item<'a>(ruleset: &'a Ruleset, player: &'a Player, rng: &mut ChaCha8Rng) -> &'a str {
    let held = player.items.iter().filter(|(_, count)| *count > 0).map(|(item, _)| &**item);
    let held = held.filter(|_| !rng.random_ratio(1, 12)).collect::<Vec<_>>();
    held.choose(rng).copied().unwrap_or_else(|| &ruleset.items().choose(rng).expect("items").name)
}

/// A consent to a trade, mostly the one that another player waits for.
fn trade(ruleset: &Ruleset, game: &Game, player: &Player, rng: &mut ChaCha8Rng) -> Vec<String> {
    let offers = game.state.get("trades").map_or(&[][..], Value::items);
    if let Some(offer) = offers.choose(rng).filter(|_| !rng.random_ratio(1, 4)) {
        let name = |key: &str| offer.get(key).map(Value::to_string).unwrap_or_default();
        let list = |key: &str| {
            let one = |(item, amount): &(Key, Value)| format!("{amount} {item}");
            offer.get(key).map_or(&[][..], Value::entries).iter().map(one).collect::<Vec<_>>().join(", ")
        };
        let (gives, takes) = (list("gives"), list("takes"));
        return ["trade", &name("with"), &name("by"), "--gives", &takes, "--takes", &gives].map(str::to_owned).to_vec();
    }
    let (_, other) = game.players().choose(rng).expect("there is the player");
    let mut words = ["trade", &*player.name, &*other.name].map(str::to_owned).to_vec();
    for (option, from) in [("--gives", player), ("--takes", other)] {
        // BUG 3: at least one item on either side.
        let items: Vec<String> = (0..rng.random_range(1..3))
            .map(|_| format!("{} {}", rng.random_range(1..4), item(ruleset, from, rng)))
            .collect();
        words.extend([option.to_owned(), items.join(", ")]);
    }
    words
}

/// Fills in what an action asks for, mostly with what the game has.
struct Caller<'a> {
    ruleset: &'a Ruleset,
    game: &'a Game,
    player: &'a Player,
    rng: &'a mut ChaCha8Rng,
    action: &'a ActionRule,
}

impl Caller<'_> {
    fn words(mut self) -> Vec<String> {
        let mut words: Vec<String> = self.action.name.split(' ').map(str::to_owned).collect();
        for (place, own) in self.action.args.iter().enumerate() {
            if own.count == Count::Optional && self.rng.random_ratio(1, 3) {
                break;
            }
            let several = own.count == Count::Any && self.rng.random_ratio(1, 8);
            for _ in 0..=usize::from(several) {
                words.push(self.word(&own.kind, place));
            }
        }
        for own in &self.action.options {
            // Files beside the game are not among them: a made-up game has no folder.
            let is_file = [Parameter::RULES, Parameter::PEOPLE_FILE].contains(&own.kind.as_str());
            let rare = self.rng.random_ratio(2, 3) && own.name != "request" || self.rng.random_ratio(1, 4);
            if is_file || rare {
                continue;
            }
            for word in self.option(&own.name, &own.kind) {
                words.extend([format!("--{}", own.name), word]);
            }
        }
        for (flag, _) in &self.action.flags {
            if self.rng.random_ratio(1, 4) {
                words.push(format!("--{flag}"));
            }
        }
        words
    }

    fn word(&mut self, kind: &str, place: usize) -> String {
        match kind {
            "player" if place == 0 => self.player.name.to_string(),
            "player" => self.game.players().choose(self.rng).expect("there is the player").1.name.to_string(),
            "space" => {
                self.game.board().spaces().choose(self.rng).map(|space| space.id.to_string()).unwrap_or_default()
            }
            "item" => item(self.ruleset, self.player, self.rng).to_owned(),
            "person" => self.person(),
            "number" => self.number(),
            _ => self.text(place),
        }
    }

    /// The number of a proposal or a request, mostly of one that is still open.
    fn number(&mut self) -> String {
        let requests = self.game.state.get("requests").cloned().unwrap_or_default();
        let proposals = self.action.name.starts_with("proposal");
        let records = if proposals { &*self.game.proposals } else { &requests };
        let is_open = |record: &&(Key, Value)| {
            let status = record.1.get("status").and_then(Value::as_text).unwrap_or("open");
            status == "open" && record.1.get("judgement").is_none()
        };
        let open: Vec<_> = records.entries().iter().filter(is_open).collect();
        let any = records.entries().choose(self.rng);
        let record = open.choose(self.rng).copied().or(any).filter(|_| !self.rng.random_ratio(1, 12));
        record.map_or_else(|| self.rng.random_range(0..4).to_string(), |(key, _)| key.to_string())
    }

    /// Mostly a player; for what only the Judge or an author may do, mostly one of them.
    fn person(&mut self) -> String {
        let judges = self.game.state.get("requests").map_or(&[][..], Value::entries).iter();
        let judges = judges.filter(|(_, request)| request.get("judgement").is_none());
        let judges = judges.filter_map(|(_, request)| request.get("judge")?.as_text());
        let judges = judges.chain(self.game.state.get("judge").and_then(Value::as_text));
        let authors = self.game.proposals.entries().iter().filter_map(|(_, record)| record.get("author")?.as_text());
        let meant: Vec<&str> = match &*self.action.name {
            "judge rule" | "judge overturn" | "judge resign" => judges.collect(),
            "proposal hold" | "proposal approve" | "proposal edit" => authors.collect(),
            "proposal submit" => vec![&*self.player.name],
            _ => Vec::new(),
        };
        if let Some(name) = meant.choose(self.rng).filter(|_| !self.rng.random_ratio(1, 8)) {
            return (*name).to_owned();
        }
        if self.rng.random_ratio(1, 8) {
            return (*NAMES.choose(self.rng).expect("names")).to_owned();
        }
        self.game.players().choose(self.rng).expect("there is the player").1.name.to_string()
    }

    fn text(&mut self, place: usize) -> String {
        let texts: &[&str] = match (&*self.action.name, place) {
            ("join" | "alias", _) => &NAMES,
            ("proposal vote", _) => &["for", "against", "rewrite", "none", "👍", "👎", "🤔", "perhaps"],
            ("judge vote", 0) => {
                let candidacies = self.game.state.get("candidacies").map_or(&[][..], Value::items);
                let names = candidacies.iter().filter_map(|candidacy| candidacy.get("by"));
                let name = names.choose(self.rng).filter(|_| self.rng.random()).map(Value::to_string);
                return name.unwrap_or_else(|| format!("poll-{}", self.number()));
            }
            ("judge vote", _) => &["up", "down", "overturn", "affirm", "none"],
            _ => &TEXTS,
        };
        (*texts.choose(self.rng).expect("texts")).to_owned()
    }

    /// The values of an option.
    fn option(&mut self, option: &str, kind: &str) -> Vec<String> {
        let one = match option {
            "set" => {
                let (key, value) = setting(self.ruleset, self.rng);
                format!("{key}={value}")
            }
            "class" => {
                let fields = &self.ruleset.declared.proposals;
                let declared =
                    fields.iter().any(|field| &*field.name == "class" && matches!(field.kind, Kind::OneOf(_)));
                let classes: &[&str] = if declared {
                    &["urgent", "standard", "Tune Up"]
                } else {
                    &["enact", "amend 201", "repeal 201", "repeal L-27", "amend JM-1", "repeal JM-1", "amend", "tune"]
                };
                (*classes.choose(self.rng).expect("classes")).to_owned()
            }
            // At once, or what is due until then.
            "to" => (*TIMES[..4].choose(self.rng).expect("times")).to_owned(),
            "alias" => (*NAMES.choose(self.rng).expect("names")).to_owned(),
            "for" if self.rng.random() => {
                return self.game.players().map(|(_, player)| player.name.to_string()).collect();
            }
            _ => self.word(kind, 1),
        };
        vec![one]
    }
}
