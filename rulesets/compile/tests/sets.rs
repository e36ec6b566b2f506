//! Random collections against sets of numbers.

mod support;

use std::collections::BTreeSet;

use support::evaluate;

/// Claims and their values. Three are equal, so that what is one value has several names.
const CLAIMS: [(&str, i64); 5] = [("a", 1), ("b", 2), ("c", 2), ("d", 2), ("e", 4)];

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }

    fn element(&mut self) -> (String, i64) {
        let (name, value) = CLAIMS[self.below(CLAIMS.len())];
        match self.below(4) {
            0 => (value.to_string(), value),
            1 => (format!("{name} + 1"), value + 1),
            _ => (name.to_owned(), value),
        }
    }

    /// A collection and the values that a quantifier runs over: those listed, or the different ones of an operation.
    fn collection(&mut self, depth: usize) -> (String, Vec<i64>) {
        if depth == 0 || self.below(3) == 0 {
            let elements: Vec<(String, i64)> = (0..1 + self.below(4)).map(|_| self.element()).collect();
            let texts: Vec<&str> = elements.iter().map(|(text, _)| text.as_str()).collect();
            return (format!("{{{}}}", texts.join(", ")), elements.iter().map(|(_, value)| *value).collect());
        }
        let (a, b) = (self.collection(depth - 1), self.collection(depth - 1));
        let (left, right): (BTreeSet<i64>, BTreeSet<i64>) =
            (a.1.into_iter().collect(), b.1.into_iter().collect());
        let (name, values): (&str, Vec<i64>) = match self.below(3) {
            0 => ("Union", left.union(&right).copied().collect()),
            1 => ("Intersect", left.intersection(&right).copied().collect()),
            _ => ("Difference", left.difference(&right).copied().collect()),
        };
        (format!("{name}({}, {})", a.0, b.0), values)
    }

    fn question(&mut self) -> (String, bool) {
        let (set, values) = self.collection(3);
        let (bound, bound_value) = self.element();
        let count = values.iter().filter(|value| **value >= bound_value).count();
        let limit = self.below(4);
        match self.below(8) {
            0 => (format!("ForAll(x in {set}, x >= {bound})"), count == values.len()),
            1 => (format!("Exists(x in {set}, x >= {bound})"), count > 0),
            2 => (format!("AtLeast({limit}, x in {set}, x >= {bound})"), count >= limit),
            3 => (format!("AtMost({limit}, x in {set}, x >= {bound})"), count <= limit),
            4 => (format!("ExactlyOne(x in {set}, x >= {bound})"), count == 1),
            5 => (format!("CountWhere(x in {set}, x >= {bound}) == {limit}"), count == limit),
            6 => (format!("IsMember({bound}, {set})"), values.contains(&bound_value)),
            _ => {
                let (other, others) = self.collection(2);
                (format!("IsSubset({set}, {other})"), values.iter().all(|value| others.contains(value)))
            }
        }
    }
}

#[test]
fn collections_agree_with_sets() {
    let declarations: String =
        CLAIMS.iter().map(|(name, _)| format!("declare {name} as numeric;\n")).collect();
    let values: Vec<(&str, String)> = CLAIMS.iter().map(|(name, value)| (*name, value.to_string())).collect();
    let given: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut random = Random(11);
    let mut held = 0;
    for _ in 0..3_000 {
        let (body, holds) = random.question();
        let source = format!("{declarations}assert s {{ {body} }};");
        assert_eq!(evaluate(&source, &given), holds, "{body}");
        held += usize::from(holds);
    }
    assert!((600..2_400).contains(&held), "{held}");
}
