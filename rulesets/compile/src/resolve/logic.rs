//! Booleans and members.

use std::sync::Arc;

use super::{Lowered, Lowering, Quantity};
use crate::formula::{BoolRef, MemberRef, Relation, Var};
use crate::trace::Said;
use crate::typed::{Bool, Case, CompareOp, Label, Member, Num, Subject, Vocabulary};

impl Lowering<'_> {
    pub(super) fn bool(&mut self, value: &Bool) -> BoolRef {
        match value {
            Bool::Literal(value) => self.builder.bool(*value),
            Bool::Claim(id) => {
                self.open(Said::Claim(*id));
                let claim = self.builder.bool_var(Var::Claim(*id));
                self.close(claim.index(), None, None);
                claim
            }
            Bool::Local(id) => {
                self.open(Said::Local(*id));
                let local = match self.local(*id) {
                    Some(Lowered::Bool(value)) => *value,
                    _ => self.builder.bool_var(Var::Local(*id)),
                };
                self.close(local.index(), None, None);
                local
            }
            Bool::Written(written) => {
                self.open(Said::Written { span: written.span, given: written.given });
                let made = self.bool(&written.is);
                self.close(made.index(), None, None);
                made
            }
            Bool::Not(a) => {
                let a = self.bool(a);
                self.builder.not(a)
            }
            Bool::And(of) => {
                let of = self.bools(of);
                self.builder.and(of)
            }
            Bool::Or(of) => {
                let of = self.bools(of);
                self.builder.or(of)
            }
            Bool::Xor(a, b) => {
                let (a, b) = (self.bool(a), self.bool(b));
                let same = self.builder.iff(a, b);
                self.builder.not(same)
            }
            Bool::Iff(a, b) => {
                let (a, b) = (self.bool(a), self.bool(b));
                self.builder.iff(a, b)
            }
            Bool::If(condition, a, b) => {
                let (condition, a, b) = (self.bool(condition), self.bool(a), self.bool(b));
                self.builder.if_bool(condition, a, b)
            }
            Bool::Compare(op, a, b) => self.compare(*op, a, b),
            Bool::CompareMembers(op, a, b) => self.compare_members(*op, a, b),
            Bool::Case(case) => self.bool_case(case),
        }
    }

    fn bools(&mut self, of: &[Bool]) -> Vec<BoolRef> {
        of.iter().map(|value| self.bool(value)).collect()
    }

    fn compare(&mut self, op: CompareOp, a: &Num, b: &Num) -> BoolRef {
        let (a, b) = (self.num(a), self.num(b));
        let (a, b) = self.together(a, b);
        match related(op) {
            (relation, false, negated) => {
                let holds = self.builder.compare(relation, a, b);
                if negated { self.builder.not(holds) } else { holds }
            }
            (relation, true, _) => self.builder.compare(relation, b, a),
        }
    }

    /// Two numbers that are compared, in one unit.
    fn together(&mut self, a: Quantity, b: Quantity) -> (crate::formula::NumRef, crate::formula::NumRef) {
        let meeting = self.meeting(&a.measured, &b.measured);
        (self.convert(a.number, meeting.left.as_ref()), self.convert(b.number, meeting.right.as_ref()))
    }

    fn compare_members(&mut self, op: CompareOp, a: &Member, b: &Member) -> BoolRef {
        let (a, b) = (self.member(a), self.member(b));
        match related(op) {
            (relation, false, negated) => {
                let holds = self.builder.compare_members(relation, a, b);
                if negated { self.builder.not(holds) } else { holds }
            }
            (relation, true, _) => self.builder.compare_members(relation, b, a),
        }
    }

    pub(super) fn member(&mut self, value: &Member) -> MemberRef {
        self.open(match value {
            Member::Literal(number, _) => return self.builder.member(*number),
            Member::Claim(id, _) => Said::Claim(*id),
            Member::Local(id, _) => Said::Local(*id),
            Member::If(..) | Member::Case(_) => Said::Chosen,
        });
        let member = self.untraced_member(value);
        self.close(member.index(), None, vocabulary(value));
        member
    }

    fn untraced_member(&mut self, value: &Member) -> MemberRef {
        match value {
            Member::Literal(number, _) => self.builder.member(*number),
            Member::Claim(id, vocabulary) => {
                self.builder.member_var(Var::Claim(*id), vocabulary.members.len() as u32)
            }
            Member::Local(id, vocabulary) => match self.local(*id) {
                Some(Lowered::Member(value)) => *value,
                _ => self.builder.member_var(Var::Local(*id), vocabulary.members.len() as u32),
            },
            Member::If(condition, a, b) => {
                let (condition, a, b) = (self.bool(condition), self.member(a), self.member(b));
                self.builder.if_member(condition, a, b)
            }
            Member::Case(case) => self.member_case(case),
        }
    }

    fn bool_case(&mut self, case: &Case<Bool>) -> BoolRef {
        let conditions = self.conditions(case);
        let branches: Vec<BoolRef> = case.arms.iter().map(|(_, branch)| self.bool(branch)).collect();
        let default = self.bool(&case.default);
        let arms = conditions.into_iter().zip(branches).rev();
        arms.fold(default, |rest, (condition, branch)| self.builder.if_bool(condition, branch, rest))
    }

    fn member_case(&mut self, case: &Case<Member>) -> MemberRef {
        let conditions = self.conditions(case);
        let branches: Vec<MemberRef> = case.arms.iter().map(|(_, branch)| self.member(branch)).collect();
        let default = self.member(&case.default);
        let arms = conditions.into_iter().zip(branches).rev();
        arms.fold(default, |rest, (condition, branch)| self.builder.if_member(condition, branch, rest))
    }

    /// For each arm of a CASE, whether its label equals the subject.
    pub(super) fn conditions<T>(&mut self, case: &Case<T>) -> Vec<BoolRef> {
        let labels = case.arms.iter().map(|(label, _)| label);
        match &case.subject {
            Subject::Member(subject) => {
                let subject = self.member(subject);
                let equals = |label: &Label| {
                    let number = match label {
                        Label::Member(number) => *number,
                        Label::Num(_) => u32::MAX,
                    };
                    let label = self.builder.member(number);
                    self.builder.compare_members(Relation::Eq, subject, label)
                };
                labels.map(equals).collect()
            }
            Subject::Num(subject) => {
                let subject = self.num(subject);
                let equals = |label: &Label| match label {
                    Label::Num(label) => {
                        let label = self.num(label);
                        let (subject, label) = self.together(subject.clone(), label);
                        self.builder.compare(Relation::Eq, subject, label)
                    }
                    Label::Member(_) => self.builder.bool(false),
                };
                labels.map(equals).collect()
            }
        }
    }
}

/// The vocabulary of a member.
fn vocabulary(member: &Member) -> Option<&Arc<Vocabulary>> {
    match member {
        Member::Literal(_, vocabulary) | Member::Claim(_, vocabulary) | Member::Local(_, vocabulary) => {
            Some(vocabulary)
        }
        Member::If(_, a, _) => vocabulary(a),
        Member::Case(case) => vocabulary(&case.default),
    }
}

/// A comparison as one of the three relations, whether its sides change places, and whether it is negated.
fn related(op: CompareOp) -> (Relation, bool, bool) {
    match op {
        CompareOp::Eq => (Relation::Eq, false, false),
        CompareOp::Ne => (Relation::Eq, false, true),
        CompareOp::Lt => (Relation::Lt, false, false),
        CompareOp::Le => (Relation::Le, false, false),
        CompareOp::Gt => (Relation::Lt, true, false),
        CompareOp::Ge => (Relation::Le, true, false),
    }
}
