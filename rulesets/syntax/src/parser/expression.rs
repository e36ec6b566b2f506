//! Expressions, from the loosest operator to the tightest, and the atoms.

use super::{Parser, Read, Stop};
use crate::ast::{CompareOp, Expr, ExprKind, NumberLit, ProductOp, SumOp, Text};
use crate::lexer::{Token, TokenKind, shown};
use crate::words;
use crate::{Diagnostic, Span};

impl Parser<'_> {
    /// An expression. Comparisons are the loosest form there is; what people write between them is reported by
    /// [`Parser::infix_logic`].
    pub(super) fn expression(&mut self) -> Read<Expr> {
        let left = self.comparison()?;
        self.infix_logic(left)
    }

    pub(super) fn comparison(&mut self) -> Read<Expr> {
        let left = self.sum()?;
        let Some(op) = self.compare_op() else { return Ok(left) };
        let right = self.sum()?;
        let span = left.span.to(right.span);
        if self.peek_compare_op().is_some() {
            return self.chain(left, op, right);
        }
        Ok(Expr { kind: ExprKind::Compare(op, Box::new(left), Box::new(right)), span })
    }

    /// The rest of a chain of comparisons, which is a mistake.
    fn chain(&mut self, left: Expr, op: CompareOp, right: Expr) -> Read<Expr> {
        let (start, operator) = (left.span, self.current().span);
        let (mut operands, mut operators) = (vec![left, right], vec![op]);
        while let Some(op) = self.compare_op() {
            operators.push(op);
            operands.push(self.sum()?);
        }
        let help = match self.texts(&operands.iter().collect::<Vec<_>>()) {
            Some(texts) => {
                let pairs = texts.iter().zip(texts.iter().skip(1)).zip(&operators);
                let pairs: Vec<String> =
                    pairs.map(|((a, b), op)| format!("{a} {} {b}", op.as_str())).collect();
                format!("write `And({})`", pairs.join(", "))
            }
            None => "write `And(a < b, b < c)`".to_owned(),
        };
        self.report(Diagnostic::error(operator, "comparisons are not chained").help(help));
        Ok(self.error_expr(start))
    }

    /// The texts of expressions as help shows them, where they are short enough for that.
    pub(super) fn texts(&self, exprs: &[&Expr]) -> Option<Vec<String>> {
        let texts: Vec<&str> = exprs.iter().map(|expr| self.source.slice(expr.span)).collect();
        let length: usize = texts.iter().map(|text| text.len()).sum();
        let plain = texts.iter().all(|text| !text.contains('\n') && !text.contains("//"));
        (length <= 80 && plain).then(|| texts.iter().map(|text| (*text).to_owned()).collect())
    }

    fn peek_compare_op(&self) -> Option<CompareOp> {
        match self.current().kind {
            TokenKind::Symbol("==" | "=" | "===") => Some(CompareOp::Eq),
            TokenKind::Symbol("!=" | "<>" | "!==") => Some(CompareOp::Ne),
            TokenKind::Symbol("<") => Some(CompareOp::Lt),
            TokenKind::Symbol("<=" | "=<") => Some(CompareOp::Le),
            TokenKind::Symbol(">") => Some(CompareOp::Gt),
            TokenKind::Symbol(">=") => Some(CompareOp::Ge),
            _ => None,
        }
    }

    /// A comparison operator; one of another language is reported and taken for what it means.
    fn compare_op(&mut self) -> Option<CompareOp> {
        let op = self.peek_compare_op()?;
        let token = self.bump();
        let written = self.text(token);
        if written != op.as_str() {
            let error = Diagnostic::error(token.span, format!("`{written}` is not a comparison"));
            self.report(error.help(format!("write `{}`", op.as_str())));
        }
        Some(op)
    }

    fn sum(&mut self) -> Read<Expr> {
        let first = self.product()?;
        let mut links = Vec::new();
        loop {
            let op = match self.current().kind {
                TokenKind::Symbol("+") => SumOp::Add,
                TokenKind::Symbol("-") => SumOp::Sub,
                _ => break,
            };
            self.bump();
            links.push((op, self.product()?));
        }
        let Some((_, last)) = links.last() else { return Ok(first) };
        let span = first.span.to(last.span);
        Ok(Expr { kind: ExprKind::Sum(Box::new(first), links), span })
    }

    fn product(&mut self) -> Read<Expr> {
        let first = self.unary()?;
        let mut links = Vec::new();
        let mut power = None;
        loop {
            let op = match self.current().kind {
                TokenKind::Symbol("*") => ProductOp::Mul,
                TokenKind::Symbol("/") => ProductOp::Div,
                TokenKind::Symbol("%") => ProductOp::Rem,
                TokenKind::Symbol("^" | "**") => {
                    power.get_or_insert(self.current());
                    ProductOp::Mul
                }
                _ => break,
            };
            self.bump();
            let percent =
                op == ProductOp::Rem && self.current().kind != TokenKind::Bad && !self.operand_follows();
            if percent {
                let message = format!("expected an expression after `%`, found {}", self.found());
                let help = "`%` is the remainder; write a percentage as a fraction, 5% as `0.05`";
                return Err(self.unexpected_with(message, Some(help.to_owned())));
            }
            links.push((op, self.unary()?));
        }
        if let Some(power) = power {
            let error = Diagnostic::error(power.span, "there is no power operator");
            self.report(error.help("write a product: `x * x`"));
            return Ok(self.error_expr(first.span));
        }
        let Some((_, last)) = links.last() else { return Ok(first) };
        let span = first.span.to(last.span);
        Ok(Expr { kind: ExprKind::Product(Box::new(first), links), span })
    }

    fn operand_follows(&self) -> bool {
        match self.current().kind {
            TokenKind::Number | TokenKind::Text | TokenKind::Symbol("(" | "[" | "{" | "-" | "+") => true,
            TokenKind::Word => !matches!(self.word(0), "THEN" | "ELSE" | "END" | "OF" | "DEFAULT"),
            _ => false,
        }
    }

    pub(super) fn unary(&mut self) -> Read<Expr> {
        let sign = self.current();
        if self.is_symbol("-") {
            self.bump();
            if self.current().kind == TokenKind::Number {
                return self.number(Some(sign));
            }
            let operand = self.nested(Self::unary)?;
            let span = sign.span.to(operand.span);
            return Ok(Expr { kind: ExprKind::Negate(Box::new(operand)), span });
        }
        if self.is_symbol("+") {
            let help = "remove the `+`".to_owned();
            self.unexpected_with("a `+` before an operand".to_owned(), Some(help));
            while self.eat("+") {}
            return self.nested(Self::unary);
        }
        if let Some(negation) = self.prefix_negation() {
            return negation;
        }
        self.atom()
    }

    fn atom(&mut self) -> Read<Expr> {
        let token = self.current();
        match token.kind {
            TokenKind::Number => self.number(None),
            TokenKind::Text => {
                self.bump();
                Ok(Expr { kind: ExprKind::Text(self.contents(token)), span: token.span })
            }
            TokenKind::Symbol("(") => self.brackets(),
            TokenKind::Symbol("{" | "[") => self.collection(),
            TokenKind::Bad => {
                self.bump();
                Ok(self.error_expr(token.span))
            }
            TokenKind::Word => self.word_atom(token),
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn word_atom(&mut self, token: Token) -> Read<Expr> {
        let word = self.text(token);
        match word {
            "IF" => return self.nested(Self::if_form),
            "CASE" => return self.nested(Self::case_form),
            _ if self.token(1).kind == TokenKind::Symbol("(") && !words::is_keyword(word) => {
                return self.nested(Self::application);
            }
            _ if self.lower_case_form() => return Err(Stop),
            "True" | "False" => {}
            _ if words::is_keyword(word) => return Err(self.unexpected("an expression")),
            _ if words::is_builtin(word) => {
                let example =
                    words::quantifier(word).map_or_else(|| format!("{word}(...)"), |q| q.form().to_owned());
                let message = format!("`{word}` takes its arguments in round brackets");
                return Err(self.unexpected_with(message, Some(format!("write `{example}`"))));
            }
            _ => {}
        }
        self.bump();
        let kind = match word.to_ascii_lowercase().as_str() {
            lower @ ("true" | "false") if !matches!(word, "True" | "False") => {
                let meant = if lower == "true" { "True" } else { "False" };
                let error = Diagnostic::error(token.span, format!("`{word}` is not a boolean"));
                self.report(error.help(format!("write `{meant}`")));
                ExprKind::Boolean(lower == "true")
            }
            lower @ ("true" | "false") => ExprKind::Boolean(lower == "true"),
            _ if self.current().kind == TokenKind::Number => return Ok(self.unit_first(token)),
            _ => ExprKind::Name(word.to_owned()),
        };
        Ok(Expr { kind, span: token.span })
    }

    /// The number after `USD` in `USD 50`, which is reported.
    fn unit_first(&mut self, unit: Token) -> Expr {
        let (unit_text, number_text) = (shown(self.text(unit)), shown(self.text(self.current())));
        let message = format!("expected an operator after `{unit_text}`, found {}", self.found());
        let help = format!("a unit stands after its number, in quotes: `{number_text} \"{unit_text}\"`");
        self.unexpected_with(message, Some(help));
        self.bump();
        self.error_expr(unit.span)
    }

    /// A number literal, its sign included, and the unit after it.
    pub(super) fn number(&mut self, sign: Option<Token>) -> Read<Expr> {
        let token = self.bump();
        let start = sign.map_or(token.span, |sign| sign.span);
        let sign = if sign.is_some() { "-" } else { "" };
        let digits = format!("{sign}{}", self.text(token));
        let next = self.current();
        let unit = match next.kind {
            TokenKind::Text => {
                self.bump();
                Some(Text { value: self.contents(next), span: next.span })
            }
            TokenKind::Word if self.bare_unit() => Some(self.read_bare_unit(&digits)),
            _ => None,
        };
        Ok(Expr { kind: ExprKind::Number(NumberLit { digits, unit }), span: self.since(start) })
    }

    /// Whether the word after a number is a unit without its quotes: no other word may stand there.
    fn bare_unit(&self) -> bool {
        let word = self.word(0);
        let between = Span { start: self.previous().span.end, end: self.current().span.start };
        let other = match word.to_ascii_lowercase().as_str() {
            // `5 in {a, b}` is a membership, `5 in` is five inches.
            "in" => matches!(self.token(1).kind, TokenKind::Symbol("{" | "[" | "(") | TokenKind::Word),
            "then" | "else" | "end" | "of" | "default" | "is" => true,
            _ => words::taken(word).is_some() || self.infix().is_some(),
        };
        !other && !self.source.slice(between).contains('\n')
    }

    /// Reads `km`, or `km/h` where there is no space in it, and says how it is written.
    fn read_bare_unit(&mut self, digits: &str) -> Text {
        let mut span = self.bump().span;
        while matches!(self.current().kind, TokenKind::Symbol("/" | "*" | "^"))
            && self.current().span.start == span.end
            && matches!(self.token(1).kind, TokenKind::Word | TokenKind::Number)
            && self.token(1).span.start == self.current().span.end
        {
            self.bump();
            span = span.to(self.bump().span);
        }
        let value = self.source.slice(span).to_owned();
        let error = Diagnostic::error(span, "a unit stands in quotes");
        self.report(error.help(format!("write `{} \"{}\"`", shown(digits), shown(&value))));
        Text { value, span }
    }

    /// `( expression )`
    fn brackets(&mut self) -> Read<Expr> {
        self.nested(|parser| {
            let before = parser.previous();
            let open = parser.bump();
            let items = parser.list(open, Self::expression, |span| Expr { kind: ExprKind::Error, span });
            let span = parser.since(open.span);
            let one = <[Expr; 1]>::try_from(items);
            if let Ok([item]) = one {
                return Ok(Expr { kind: item.kind, span });
            }
            let help = match parser.text(before) {
                "IF" => "write `If(condition, a, b)`, or `IF condition THEN a ELSE b END`",
                _ => "write a collection in braces: `{a, b}`",
            };
            let error = Diagnostic::error(span, "round brackets hold one expression");
            parser.report(error.help(help));
            Ok(parser.error_expr(open.span))
        })
    }

    /// `{a, b}` or `[a, b]`
    fn collection(&mut self) -> Read<Expr> {
        self.nested(|parser| {
            let open = parser.bump();
            let items = parser.list(open, Self::expression, |span| Expr { kind: ExprKind::Error, span });
            let span = parser.since(open.span);
            if items.is_empty() {
                let error = Diagnostic::error(span, "an empty collection").help("write at least one element");
                parser.report(error);
                return Ok(parser.error_expr(open.span));
            }
            Ok(Expr { kind: ExprKind::Collection(items), span })
        })
    }
}

impl CompareOp {
    /// The operator as a source writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            CompareOp::Eq => "==",
            CompareOp::Ne => "!=",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
        }
    }
}
