//! Writing booleans and members.

use crate::writer::{Kind, Unit, Vocabulary, Writer};

const UNITS: [Unit; 4] = [Unit::Bare, Unit::Usd, Unit::Length, Unit::Time];

impl Writer<'_> {
    pub(crate) fn bool(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.bool_leaf();
        }
        let below = depth - 1;
        match self.rng.u8(..30) {
            0 | 1 => {
                let of = self.list(below);
                self.form("And", format!("And({of})"))
            }
            2 | 3 => {
                let of = self.list(below);
                self.form("Or", format!("Or({of})"))
            }
            4 => {
                let a = self.bool(below);
                self.form("Not", format!("Not({a})"))
            }
            5 => {
                let (a, b) = (self.bool(below), self.bool(below));
                self.form("Xor", format!("Xor({a}, {b})"))
            }
            6 | 7 => {
                let (a, b) = (self.bool(below), self.bool(below));
                self.form("Implies", format!("Implies({a}, {b})"))
            }
            8 => {
                let (c, a, b) = (self.bool(below), self.bool(below), self.bool(below));
                self.form("If of booleans", format!("If({c}, {a}, {b})"))
            }
            9 => {
                let (c, a, b) = (self.bool(below), self.bool(below), self.bool(below));
                self.form("IF THEN ELSE END", format!("IF {c} THEN {a} ELSE {b} END"))
            }
            10 => {
                let (c, a) = (self.bool(below), self.bool(below));
                self.form("IF THEN END", format!("IF {c} THEN {a} END"))
            }
            11 => self.case(Kind::Bool, below),
            12 => {
                let op = self.pick(&["==", "!="]);
                let (a, b) = (self.bool(below), self.bool(below));
                let form = if op == "==" { "== of booleans" } else { "!= of booleans" };
                self.form(form, format!("({a}) {op} ({b})"))
            }
            13..=15 => self.compared_members(below),
            16..=21 => self.compared_numbers(below),
            22 => self.temperature(),
            23 | 24 => self.quantified(below),
            25 => self.quantified(below),
            26 => self.is_member(),
            27 => self.is_subset(),
            _ => self.bool_leaf(),
        }
    }

    fn list(&mut self, depth: usize) -> String {
        let count = self.rng.usize(1..=3);
        (0..count).map(|_| self.bool(depth)).collect::<Vec<_>>().join(", ")
    }

    fn bool_leaf(&mut self) -> String {
        if let Some(name) = self.name(Kind::Bool) {
            return name;
        }
        match self.rng.u8(..12) {
            0 => self.form("True", "True"),
            1 => self.form("False", "False"),
            2..=6 => {
                let claim = self.pick(&["b0", "b1", "b2"]);
                self.form("boolean claim", claim)
            }
            7 | 8 => self.compared_members(0),
            _ => self.compared_numbers(0),
        }
    }

    fn compared_members(&mut self, depth: usize) -> String {
        let vocabulary = self.pick(&[Vocabulary::Way, Vocabulary::Tier]);
        let ordered = vocabulary == Vocabulary::Tier;
        let form = match ordered {
            true => self.pick(&[
                "== of members",
                "!= of members",
                "< of members",
                "<= of members",
                "> of members",
                ">= of members",
            ]),
            false => self.pick(&["== of members", "!= of members"]),
        };
        let op = form.split(' ').next().unwrap();
        let (a, b) = (self.member_expression(vocabulary, depth), self.member(vocabulary, depth));
        self.form(form, format!("({a}) {op} ({b})"))
    }

    fn compared_numbers(&mut self, depth: usize) -> String {
        let form = self.pick(&[
            "== of numbers",
            "!= of numbers",
            "< of numbers",
            "<= of numbers",
            "> of numbers",
            ">= of numbers",
        ]);
        let op = form.split(' ').next().unwrap();
        let unit = self.pick(&UNITS);
        let (a, b) = (self.num(unit, depth), self.num(unit, depth));
        self.form(form, format!("{a} {op} {b}"))
    }

    /// Temperatures are compared only: they have an offset, so they are not added or scaled.
    fn temperature(&mut self) -> String {
        let form = self.pick(&["< of numbers", "<= of numbers", "== of numbers"]);
        let op = form.split(' ').next().unwrap();
        let limit = self.pick(&["0 \"degC\"", "-18 \"degC\"", "32 \"degF\"", "273.15 \"K\"", "300 \"K\""]);
        self.forms.insert("temperature");
        self.form(form, format!("t0 {op} {limit}"))
    }

    /// A member, or a literal one.
    pub(crate) fn member(&mut self, vocabulary: Vocabulary, depth: usize) -> String {
        if self.once_in(3) {
            let member = self.pick(&vocabulary.members());
            return self.form("string", member);
        }
        self.member_expression(vocabulary, depth)
    }

    /// A member whose vocabulary can be told from itself.
    fn member_expression(&mut self, vocabulary: Vocabulary, depth: usize) -> String {
        if depth > 0 {
            match self.rng.u8(..8) {
                0 => {
                    let below = depth - 1;
                    let condition = self.bool(below);
                    let (a, b) = (self.member_expression(vocabulary, below), self.member(vocabulary, below));
                    return self.form("If of members", format!("If({condition}, {a}, {b})"));
                }
                1 => return self.case(Kind::Member(vocabulary), depth - 1),
                _ => {}
            }
        }
        if let Some(name) = self.name(Kind::Member(vocabulary)) {
            return name;
        }
        let claim = match vocabulary {
            Vocabulary::Way => self.pick(&["k0", "k1"]),
            Vocabulary::Tier => self.pick(&["o0", "o1"]),
        };
        self.form("enum claim", claim)
    }

    /// `CASE` over members, covering them or with a default, or over numbers.
    pub(crate) fn case(&mut self, kind: Kind, depth: usize) -> String {
        let branch = |writer: &mut Self| match kind {
            Kind::Member(vocabulary) => writer.member_expression(vocabulary, depth),
            _ => writer.any(kind, depth),
        };
        let (form, subject, labels) = match self.rng.u8(..3) {
            0 => {
                let vocabulary = self.pick(&[Vocabulary::Way, Vocabulary::Tier]);
                let mut labels = vocabulary.members().map(str::to_owned).to_vec();
                self.rng.shuffle(&mut labels);
                ("CASE that covers", self.member_expression(vocabulary, 0), labels)
            }
            1 => {
                let vocabulary = self.pick(&[Vocabulary::Way, Vocabulary::Tier]);
                let mut labels = vocabulary.members().map(str::to_owned).to_vec();
                self.rng.shuffle(&mut labels);
                labels.truncate(self.rng.usize(1..=2));
                ("CASE of members", self.member_expression(vocabulary, 0), labels)
            }
            _ => {
                // Squares, so that a square of an unknown has a rational root where it is one of them.
                let labels = ["0", "1", "-2", "2.25", "4"].map(str::to_owned);
                let from = self.rng.usize(..3);
                ("CASE of numbers", self.num(Unit::Bare, depth), labels[from..from + 2].to_vec())
            }
        };
        let mut arms: Vec<String> = labels.iter().map(|label| format!("{label}: {}", branch(self))).collect();
        if form != "CASE that covers" {
            arms.push(format!("DEFAULT: {}", branch(self)));
        }
        self.form(form, format!("CASE {subject} OF {} END", arms.join(", ")))
    }
}
