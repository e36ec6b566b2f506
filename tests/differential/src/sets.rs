//! Writing collections and what is said over them.

use crate::writer::{Kind, Unit, Vocabulary, Writer};

impl Writer<'_> {
    fn element_kind(&mut self) -> Kind {
        self.pick(&[
            Kind::Bool,
            Kind::Num(Unit::Bare),
            Kind::Num(Unit::Usd),
            Kind::Num(Unit::Length),
            Kind::Member(Vocabulary::Way),
            Kind::Member(Vocabulary::Tier),
        ])
    }

    /// A collection, written out or made of two.
    fn set(&mut self, kind: Kind, depth: usize) -> String {
        if depth > 0 && self.once_in(2) {
            let form = self.pick(&["Union", "Intersect", "Difference"]);
            let (a, b) = (self.set(kind, depth - 1), self.set(kind, depth - 1));
            return self.form(form, format!("{form}({a}, {b})"));
        }
        let count = self.rng.usize(1..=3);
        // The first element tells the vocabulary.
        let elements: Vec<String> = (0..count)
            .map(|at| match kind {
                Kind::Member(vocabulary) if at == 0 => self.case_free_member(vocabulary),
                _ => self.any(kind, 0),
            })
            .collect();
        let elements = elements.join(", ");
        match self.once_in(2) {
            true => self.form("{}", format!("{{{elements}}}")),
            false => self.form("[]", format!("[{elements}]")),
        }
    }

    fn case_free_member(&mut self, vocabulary: Vocabulary) -> String {
        let claim = match vocabulary {
            Vocabulary::Way => self.pick(&["k0", "k1"]),
            Vocabulary::Tier => self.pick(&["o0", "o1"]),
        };
        self.form("enum claim", claim)
    }

    /// `x in SET, CONDITION`
    fn over(&mut self, depth: usize) -> String {
        let kind = self.element_kind();
        let set = self.set(kind, 1);
        let variable = format!("q{}", self.scope.len());
        self.scope.push((variable.clone(), kind));
        let condition = match kind {
            Kind::Bool => self.bool(depth.min(1)),
            Kind::Num(unit) => {
                let form = self.pick(&["<= of numbers", "> of numbers", "== of numbers"]);
                let op = form.split(' ').next().unwrap();
                self.forms.insert("quantified variable");
                let other = self.num_leaf(unit);
                self.form(form, format!("{variable} {op} {other}"))
            }
            Kind::Member(vocabulary) => {
                self.forms.insert("quantified variable");
                let other = self.member(vocabulary, 0);
                self.form("== of members", format!("{variable} == {other}"))
            }
        };
        self.scope.pop();
        format!("{variable} in {set}, {condition}")
    }

    pub(crate) fn quantified(&mut self, depth: usize) -> String {
        let form = self.pick(&["ForAll", "Exists", "AtLeast", "AtMost", "ExactlyOne"]);
        let over = self.over(depth);
        match form {
            "AtLeast" | "AtMost" => {
                let count = match self.once_in(6) {
                    true => self.form("numeric claim", "n0"),
                    false => self.rng.usize(..4).to_string(),
                };
                self.form(form, format!("{form}({count}, {over})"))
            }
            _ => self.form(form, format!("{form}({over})")),
        }
    }

    pub(crate) fn count_where(&mut self, depth: usize) -> String {
        let over = self.over(depth);
        self.form("CountWhere", format!("CountWhere({over})"))
    }

    pub(crate) fn is_member(&mut self) -> String {
        let kind = self.element_kind();
        let (value, set) = (self.any(kind, 0), self.set(kind, 1));
        self.form("IsMember", format!("IsMember({value}, {set})"))
    }

    pub(crate) fn is_subset(&mut self) -> String {
        let kind = self.element_kind();
        let (a, b) = (self.set(kind, 1), self.set(kind, 1));
        self.form("IsSubset", format!("IsSubset({a}, {b})"))
    }
}
