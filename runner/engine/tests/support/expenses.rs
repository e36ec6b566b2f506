//! Expense claims by column, made at random the way that files of them look.

use arrow_buffer::BooleanBuffer;
use assay_claims::{ClaimColumn, ClaimColumns};
use fastrand::Rng;

/// Ten assertions about them.
pub const POLICY: &str = r#"
version 1.3;
// @unit amount USD
declare amount as numeric;
declare has_receipt as boolean;
declare category as enum {"travel","meals","lodging","mileage","supplies","training"};
declare nights as numeric;
declare attendees as numeric;
declare approved_by_manager as boolean;
declare submitted_days as numeric;
declare merchant_country as enum {"US","CA","GB","DE","FR","IN","JP","BR","AE","IR","SY","NG"};
// @unit distance_km km
declare distance_km as numeric;
assert a01_cap { amount <= 25000 "USD" };
assert a02_receipt { Implies(amount > 75 "USD", has_receipt) };
assert a03_nights { Implies(category == "travel", nights >= 1) };
assert a04_meal_ratio { Implies(category == "meals", amount / attendees <= 80 "USD") };
assert a05_approval { Or(amount <= 1000 "USD", approved_by_manager) };
assert a06_timely { submitted_days <= 60 };
assert a07_lodging { Implies(category == "lodging", amount <= 350 "USD" * nights) };
assert a08_mileage { Implies(category == "mileage", amount <= 0.70 "USD/km" * distance_km) };
assert a09_evidence {
  Or(amount < 500 "USD",
     And(has_receipt, approved_by_manager),
     And(submitted_days <= 7, merchant_country == "US"),
     And(category == "supplies", amount < 2000 "USD"))
};
assert a10_country {
  And(Not(IsMember(merchant_country, {"IR","SY"})),
      Implies(amount > 5000 "USD", And(has_receipt, approved_by_manager)))
};
"#;

/// The categories and countries of the policy as it lists them, with how many in a thousand are of each.
const CATEGORIES: [(&str, u32); 6] = [
    ("travel", 250),
    ("meals", 280),
    ("lodging", 150),
    ("mileage", 120),
    ("supplies", 120),
    ("training", 80),
];
const COUNTRIES: [(&str, u32); 12] = [
    ("US", 500),
    ("CA", 80),
    ("GB", 90),
    ("DE", 80),
    ("FR", 60),
    ("IN", 60),
    ("JP", 40),
    ("BR", 30),
    ("AE", 30),
    ("IR", 5),
    ("SY", 5),
    ("NG", 20),
];

/// Rows of a seed. Floats make the values here; nothing is decided by them.
pub fn columns(seed: u64, rows: usize) -> ClaimColumns {
    let mut rng = Rng::with_seed(seed);
    let mut made = Made::default();
    for _ in 0..rows {
        made.row(&mut rng);
    }
    let all = BooleanBuffer::new_set(rows);
    let number = |unscaled: Vec<i128>, scale| ClaimColumn::Number { unscaled, scale, known: all.clone() };
    let some = |of: Vec<(bool, bool)>| ClaimColumn::Bool {
        values: of.iter().map(|(value, _)| *value).collect(),
        known: of.iter().map(|(_, known)| *known).collect(),
    };
    let member = |of: Vec<usize>, names: &[(&str, u32)]| {
        // Vocabularies that are not ordered are numbered in byte order.
        let number = |at: usize| names.iter().filter(|(name, _)| *name < names[at].0).count() as u32;
        ClaimColumn::Member { numbers: of.into_iter().map(number).collect(), known: all.clone() }
    };
    let columns = vec![
        number(made.cents, 2),
        some(made.receipt),
        member(made.category, &CATEGORIES),
        ClaimColumn::Number {
            unscaled: made.nights.iter().map(|(nights, _)| *nights).collect(),
            scale: 0,
            known: made.nights.iter().map(|(_, known)| *known).collect(),
        },
        number(made.attendees, 0),
        some(made.approved),
        number(made.days, 0),
        member(made.country, &COUNTRIES),
        number(made.distance, 1),
    ];
    ClaimColumns { rows, columns, set_aside: BooleanBuffer::new_unset(rows) }
}

#[derive(Default)]
struct Made {
    cents: Vec<i128>,
    receipt: Vec<(bool, bool)>,
    category: Vec<usize>,
    nights: Vec<(i128, bool)>,
    attendees: Vec<i128>,
    approved: Vec<(bool, bool)>,
    days: Vec<i128>,
    country: Vec<usize>,
    distance: Vec<i128>,
}

impl Made {
    fn row(&mut self, rng: &mut Rng) {
        let category = pick(rng, &CATEGORIES);
        let (mean, spread) =
            [(6.2, 1.0), (4.0, 0.8), (6.0, 0.7), (4.2, 0.9), (4.8, 1.1), (6.8, 0.9)][category];
        let mut cents =
            ((normal(rng) * spread + mean).exp() * 100.0).round().clamp(100.0, 99_999_999.0) as i128;
        if rng.f64() < 0.002 {
            cents *= 40;
        }
        if rng.f64() < 0.002 {
            cents = [7500, 7501, 100_000, 2_500_000, 2_500_001, 50_000][rng.usize(..6)];
        }
        let nights = poisson(rng, if category == 0 || category == 2 { 2.2 } else { 0.2 });
        let attendees = if category == 1 { 1 + poisson(rng, 1.6) } else { 1 };
        let approved = rng.f64() < if cents > 100_000 { 0.9 } else { 0.3 };
        let distance = match category {
            3 => (cents as f64 / 100.0 / (0.45 + 0.4 * rng.f64()) * 10.0).round(),
            _ => (-800.0 * (1.0 - rng.f64()).ln()).round(),
        };
        self.cents.push(cents);
        self.receipt.push((rng.f64() < 0.86, rng.f64() >= 0.05));
        self.category.push(category);
        self.nights.push((nights, rng.f64() >= 0.20));
        self.attendees.push(attendees);
        self.approved.push((approved, rng.f64() >= 0.10));
        // A gamma of shape 1.6 is near the sum of an exponential and six tenths of another.
        let exponential = |rng: &mut Rng| -(1.0 - rng.f64()).ln() * 12.0;
        self.days.push((exponential(rng) + 0.6 * exponential(rng)).min(400.0) as i128);
        self.country.push(pick(rng, &COUNTRIES));
        self.distance.push(distance as i128);
    }
}

fn pick(rng: &mut Rng, of: &[(&str, u32)]) -> usize {
    let mut left = rng.u32(..1000);
    of.iter().position(|(_, weight)| left.checked_sub(*weight).map(|less| left = less).is_none()).unwrap_or(0)
}

fn normal(rng: &mut Rng) -> f64 {
    (-2.0 * (1.0 - rng.f64()).ln()).sqrt() * (std::f64::consts::TAU * rng.f64()).cos()
}

fn poisson(rng: &mut Rng, mean: f64) -> i128 {
    let (limit, mut product, mut count) = ((-mean).exp(), rng.f64(), 0);
    while product > limit {
        (product, count) = (product * rng.f64(), count + 1);
    }
    count
}
