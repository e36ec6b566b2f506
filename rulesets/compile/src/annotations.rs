//! What comments say about claims: questions, contexts, ranges and units.

use std::collections::BTreeMap;

use assay_syntax::ast::{Annotation, AnnotationKind, Module};
use assay_syntax::{Diagnostic, Span};
use assay_units::Unit;

use crate::names::{Kind, Meaning, Names, twice};
use crate::spelling::Speller;
use crate::{Range, leaves};

/// The annotations of one claim.
#[derive(Debug, Clone, Default)]
pub(crate) struct Described {
    /// `@ask`
    pub(crate) ask: Option<String>,
    /// `@context`
    pub(crate) context: Option<String>,
    /// `@range`
    pub(crate) range: Option<Range>,
    /// `@unit`
    pub(crate) unit: Option<Unit>,
    /// Whether there is a `@unit` that could not be read, so that what its unit would be is not known.
    pub(crate) broken_unit: bool,
}

/// Reads the annotations, in the order of the claims.
pub(crate) fn collect(
    module: &Module,
    names: &Names<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Described> {
    let mut described = vec![Described::default(); names.claims.len()];
    let mut speller = Speller::default();
    let mut seen: BTreeMap<(usize, AnnotationKind), Span> = BTreeMap::new();
    for annotation in &module.annotations {
        let tag = tag(annotation.kind);
        let name = &annotation.claim.name;
        let id = match names.meaning(name) {
            Some(Meaning::Claim(id)) => id.0,
            other => {
                diagnostics.push(no_claim(annotation, tag, other.is_some(), names, &mut speller));
                continue;
            }
        };
        if let Some(&first) = seen.get(&(id, annotation.kind)) {
            diagnostics.push(twice(format!("a second `{tag}` for `{name}`"), annotation.span, first));
            continue;
        }
        seen.insert((id, annotation.kind), annotation.span);
        // INVARIANT: `described` and `claims` are as long, and the id is one of a claim.
        let (claim, place) = (&names.claims[id], &mut described[id]);
        let measured = matches!(annotation.kind, AnnotationKind::Range | AnnotationKind::Unit);
        if measured && !matches!(claim.kind, Kind::Num | Kind::Unknown) {
            let message = format!("`{tag}` on `{name}`, which is not numeric");
            diagnostics
                .push(Diagnostic::error(annotation.span, message).related(claim.name.span, "declared here"));
            continue;
        }
        let text = &annotation.text;
        match annotation.kind {
            AnnotationKind::Ask => place.ask = Some(text.value.clone()),
            AnnotationKind::Context => place.context = Some(text.value.clone()),
            AnnotationKind::Range => match range(&text.value, text.span) {
                Ok(range) => place.range = Some(range),
                Err(problem) => diagnostics.push(*problem),
            },
            AnnotationKind::Unit => match leaves::unit(&text.value, text.span) {
                Ok(unit) => place.unit = Some(unit),
                Err(problem) => {
                    place.broken_unit = true;
                    diagnostics.push(*problem);
                }
            },
        }
    }
    described
}

fn tag(kind: AnnotationKind) -> &'static str {
    match kind {
        AnnotationKind::Ask => "@ask",
        AnnotationKind::Context => "@context",
        AnnotationKind::Range => "@range",
        AnnotationKind::Unit => "@unit",
    }
}

fn no_claim(
    annotation: &Annotation,
    tag: &str,
    local: bool,
    names: &Names<'_>,
    speller: &mut Speller,
) -> Diagnostic {
    let name = &annotation.claim.name;
    if local {
        let message = format!("`{tag}` names `{name}`, which is a local and not a claim");
        return Diagnostic::error(annotation.claim.span, message);
    }
    let problem = Diagnostic::error(
        annotation.claim.span,
        format!("`{tag}` names `{name}`, which is not a declared claim"),
    );
    match speller.near(name, names.claims.iter().map(|claim| claim.name.name.as_str())) {
        Some(meant) => problem.help(format!("did you mean `{meant}`?")),
        None => problem.help(format!("an annotation is written `// {tag} CLAIM TEXT`")),
    }
}

fn range(text: &str, span: Span) -> Result<Range, Box<Diagnostic>> {
    let malformed = || {
        let help = "a range is written `lo..hi`, and either end may be left out: `0..1000`, `-40..`, `..100`; the ends \
                    are bare numbers in the claim's unit";
        Box::new(Diagnostic::error(span, format!("`{}` is not a range", text.escape_debug())).help(help))
    };
    let (low, high) = text.split_once("..").ok_or_else(malformed)?;
    let end = |text: &str| match text.trim() {
        "" => Ok(None),
        text => leaves::number(text, span).map(Some).map_err(|problem| match problem.budget {
            None => malformed(),
            Some(_) => problem,
        }),
    };
    let range = Range { min: end(low)?, max: end(high)? };
    match (&range.min, &range.max) {
        (None, None) => Err(malformed()),
        (Some(low), Some(high)) if low > high => {
            let message =
                format!("the range `{}` is empty: its lower end is above its upper end", text.escape_debug());
            Err(Box::new(Diagnostic::error(span, message)))
        }
        _ => Ok(range),
    }
}
