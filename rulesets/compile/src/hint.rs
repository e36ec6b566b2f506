//! The guide to the grammar that a failed compile carries, so that the next source can be written from it alone.

/// The guide, plain text. Its worked example compiles as it stands.
pub const GRAMMAR_GUIDE: &str = include_str!("hint.txt");

/// The source that the guide ends with: the lines after its last heading, their indent removed.
pub fn worked_example() -> String {
    let example = GRAMMAR_GUIDE.rsplit_once("EXAMPLE\n").map(|(_, example)| example).unwrap_or_default();
    let lines = example.lines().map(|line| line.strip_prefix("  ").unwrap_or(line));
    lines.skip_while(|line| line.is_empty()).fold(String::new(), |text, line| text + line + "\n")
}
