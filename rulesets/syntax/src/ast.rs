//! The untyped tree: what a person wrote, with where they wrote it.
//!
//! Nothing here is resolved. A name is a name, a number is its text, and a unit is the text in its
//! quotes. Chains of `+ -` and of `* / %` are flat, so that the depth of the tree is bounded by the
//! nesting limit whatever the length of a chain.

use crate::Span;

/// A whole source: its statements in order, and what its comments say about claims and rules.
#[derive(Debug, Clone, Default)]
pub struct Module {
    /// The version the source declares, `1.2` or `1.3`, if it does.
    pub version: Option<Text>,
    /// Declarations, definitions and assertions, in source order.
    pub items: Vec<Item>,
    /// Every well-formed `// @tag name text` comment, in source order.
    pub annotations: Vec<Annotation>,
}

/// One statement.
#[derive(Debug, Clone)]
pub enum Item {
    /// `declare x as TYPE;` or `declare local x as TYPE;`
    Declare(Declare),
    /// `let x = EXPR;`
    Let(Let),
    /// `assert name [policy] { EXPR };`
    Assert(Assert),
}

/// A name and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ident {
    /// The name itself.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// The contents of a string literal, unescaped (or of a bare word), and where it stands, quotes included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The contents.
    pub value: String,
    /// Where it stands.
    pub span: Span,
}

/// `declare [local] name as TYPE;`
#[derive(Debug, Clone)]
pub struct Declare {
    /// The declared name.
    pub name: Ident,
    /// Whether the name is rule-local: never a claim, never extracted.
    pub local: bool,
    /// Its type.
    pub ty: TypeExpr,
    /// The whole statement.
    pub span: Span,
}

/// The type of a declaration.
#[derive(Debug, Clone)]
pub enum TypeExpr {
    /// `boolean`
    Boolean,
    /// `numeric`
    Numeric,
    /// `enum ["a","b"]` (ordered) or `enum {"a","b"}`
    Enum {
        /// Whether positions are compared by `< <= > >=`.
        ordered: bool,
        /// The vocabulary, in source order; never empty, no member twice.
        members: Vec<Text>,
    },
    /// A type that could not be read. Already reported: whatever the name meets, nothing more is said.
    Error,
}

/// `let name = EXPR;`
#[derive(Debug, Clone)]
pub struct Let {
    /// The local that is defined.
    pub name: Ident,
    /// Its definition.
    pub value: Expr,
    /// The whole statement.
    pub span: Span,
}

/// `assert name [policy] { EXPR };`
#[derive(Debug, Clone)]
pub struct Assert {
    /// The assertion's name.
    pub name: Ident,
    /// What an UNKNOWN becomes.
    pub policy: UnknownPolicy,
    /// The formula.
    pub body: Expr,
    /// The comment block directly above, its `//` removed, its lines joined by a line feed.
    pub description: Option<String>,
    /// The whole statement.
    pub span: Span,
}

/// What the answer UNKNOWN becomes in the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnknownPolicy {
    /// UNKNOWN stays UNKNOWN.
    #[default]
    Neutral,
    /// UNKNOWN becomes FALSE.
    Pessimistic,
    /// UNKNOWN becomes TRUE.
    Optimistic,
}

impl UnknownPolicy {
    /// The word a source writes for it.
    pub fn as_str(self) -> &'static str {
        match self {
            UnknownPolicy::Neutral => "neutral",
            UnknownPolicy::Pessimistic => "pessimistic",
            UnknownPolicy::Optimistic => "optimistic",
        }
    }
}

/// `// @kind name text`: what a comment says about a claim.
#[derive(Debug, Clone)]
pub struct Annotation {
    /// Which annotation.
    pub kind: AnnotationKind,
    /// The claim it names.
    pub claim: Ident,
    /// The text after the name, trimmed; never empty.
    pub text: Text,
    /// The whole comment.
    pub span: Span,
}

/// The annotations there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AnnotationKind {
    /// `@ask`: the question shown to an extractor.
    Ask,
    /// `@context`: further context for the extractor.
    Context,
    /// `@range`: bounds enforced on submitted values.
    Range,
    /// `@unit`: the unit of a numeric claim.
    Unit,
}

/// An expression and where it stands.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands, from its first to its last token.
    pub span: Span,
}

/// The expression forms.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// `42`, `3.5 "USD"`, `-18 "degC"`.
    Number(NumberLit),
    /// `"member"`, unescaped.
    Text(String),
    /// `True` or `False`.
    Boolean(bool),
    /// A claim, a local or a quantifier's variable.
    Name(String),
    /// Unary minus on anything but a number literal.
    Negate(Box<Expr>),
    /// `a == b` and the other comparisons, not chained.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// `a + b - c`: one flat chain, evaluated from the left. The span of a link is its right operand's.
    Sum(Box<Expr>, Vec<(SumOp, Expr)>),
    /// `a * b / c % d`: one flat chain, evaluated from the left.
    Product(Box<Expr>, Vec<(ProductOp, Expr)>),
    /// `And(...)`, `IsMember(...)`, …: a built-in applied to plain arguments. Arity is checked by the parser.
    Call(Function, Vec<Expr>),
    /// `IF c THEN a [ELSE b] END`; `If(c, a, b)` is this too, always with an else.
    If(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    /// `CASE s OF "x": e, ..., DEFAULT: e END`
    Case(Box<Expr>, Vec<Arm>, Option<Box<Expr>>),
    /// `{e, e}` or `[e, e]`; never empty.
    Collection(Vec<Expr>),
    /// `ForAll(x in s, p)` and the other quantifiers.
    Quantified(Box<Quantified>),
    /// A place that could not be read. Already reported: it has any type, and nothing more is said about it.
    Error,
}

/// A number literal, its sign included.
#[derive(Debug, Clone)]
pub struct NumberLit {
    /// The number as written, with a leading `-` where the literal has one: `-18`, `2.5e3`.
    pub digits: String,
    /// The unit in quotes after it.
    pub unit: Option<Text>,
}

/// `"x": e` or `3 "km": e` in a CASE.
#[derive(Debug, Clone)]
pub struct Arm {
    /// The label: a `Text` or a `Number` expression.
    pub label: Expr,
    /// The branch.
    pub body: Expr,
}

/// `Kind([n,] x in set, body)`
#[derive(Debug, Clone)]
pub struct Quantified {
    /// Which quantifier.
    pub quantifier: Quantifier,
    /// The count of `AtLeast` and `AtMost`, absent for the others.
    pub count: Option<Expr>,
    /// The variable; it may hide a claim.
    pub variable: Ident,
    /// The collection it runs over.
    pub set: Expr,
    /// The condition.
    pub body: Expr,
}

/// Comparison operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// Operators of a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SumOp {
    /// `+`
    Add,
    /// `-`
    Sub,
}

/// Operators of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProductOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`: `a - b*floor(a/b)`, the sign of `b`.
    Rem,
}

/// Built-ins that take plain arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Function {
    /// `And(a, b, ...)`, one or more.
    And,
    /// `Or(a, b, ...)`, one or more.
    Or,
    /// `Not(a)`
    Not,
    /// `Xor(a, b)`
    Xor,
    /// `Implies(a, b)`
    Implies,
    /// `IsMember(v, s)`
    IsMember,
    /// `IsSubset(a, b)`
    IsSubset,
    /// `Union(a, b)`
    Union,
    /// `Intersect(a, b)`
    Intersect,
    /// `Difference(a, b)`
    Difference,
}

/// The quantifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `ForAll`
    ForAll,
    /// `Exists`
    Exists,
    /// `AtLeast`
    AtLeast,
    /// `AtMost`
    AtMost,
    /// `ExactlyOne`
    ExactlyOne,
    /// `CountWhere`, a number.
    CountWhere,
}
