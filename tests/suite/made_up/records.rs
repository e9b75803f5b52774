//! Proposals with their votes, requests for the Judge and what became of them, candidacies.

use nomic_referee::data::{Key, Value};
use nomic_referee::ruleset::Kind;
use rand::Rng;
use rand::seq::IndexedRandom;

use super::{Maker, NAMES, TEXTS, TIMES, entry, setting};

impl Maker<'_> {
    /// Nobody, or somebody, who is a player more often than not.
    fn person(&mut self) -> &'static str {
        if self.one_in(8) { NAMES.choose(self.rng).unwrap() } else { self.names.choose(self.rng).unwrap() }
    }

    fn text(&mut self) -> &'static str {
        TEXTS.choose(self.rng).unwrap()
    }

    /// Adds the moment at which something was posted, where the file says it.
    fn stamped(&mut self, record: &mut Vec<(Key, Value)>, key: &str) {
        if self.one_in(3) {
            record.push(entry(key, *TIMES[..4].choose(self.rng).unwrap()));
        }
    }

    /// Votes by person; some people react in two ways at once, where the ruleset knows a word for that.
    fn votes(&mut self, words: &[&str], several: bool) -> Value {
        let mut votes: Vec<(Key, Value)> = Vec::new();
        for _ in 0..self.rng.random_range(0..=self.names.len()) {
            let (person, word) = (self.person(), *words.choose(self.rng).unwrap());
            let vote = if several && self.one_in(6) { Value::from(words.to_vec()) } else { Value::from(word) };
            if !votes.iter().any(|(own, _)| own.is(person)) {
                votes.push(entry(person, vote));
            }
        }
        Value::Map(votes)
    }

    /// Up to four proposals: of any class and with any end where the ruleset lists these, else rule-changes as a game of
    /// turns has them.
    pub(super) fn proposals(&mut self) -> Value {
        let ruleset = self.ruleset;
        let fields = &ruleset.declared.proposals;
        let declares = |name: &str| fields.iter().any(|field| &*field.name == name);
        let words = |name: &str| {
            fields.iter().find_map(|field| match &field.kind {
                Kind::OneOf(words) if &*field.name == name => Some(words.clone()),
                _ => None,
            })
        };
        let mut proposals = Vec::new();
        if self.one_in(2) {
            return Value::Map(proposals);
        }
        for place in 1..=self.rng.random_range(1..=4) {
            let mut record = vec![entry("author", self.person()), entry("title", self.text())];
            if let (Some(classes), Some(statuses)) = (words("class"), words("status")) {
                let class = classes.choose(self.rng).expect("classes").as_str();
                let status = statuses.choose(self.rng).filter(|_| self.one_in(3)).map_or("open", String::as_str);
                record.extend([entry("class", class), entry("status", status)]);
                let known: &[&str] =
                    if declares("held") { &["for", "against", "rewrite"] } else { &["for", "against"] };
                record.push(entry("votes", self.votes(known, true)));
                if class == "tune-up" {
                    record.push(entry("tune-up-since", self.rng.random_range(1..=self.phase)));
                    record.push(entry("held", (1..=self.phase).filter(|_| self.one_in(2)).collect::<Vec<i64>>()));
                }
                if class == "second-reading" && place > 1 && !self.one_in(3) {
                    record.push(entry("of", self.rng.random_range(1..place)));
                }
                for mark in ["edited", "deleted"] {
                    if self.one_in(10) {
                        record.push(entry(mark, true));
                    }
                }
                if status != "open" && self.one_in(2) {
                    record.extend([entry("closed-in", self.phase), entry("closed", TIMES[1])]);
                }
                self.stamped(&mut record, "submitted");
                if self.one_in(2) {
                    record.push(entry("phase", self.rng.random_range(1..=self.phase)));
                }
            } else {
                record.extend(self.rule_change());
            }
            if self.one_in(2) {
                record.push(entry("text", self.text()));
            }
            let first = if words("class").is_some() || self.one_in(5) { 0 } else { 200 };
            proposals.push((Key::Int(first + place), Value::Map(record)));
        }
        // Beside the one of this turn there is none that is open, unless somebody has made a slip (L-33).
        if words("class").is_none() && !self.one_in(10) {
            let last = proposals.len() - 1;
            for (_, record) in &mut proposals[..last] {
                if record.get("status").is_some_and(|status| status.as_text() == Some("open")) {
                    record.set(Key::from("status"), Value::from("adopted"));
                }
            }
        }
        proposals.sort_by_key(|(key, _)| key.to_string().parse::<i64>().expect("a number"));
        proposals.dedup_by(|one, other| one.0 == other.0);
        Value::Map(proposals)
    }

    /// An enactment, an amendment or a repeal (L-31).
    fn rule_change(&mut self) -> Vec<(Key, Value)> {
        let mut record = Vec::new();
        match self.rng.random_range(0..3) {
            0 => {
                let of = *["201", "202", "1", "L-27", "JM-1", "112"].choose(self.rng).unwrap();
                record.push(entry("of", of));
                record.push(entry("class", if self.one_in(2) { "amendment" } else { "repeal" }));
            }
            1 => record.push(entry("class", "enactment")),
            _ => {}
        }
        let status = *["open", "open", "adopted", "adopted", "failed", "repealed"].choose(self.rng).unwrap();
        record.push(entry("status", status));
        if self.one_in(2) {
            let phase = if status == "open" { self.phase } else { self.rng.random_range(1..=self.phase) };
            record.extend([entry("round", 1), entry("phase", phase)]);
        }
        if !self.one_in(3) {
            record.push(entry("votes", self.votes(&["for", "for", "for", "against"], false)));
        }
        self.stamped(&mut record, "submitted");
        record
    }

    /// What the state of the game says of proposals, requests and judgements.
    pub(super) fn records(&mut self, proposals: &Value) -> Vec<(Key, Value)> {
        let ruleset = self.ruleset;
        let declares = |name: &str| ruleset.declared.state.iter().any(|field| &*field.name == name);
        let mut state = Vec::new();
        let adopted: Vec<Value> = proposals
            .entries()
            .iter()
            .filter(|(_, record)| record.get("status").is_some_and(|status| status.as_text() == Some("adopted")))
            .filter_map(|(key, _)| key.to_string().parse::<i64>().ok())
            .map(Value::Int)
            .collect();
        if declares("taken-effect") && !adopted.is_empty() && self.one_in(2) {
            state.push(entry("taken-effect", Value::List(adopted)));
        }
        if declares("judgements") {
            if self.one_in(3) {
                state.extend(self.judgements());
            }
            if self.one_in(4) {
                let mapped = vec![entry("L-27", 107), entry("L-1", self.rng.random_range(101..=115))];
                state.push(entry("rule-of", Value::Map(mapped)));
            }
        } else if declares("requests") && self.one_in(3) {
            let requests = (1..=self.rng.random_range(1..=3)).map(|number| (Key::Int(number), self.request()));
            state.push(entry("requests", Value::Map(requests.collect())));
        }
        state
    }

    /// A request for justice with rulings, all but the last overturned, and votes of confidence on them (J-2 to J-6).
    fn request(&mut self) -> Value {
        let mut request = vec![entry("by", self.person()), entry("text", self.text())];
        self.stamped(&mut request, "at");
        if self.one_in(8) {
            request.push(entry("by-judge", true));
        }
        let count = self.rng.random_range(0..=2);
        let mut rulings = Vec::new();
        for place in 1..=count {
            let mut ruled = vec![entry("by", self.person()), entry("text", self.text())];
            self.stamped(&mut ruled, "at");
            if self.one_in(2) {
                let (key, value) = setting(self.ruleset, self.rng);
                ruled.push(entry("set", Value::Map(vec![entry(&key, value)])));
            }
            if place < count || self.one_in(4) {
                ruled.push(entry("overturned", if self.one_in(2) { "vote" } else { "maker" }));
            }
            rulings.push(Value::Map(ruled));
        }
        if count > 0 {
            request.push(entry("rulings", Value::List(rulings)));
            if self.one_in(2) {
                let on = self.rng.random_range(0..count);
                let mut poll = if on > 0 { vec![entry("on", on)] } else { Vec::new() };
                self.stamped(&mut poll, "at");
                poll.push(entry("votes", self.votes(&["overturn", "affirm"], true)));
                request.push(entry("polls", Value::List(vec![Value::Map(poll)])));
            }
        }
        Value::Map(request)
    }

    /// Candidacies of this week, and what people think of them (J-7).
    pub(super) fn candidacies(&mut self) -> Value {
        let mut candidacies = Vec::new();
        for _ in 0..self.rng.random_range(1..=3) {
            let mut candidacy = vec![entry("by", self.person())];
            self.stamped(&mut candidacy, "at");
            candidacy.push(entry("votes", self.votes(&["up", "up", "down"], true)));
            candidacies.push(Value::Map(candidacy));
        }
        Value::List(candidacies)
    }

    /// Disagreements of players, some of them decided by whoever judged them (L-38 to L-42).
    fn judgements(&mut self) -> Vec<(Key, Value)> {
        let (mut requests, mut judgements) = (Vec::new(), Vec::new());
        for number in 1..=self.rng.random_range(1..=3) {
            let judge = self.person();
            let mut request = vec![entry("by", self.person()), entry("judge", judge), entry("text", self.text())];
            self.stamped(&mut request, "at");
            if self.one_in(2) {
                let place = i64::try_from(judgements.len()).expect("a few") + 1;
                request.push(entry("judgement", place));
                let mut judged = vec![entry("by", judge), entry("request", number), entry("text", self.text())];
                self.stamped(&mut judged, "at");
                if self.one_in(3) {
                    judged.push(entry("number", 205 + place));
                }
                judgements.push((Key::Int(place), Value::Map(judged)));
            }
            requests.push((Key::Int(number), Value::Map(request)));
        }
        let mut state = vec![entry("requests", Value::Map(requests))];
        if !judgements.is_empty() {
            state.push(entry("judgements", Value::Map(judgements)));
        }
        state
    }
}
