//! What a run shows of itself while it runs and when it is done: a fold over its events.
//!
//! On a terminal there is a line of progress; elsewhere there are log lines, as text or as JSON. Both end with
//! the tallies. No value of a claim is ever shown.

use std::io::{self, IsTerminal};
use std::time::Instant;

use assay_batch::events::{Documents, Event, Tally};
use assay_batch::job::FailOn;
use assay_batch::{Exit, Outcome, Problem};
use assay_engine::Word;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::args::Form;
use crate::printing::{complain, visible};

/// Shows a run.
pub struct Report {
    quiet: bool,
    form: Form,
    started: Instant,
    progress: Option<ProgressBar>,
    inputs: Vec<(String, Option<u64>)>,
    /// How much of the inputs before the current one there was.
    bytes_before: u64,
    rows: u64,
    /// How many of the rows were finished before this run began.
    kept: u64,
    rejected: u64,
    total: Tally,
}

/// Shows something that is wrong.
pub fn problem(problem: &Problem, form: Form) {
    match form {
        Form::Text => {
            let place =
                problem.place.as_deref().map(|place| format!("{}: ", visible(place))).unwrap_or_default();
            complain(&format!("error: {place}{}", visible(&problem.message)));
            for line in problem.help.iter().flat_map(|help| help.lines()) {
                complain(&format!("  help: {}", visible(line)));
            }
        }
        Form::Json => complain(
            &json!({
                "event": "error",
                "place": problem.place,
                "message": problem.message,
                "help": problem.help,
            })
            .to_string(),
        ),
    }
}

/// Says that the run was told to stop, and is about to.
pub fn stopping(form: Form) {
    match form {
        Form::Text => complain("stopping: what is in hand is finished first; once more stops at once"),
        Form::Json => complain(&json!({ "event": "stopping" }).to_string()),
    }
}

/// Says that a run which ended early can be resumed.
pub fn kept(rows: u64, form: Form) {
    match form {
        Form::Text => complain(&format!(
            "  {rows} finished rows are kept: run the job again with `--resume` once that is put right"
        )),
        Form::Json => complain(&json!({ "event": "kept", "rows": rows }).to_string()),
    }
}

/// Why a completed run ends with the exit code of an engine that failed, if it does.
pub fn engine_errors(outcome: &Outcome) -> Option<Problem> {
    let documents = match outcome.engine_errors {
        0 => return None,
        1 => "1 document".to_owned(),
        count => format!("{count} documents"),
    };
    let message = format!("the engine has no answer for {documents}, rejected with `ENGINE_ERROR`");
    Some(Problem::new(message).help(
        "`rejected.jsonl` names the assertions; the answers of all other documents are whole, and the exit code is 5",
    ))
}

/// Why a completed run ends with the exit code of `fail_on`, if it does.
pub fn fail_on(outcome: &Outcome, wanted: &FailOn) -> Option<Problem> {
    if outcome.exit != Exit::FailOn {
        return None;
    }
    let answered = |word: &Word| outcome.assertions.iter().map(|(_, tally)| tally.of(*word)).sum::<u64>();
    let mut found: Vec<(&str, u64)> =
        wanted.words.iter().map(|word| (word.as_str(), answered(word))).collect();
    if wanted.rejected {
        found.push(("REJECTED", outcome.rejected));
    }
    let times = |count: u64| if count == 1 { "once".to_owned() } else { format!("{count} times") };
    let found = found.iter().filter(|(_, count)| *count > 0);
    let found: Vec<String> = found.map(|(word, count)| format!("{word} {}", times(*count))).collect();
    let message = format!("`fail_on` names what occurred: {}", found.join(", "));
    Some(Problem::new(message).help("the run is complete and its results are whole; only its exit code is 4"))
}

/// Rows between two log lines.
const LOGGED_ROWS: u64 = 1_000_000;

impl Report {
    /// A report on standard error.
    pub fn new(quiet: bool, form: Form) -> Report {
        Report {
            quiet,
            form,
            started: Instant::now(),
            progress: None,
            inputs: Vec::new(),
            bytes_before: 0,
            rows: 0,
            kept: 0,
            rejected: 0,
            total: Tally::default(),
        }
    }

    /// Takes an event in.
    pub fn event(&mut self, event: &Event) {
        if self.quiet {
            return;
        }
        match event {
            Event::Started { inputs, assertions, threads } => {
                self.inputs = inputs.iter().map(|input| (input.name.clone(), input.bytes)).collect();
                if io::stderr().is_terminal() && self.form == Form::Text {
                    self.progress = Some(self.bar());
                } else {
                    let (inputs, assertions) = (inputs.len(), assertions.len());
                    self.log(
                        "started",
                        &[
                            ("inputs", json!(inputs)),
                            ("assertions", json!(assertions)),
                            ("threads", json!(threads)),
                        ],
                    );
                }
            }
            Event::Resumed(before) => {
                self.rows = before.inputs.iter().map(|input| input.rows).sum();
                self.rejected = before.inputs.iter().map(|input| input.rejected).sum();
                before.tallies.iter().for_each(|tally| self.total.add(tally));
                self.kept = self.rows;
                let ended = self.inputs.iter().zip(&before.inputs).filter(|(_, read)| read.sha256.is_some());
                self.bytes_before = ended.filter_map(|((_, bytes), _)| *bytes).sum();
                if self.progress.is_none() {
                    self.log("resumed", &[("kept_rows", json!(self.kept))]);
                }
            }
            // Said after what went wrong.
            Event::Kept { .. } => {}
            Event::Decided(decided) => {
                let before = self.rows / LOGGED_ROWS;
                self.rows += decided.rows.iter().map(|rows| rows.read).sum::<u64>();
                self.rejected += decided.rows.iter().map(|rows| rows.rejected).sum::<u64>();
                decided.tallies.iter().for_each(|tally| self.total.add(tally));
                match &self.progress {
                    Some(bar) => {
                        let bytes_read = decided.rows.last().map_or(0, |rows| rows.bytes_read);
                        bar.set_position(self.bytes_before + bytes_read);
                        bar.set_message(self.now());
                    }
                    None if self.rows / LOGGED_ROWS > before => self.log("progress", &self.counts()),
                    None => {}
                }
            }
            Event::InputDone { input, .. } => {
                let (name, bytes) = self.inputs.get(*input).cloned().unwrap_or_default();
                self.bytes_before += bytes.unwrap_or(0);
                if self.progress.is_none() {
                    self.log("input done", &[("input", json!(name))]);
                }
            }
            Event::Putting { output } => match &self.progress {
                Some(bar) => bar.set_message(format!("putting results into {}", visible(output))),
                None => self.log("putting results", &[("output", json!(output))]),
            },
            Event::Written(_) | Event::Finished { .. } => {}
        }
    }

    /// Ends the report, with what the run came to if it completed.
    pub fn end(&mut self, outcome: Option<&Outcome>) {
        if let Some(bar) = self.progress.take() {
            bar.finish_and_clear();
        }
        let Some(outcome) = outcome.filter(|_| !self.quiet) else { return };
        match self.form {
            Form::Text => complain(&self.table(outcome)),
            Form::Json => {
                let assertions = outcome.assertions.iter().map(|(name, tally)| {
                    let words =
                        Word::ALL.iter().map(|word| (word.as_str().to_owned(), json!(tally.of(*word))));
                    (name.clone(), Value::Object(words.collect()))
                });
                let mut fields = vec![("rows", json!(outcome.rows)), ("rejected", json!(outcome.rejected))];
                if let Some(Documents { checked, rejected, .. }) = outcome.documents {
                    fields.push(("documents", json!({ "checked": checked, "rejected": rejected })));
                }
                fields.push(("assertions", Value::Object(assertions.collect())));
                fields.push(("kept_rows", json!(outcome.kept)));
                fields.push(("output", json!(outcome.output.to_string())));
                self.log("completed", &fields);
            }
        }
    }

    fn bar(&self) -> ProgressBar {
        let known: Option<u64> = self.inputs.iter().map(|(_, bytes)| *bytes).sum();
        let (bar, template) = match known {
            Some(bytes) => (ProgressBar::new(bytes), "{wide_bar} {percent}%  {eta} left\n{msg}"),
            None => (ProgressBar::new_spinner(), "{spinner} {elapsed}\n{msg}"),
        };
        match ProgressStyle::with_template(template) {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        }
    }

    /// Where the run is: rows, rows a second, and the four tallies over all assertions.
    fn now(&self) -> String {
        let words = Word::ALL.iter().map(|word| format!("{} {}", word.as_str(), self.total.of(*word)));
        let words = words.collect::<Vec<_>>().join("  ");
        let seconds = self.started.elapsed().as_millis().max(1);
        let rate = u128::from(self.rows - self.kept) * 1000 / seconds;
        format!("{} rows, {rate} rows/s, {} rejected  {words}", self.rows, self.rejected)
    }

    fn counts(&self) -> Vec<(&'static str, Value)> {
        let words = Word::ALL.iter().map(|word| (word.as_str(), json!(self.total.of(*word))));
        [("rows", json!(self.rows)), ("rejected", json!(self.rejected))].into_iter().chain(words).collect()
    }

    /// A log line: what happened, and how many seconds after the start.
    fn log(&self, what: &str, fields: &[(&str, Value)]) {
        let seconds = format!("{:.1}", self.started.elapsed().as_secs_f64());
        match self.form {
            Form::Text => {
                let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), visible);
                let fields: Vec<String> =
                    fields.iter().map(|(name, value)| format!("{name}={}", text(value))).collect();
                complain(&format!("[{seconds}s] {what} {}", fields.join(" ")));
            }
            Form::Json => {
                let mut line = serde_json::Map::new();
                line.insert("event".to_owned(), json!(what));
                line.insert("seconds".to_owned(), json!(seconds));
                line.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
                complain(&Value::Object(line).to_string());
            }
        }
    }

    fn table(&self, outcome: &Outcome) -> String {
        let width =
            outcome.assertions.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max("assertion".len());
        let mut text = format!("\n{:<width$}", "assertion");
        for word in Word::ALL {
            text.push_str(&format!("  {:>9}", word.as_str()));
        }
        text.push('\n');
        for (name, tally) in &outcome.assertions {
            text.push_str(&format!("{name:<width$}"));
            for word in Word::ALL {
                text.push_str(&format!("  {:>9}", tally.of(word)));
            }
            text.push('\n');
        }
        let checked = match outcome.documents {
            Some(Documents { checked, .. }) => format!("{checked} documents"),
            None => (outcome.rows - outcome.rejected).to_string(),
        };
        let rejected = match outcome.rejected {
            0 => "none rejected".to_owned(),
            count => format!("{count} rejected (see rejected.jsonl)"),
        };
        let seconds = self.started.elapsed().as_secs_f64();
        let rows = if outcome.rows == 1 { "1 row".to_owned() } else { format!("{} rows", outcome.rows) };
        let output = visible(&outcome.output.to_string());
        let kept = match outcome.kept {
            0 => String::new(),
            kept if kept == outcome.rows => {
                "\nthe run was complete already, and nothing was decided".to_owned()
            }
            kept => format!("\n{kept} of the rows were finished before"),
        };
        format!(
            "{text}\n{rows} read, {checked} checked, {rejected}, in {seconds:.1} s{kept}\nresults in {output}\n"
        )
    }
}
