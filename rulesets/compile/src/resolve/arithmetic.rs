//! Numbers and their units.

use assay_syntax::ast::ProductOp;
use assay_units::{Rational, Unit};

use super::meeting::Conversion;
use super::{Lowered, Lowering, Measured, Quantity};
use crate::formula::{BoolRef, NumRef};
use crate::trace::{How, Said, Tracer};
use crate::typed::{Bool, Case, Num, NumKind};

impl Lowering<'_> {
    pub(super) fn num(&mut self, num: &Num) -> Quantity {
        let counts = |tracer: &Tracer| tracer.is_within(num.span);
        self.open(match &num.kind {
            NumKind::Literal(..) => return self.untraced_num(num),
            NumKind::Claim(id) => Said::Claim(*id),
            NumKind::Local(id) => Said::Local(*id),
            NumKind::Count(_) if self.tracer.as_ref().is_some_and(counts) => Said::Count,
            _ => Said::Written { span: num.span, given: None },
        });
        let quantity = self.untraced_num(num);
        self.close(quantity.number.index(), Some(&quantity.measured.unit), None);
        quantity
    }

    fn untraced_num(&mut self, num: &Num) -> Quantity {
        match &num.kind {
            NumKind::Literal(value, unit) => {
                let unit = unit.clone().unwrap_or_else(Unit::one);
                Quantity {
                    number: self.builder.num(value.clone()),
                    measured: Measured { unit, foreign: false },
                }
            }
            NumKind::Claim(id) => self.claim(*id),
            NumKind::Local(id) => match self.local(*id) {
                Some(Lowered::Num(quantity)) => quantity.clone(),
                _ => Quantity {
                    number: self.builder.num_var(crate::formula::Var::Local(*id)),
                    measured: Measured::bare(),
                },
            },
            NumKind::Neg(a) => {
                let Quantity { number, measured } = self.num(a);
                Quantity { number: self.builder.neg(number), measured }
            }
            NumKind::Sum(first, rest) => self.sum(first, rest),
            NumKind::Product(first, rest) => self.product(first, rest),
            NumKind::If(condition, a, b) => {
                let condition = self.bool(condition);
                let branches = vec![self.num(a), self.num(b)];
                self.choice(&[condition], branches)
            }
            NumKind::Count(of) => {
                let of: Vec<BoolRef> = of.iter().map(|condition: &Bool| self.bool(condition)).collect();
                Quantity { number: self.builder.count(of), measured: Measured::bare() }
            }
            NumKind::Case(case) => self.case(case),
        }
    }

    /// A sum runs in the unit of its first operand, from the left.
    fn sum(&mut self, first: &Num, rest: &[(bool, Num)]) -> Quantity {
        let Quantity { number, mut measured } = self.num(first);
        let mut terms = vec![number];
        for (added, term) in rest {
            let term = self.num(term);
            let meeting = self.meeting(&measured, &term.measured);
            if meeting.left.is_some() {
                let so_far = self.total(terms);
                terms = vec![self.convert(so_far, meeting.left.as_ref())];
            }
            let term = self.convert(term.number, meeting.right.as_ref());
            terms.push(if *added { term } else { self.builder.neg(term) });
            measured = meeting.result;
        }
        Quantity { number: self.total(terms), measured }
    }

    fn total(&mut self, terms: Vec<NumRef>) -> NumRef {
        match terms.as_slice() {
            [term] => *term,
            _ => self.builder.sum(terms),
        }
    }

    fn product(&mut self, first: &Num, rest: &[(ProductOp, Num)]) -> Quantity {
        let mut result = self.num(first);
        for (op, factor) in rest {
            let factor = self.num(factor);
            result = match op {
                ProductOp::Rem => {
                    let meeting = self.meeting(&result.measured, &factor.measured);
                    let left = self.convert(result.number, meeting.left.as_ref());
                    let right = self.convert(factor.number, meeting.right.as_ref());
                    Quantity { number: self.builder.rem(left, right), measured: meeting.result }
                }
                ProductOp::Mul => {
                    let number = self.builder.mul(result.number, factor.number);
                    self.combined(number, &result.measured, &factor.measured, Unit::mul)
                }
                ProductOp::Div => {
                    let number = self.builder.div(result.number, factor.number);
                    self.combined(number, &result.measured, &factor.measured, Unit::div)
                }
            };
        }
        result
    }

    /// A product or quotient in the unit that its units make. Where the dimensions of two units cancel it is a bare
    /// number, the factor applied: a kilometre by a metre is 1000. A bare number only scales, and cancels nothing.
    fn combined(
        &mut self,
        number: NumRef,
        a: &Measured,
        b: &Measured,
        combine: fn(&Unit, &Unit) -> Unit,
    ) -> Quantity {
        let unit = combine(&a.unit, &b.unit);
        let foreign = a.foreign || b.foreign;
        let cancels = !(a.unit.is_one() || b.unit.is_one() || unit.is_one());
        match if cancels { self.library.dimensionless(&unit) } else { None } {
            Some(factor) => {
                let how = How::Exact { factor, offset: Rational::default() };
                let cancelled = Conversion { from: unit, to: Unit::one(), how };
                let number = self.convert(number, Some(&cancelled));
                Quantity { number, measured: Measured { unit: Unit::one(), foreign } }
            }
            None => Quantity { number, measured: Measured { unit, foreign } },
        }
    }

    fn case(&mut self, case: &Case<Num>) -> Quantity {
        let conditions = self.conditions(case);
        let branches = case.arms.iter().map(|(_, branch)| self.num(branch)).collect::<Vec<_>>();
        let default = self.num(&case.default);
        self.choice(&conditions, branches.into_iter().chain([default]).collect())
    }

    /// The first branch whose condition holds, else the last. The branches meet from the first on and are all brought
    /// into one unit.
    fn choice(&mut self, conditions: &[BoolRef], branches: Vec<Quantity>) -> Quantity {
        let mut numbers: Vec<NumRef> = Vec::with_capacity(branches.len());
        let mut measured: Option<Measured> = None;
        for branch in branches {
            let Some(so_far) = measured else {
                numbers.push(branch.number);
                measured = Some(branch.measured);
                continue;
            };
            let meeting = self.meeting(&so_far, &branch.measured);
            if meeting.left.is_some() {
                for number in &mut numbers {
                    *number = self.convert(*number, meeting.left.as_ref());
                }
            }
            numbers.push(self.convert(branch.number, meeting.right.as_ref()));
            measured = Some(meeting.result);
        }
        let number = match numbers.pop() {
            Some(last) => conditions
                .iter()
                .zip(numbers)
                .rev()
                .fold(last, |rest, (&condition, number)| self.builder.if_num(condition, number, rest)),
            None => self.builder.num(Rational::default()),
        };
        Quantity { number, measured: measured.unwrap_or_else(Measured::bare) }
    }
}
